/**
 * Groups the commands of a run into phases, while its events arrive: commands with the same name, in one node, one after the
 * other. A refused attempt ends its phase, so that the next attempt has a line of its own. Pure but for its memory.
 */
import type { Recorded } from "../../log/run-event.ts";
import { nodesOfFrames } from "../../log/node-frames.ts";
import type { RunView } from "../../log/run-view.ts";
import type { Phase } from "./phase.ts";
import { noteOf, type PhaseNote } from "./phase-note.ts";
import { phaseVerdict } from "./phase-verdict.ts";
import { phaseName } from "./phase-name.ts";

export interface PhaseBoard {
  /** @returns the phases that ended by this event */
  accept(event: Recorded, view: RunView): readonly Phase[];
  /** The phases that have begun and not ended. */
  open(): readonly Phase[];
  /** Ends all phases, because the run ended or waits. @returns them */
  end(): readonly Phase[];
}

interface Draft extends Phase {
  readonly keys: string[];
  readonly notes: PhaseNote[];
  readonly records: string[];
  /** Nothing more of it comes, but its commands may still be open. */
  isLeft: boolean;
}

export function phaseBoard(): PhaseBoard {
  let drafts: Draft[] = [];
  const known = new Set<string>();

  const add = (key: string, view: RunView): void => {
    const command = view.commands[key]?.command;
    if (command === undefined || known.has(key) || !isShown.has(command.type)) return;
    if (command.type === "ask" && command.to === "parent") return;
    known.add(key);
    const name = phaseName(command);
    const node = nodesOfFrames(view).get(command.frame) ?? null;
    const before = drafts.filter((draft) => draft.node === node);
    const isOf = (draft: Draft) =>
      draft.name === name || (command.type === "check" && isOpenClaim(draft, view));
    const same = before.find((draft) => !draft.isLeft && isOf(draft));
    if (same !== undefined) return void same.keys.push(key);
    for (const draft of before) draft.isLeft = true;
    drafts.push({ name, node, keys: [key], notes: [], records: [], isLeft: false });
  };
  const of = (key: string | undefined): Draft | undefined =>
    (key === undefined ? undefined : drafts.find(({ keys }) => keys.includes(key))) ?? drafts.at(-1);
  const takeEnded = (view: RunView): readonly Phase[] => {
    const isSettled = (key: string) => view.commands[key]?.result != null || view.cancelled.includes(key);
    const ended = drafts.filter(({ isLeft, keys }) => isLeft && keys.every(isSettled));
    drafts = drafts.filter((draft) => !ended.includes(draft));
    return ended;
  };

  return {
    accept(event, view) {
      const key = "key" in event ? event.key : undefined;
      if (key !== undefined) add(key, view);
      const draft = of(key);
      const note = noteOf(event, view);
      if (note !== null) draft?.notes.push(note);
      if (event.type === "record.written" && isTold(event)) draft?.records.push(event.id);
      if (event.type === "result" && draft !== undefined && isRefusal(event.key, view)) draft.isLeft = true;
      return takeEnded(view);
    },
    open: () => drafts,
    end() {
      const ended = drafts;
      drafts = [];
      return ended;
    },
  };
}

/** An agent reported work that no gate has judged yet: the check that follows is about it. */
function isOpenClaim({ keys }: Phase, view: RunView): boolean {
  const last = view.commands[keys.at(-1) ?? ""];
  return last?.command.type === "dispatch" && phaseVerdict({ keys }, view).kind === "claim";
}

/** Commands that a person waits for. */
const isShown: ReadonlySet<string> = new Set(["dispatch", "check", "ask", "merge", "rebase"]);

/** The block of a refused test run, or of a test run that checks a claim, is told whole (ORC-38, ORC-49). */
function isTold({ purpose, verdict, phase }: Extract<Recorded, { type: "record.written" }>): boolean {
  return phase !== null && (purpose === "claim" || (gatesOfTests.has(purpose) && verdict !== "pass"));
}

const gatesOfTests: ReadonlySet<string> = new Set(["red", "green", "final"]);

function isRefusal(key: string, { judged, commands }: RunView): boolean {
  return (
    commands[key]?.command.type === "check" && judged.findLast((one) => one.key === key)?.verdict === "fail"
  );
}
