/** What a notice says, without secrets (SEE-09). Pure. */
import { maskValue, mask } from "../lib/mask.ts";
import { safeLine, safeText } from "../lib/safe-text.ts";

export interface Notice {
  /** For programs, as JSON. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** For people: one line, and a few lines. */
  readonly title: string;
  readonly text: string;
  /** Where the question can be answered; null: no address is set. */
  readonly link: string | null;
}

const maxTitle = 200;
const maxText = 1500;

export function withoutSecrets(notice: Notice, secrets: readonly string[]): Notice {
  const { facts, title, text, link } = notice;
  return {
    facts: { ...(maskValue(facts, secrets) as Notice["facts"]), ...(link !== null && { link }) },
    title: safeLine(mask(title, secrets)).slice(0, maxTitle),
    text: safeText(mask(text, secrets)).slice(0, maxText),
    link,
  };
}

/** @param link of the settings @param ask key of the question; null: the run has ended */
export function linkTo(link: string | undefined, run: string, ask: string | null): string | null {
  if (link === undefined) return null;
  return link.replaceAll("{run}", encodeURIComponent(run)).replaceAll("{ask}", encodeURIComponent(ask ?? ""));
}
