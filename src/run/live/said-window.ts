/**
 * The newest of what an agent says and does, in bounded memory and masked as the recorded output will be: a secret that is spread
 * over several messages is found, and what may be the start of one waits for what follows. Pure.
 */
import { mask, maskParts, unfinishedFrom } from "../../lib/mask.ts";
import type { SaidModel } from "../../views/model/said-model.ts";

export type Said = Pick<SaidModel, "kind" | "text">;

export interface SaidWindow {
  add(said: Said): void;
  /** Whether `take` may have something to give. */
  readonly isFull: boolean;
  /** What was added and not yet taken. @param isLast nothing follows: what waited is given too */
  take(isLast: boolean): readonly Said[];
  /** Characters that were left out since the last call. */
  takeLeft(): number;
}

/** Characters that wait to be taken; of more, the oldest are left out. */
const maxWaiting = 64 << 10;
/** Characters that were taken and are kept, to find a secret that began there. */
const keptBefore = 16 << 10;
/** Characters of a tool call that are shown. */
const maxDetail = 2_000;

export function saidWindow(secrets: readonly string[]): SaidWindow {
  let before = "";
  let waiting: Said[] = [];
  let length = 0;
  let left = 0;

  /** Leaves out the oldest half. */
  const shorten = (): void => {
    while (length > maxWaiting / 2) {
      const [first] = waiting;
      if (first === undefined) return;
      const surplus = Math.min(first.text.length, length - maxWaiting / 2);
      if (isText(first)) before = (before + first.text.slice(0, surplus)).slice(-keptBefore);
      if (surplus === first.text.length) waiting.shift();
      else waiting[0] = { ...first, text: first.text.slice(surplus) };
      length -= surplus;
      left += surplus;
    }
  };

  return {
    add(said) {
      // The recorded output has one line break after each message, and no tool calls.
      const text = said.kind === "says" ? `${said.text}\n` : said.text;
      const last = waiting.at(-1);
      const given = isText(said) ? text : clip(mask(text, secrets));
      if (said.kind === "prints" && last?.kind === "prints" && last.text.length < maxDetail)
        waiting[waiting.length - 1] = { ...last, text: last.text + given };
      else waiting.push({ ...said, text: given });
      length += given.length;
      if (length > maxWaiting) shorten();
    },
    get isFull() {
      return waiting.length > 0;
    },
    take(isLast) {
      const all = before + waiting.map((said) => (isText(said) ? said.text : "")).join("");
      const end = isLast ? all.length : unfinishedFrom(all, secrets);
      let at = before.length;
      const parts = waiting.map((said) => {
        const from = at;
        if (isText(said)) at += said.text.length;
        return { said, from, to: at };
      });
      const ranges = parts.map(({ from, to }) => ({ from, to: Math.max(from, Math.min(to, end)) }));
      const masked = maskParts(all, ranges, secrets);
      const taken = parts.flatMap(({ said }, index): readonly Said[] => {
        const text = isText(said) ? (masked[index] ?? "") : said.text;
        return text === "" && isText(said) ? [] : [{ ...said, text }];
      });
      const rest = parts.flatMap(({ said, from, to }): readonly Said[] =>
        isText(said) && to > end ? [{ ...said, text: all.slice(Math.max(from, end), to) }] : [],
      );
      before = all.slice(0, end).slice(-keptBefore);
      waiting = rest;
      length = rest.reduce((sum, { text }) => sum + text.length, 0);
      return taken;
    },
    takeLeft() {
      const count = left;
      left = 0;
      return count;
    },
  };
}

function isText({ kind }: Said): boolean {
  return kind === "says" || kind === "prints";
}

function clip(text: string): string {
  return text.length <= maxDetail
    ? text
    : `${text.slice(0, maxDetail)} … ${text.length - maxDetail} characters more`;
}
