/**
 * The question whether a run may go on from a base of which many tests fail (PRV-02). No protocol asks it, since it stands
 * before every one: it is open from the event that says how the base is until the event that says who took it so. Pure.
 */
import { counted } from "../lib/counted.ts";
import type { AskCommand } from "../kernel/command.ts";
import type { RunView } from "./run-view.ts";
import { safeLine } from "../lib/safe-text.ts";

/** Under it stand the records of the base too. */
export const baseKey = "base";

export function baseAsk({ base, baseAccepted, ended }: RunView): AskCommand | null {
  if (base?.needsPerson !== true || baseAccepted !== null || ended !== null) return null;
  return {
    type: "ask",
    key: baseKey,
    frame: "main",
    path: baseKey,
    state: baseKey,
    counters: {},
    round: 0,
    causes: [],
    text: `${base.count} of ${counted(base.tests, "test")} already ${base.count === 1 ? "fails" : "fail"} on the base commit; does the run go on from there?`,
    to: "person",
    as: "waiting",
    shows: [],
    answers: ["accept"],
  };
}

/** How it is answered: by the number, or by the names. */
export function baseCommands({ run, base }: RunView): readonly string[] {
  return [`mettle answer ${run} accept ${base?.count ?? 0}`, `mettle abort ${run}`];
}

/** Names that are shown; `mettle show RUN/1` has all of them. */
const mostShown = 100;

export function baseText({ base, records }: RunView): string {
  if (base === null) return "";
  const { commit, failing, tests, count } = base;
  const record = records.find(({ key, verdict }) => key === baseKey && verdict !== "pass");
  const more = failing.length - mostShown;
  return [
    `In a clean checkout of the base commit ${commit.slice(0, 12)} ${count} of ${counted(tests, "test")} ${count === 1 ? "fails" : "fail"}, before anything was changed:`,
    ...failing.slice(0, mostShown).map((name) => `  ${safeLine(name)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    `What fails there already is not held against an agent, so these tests protect nothing in this run.`,
    `\`mettle doctor --run\` says which of them pass in your own checkout${record === undefined ? "" : `; record ${record.id} has the output`}.`,
  ].join("\n");
}

/** Whether an answer names exactly what fails: its count, or each name. */
export function acceptsBase({ base }: RunView, words: readonly string[]): boolean {
  if (base === null) return false;
  const [first = "", ...others] = words;
  if (/^\d+$/u.test(first) && others.length === 0) return Number(first) === base.count;
  const named = new Set(words);
  return named.size === base.failing.length && base.failing.every((name) => named.has(name));
}
