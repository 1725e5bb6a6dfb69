/**
 * The question whether a run may continue from a base with many failing tests (PRV-02). It comes before every protocol,
 * so the engine asks it: it is open from `base.proved` until `base.accepted`. Pure.
 */
import { counted } from "../lib/counted.ts";
import type { AskCommand } from "../kernel/command.ts";
import type { RunView } from "./run-view.ts";
import { safeLine } from "../lib/safe-text.ts";
import { shortCommit } from "../lib/short-commit.ts";

/** Also the key of the base's records. */
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

/** Commands that answer it; the answer gives the number of failing tests, or their names. */
export function baseCommands({ run, base }: RunView): readonly string[] {
  return [`mettle answer ${run} accept ${base?.count ?? 0}`, `mettle abort ${run}`];
}

/** Maximum number of names shown; `mettle show RUN/1` shows all of them. */
const maxShown = 100;

export function baseText({ base, records }: RunView): string {
  if (base === null) return "";
  const { commit, failing, tests, count } = base;
  const record = records.find(({ key, verdict }) => key === baseKey && verdict !== "pass");
  const more = failing.length - maxShown;
  return [
    `In a clean checkout of the base commit ${shortCommit(commit)} ${count} of ${counted(tests, "test")} ${count === 1 ? "fails" : "fail"}, before anything was changed:`,
    ...failing.slice(0, maxShown).map((name) => `  ${safeLine(name)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    `What fails there already is not held against an agent, so these tests protect nothing in this run.`,
    `\`mettle doctor --run\` says which of them pass in your own checkout${record === undefined ? "" : `; record ${record.id} has the output`}.`,
  ].join("\n");
}

/** Whether an answer gives exactly the failing tests: their count, or each name. */
export function acceptsBase({ base }: RunView, words: readonly string[]): boolean {
  if (base === null) return false;
  const [first = "", ...others] = words;
  if (/^\d+$/u.test(first) && others.length === 0) return Number(first) === base.count;
  const named = new Set(words);
  return named.size === base.failing.length && base.failing.every((name) => named.has(name));
}
