/** Starts frames, opens their dialogues and ends them. The run ends with its root frame. */
import { wordOf } from "../protocol/routes.ts";
import { base } from "./issue.ts";
import type { Ending, Frame, Parent, Passage } from "./state.ts";
import { clear, stopFrame } from "./stop.ts";
import {
  frameOf,
  machineOf,
  newToken,
  ownEntry,
  pushMoves,
  createFrame,
  type Move,
  type Turn,
} from "./turn.ts";
import { eachOf, mainSpot } from "./spots.ts";

export const root = "main";

interface NewFrame {
  readonly id: string;
  readonly machine: string;
  readonly parent: Parent | null;
  readonly passage: Passage;
}

export function beginFrame(turn: Turn, { id, machine, parent, passage }: NewFrame): void {
  const frame = emptyFrame(id, machine, parent);
  createFrame(turn, frame);
  const { session, start } = machineOf(turn, frame);
  if (session !== undefined) openDialogue(turn, frame, session);
  pushMoves(turn, { type: "enter", spot: mainSpot(frame), state: start, passage });
}

export function emptyFrame(id: string, machine: string, parent: Parent | null): Frame {
  return {
    id,
    machine,
    parent,
    token: newToken("main"),
    handler: null,
    counters: {},
    facts: {},
    lists: {},
    unclaimed: null,
    children: {},
    locks: {},
    mailbox: [],
    session: null,
    round: 0,
    outcome: null,
  };
}

/** Opens a new dialogue at round 0. Its id holds the event's unique stamp, and for a child its item. */
export function openDialogue(turn: Turn, frame: Frame, kind: string): void {
  const name = [kind, turn.stamp, ...(frame.parent ? [frame.parent.item] : [])].join("_");
  let session = name;
  for (let n = 2; turn.opened.has(session); n++) session = `${name}.${n}`;
  turn.opened.add(session);
  frame.session = session;
  frame.round = 0;
}

export function endFrame(turn: Turn, { frame, outcome, causes }: Extract<Move, { type: "end" }>): void {
  if (!frame.parent) return finish(turn, ending(outcome));
  stopFrame(turn, frame);
  frame.outcome = outcome;
  frame.token.activity = { type: "ended", outcome, causes };
  const parent = frameOf(turn, frame.parent.frame);
  const child =
    parent && ownEntry(parent.children, frame.parent.each)?.find((each) => each.frame === frame.id);
  if (!parent || !child) return;
  child.outcome = outcome;
  child.causes = causes;
  const spot = eachOf(parent, frame.parent.each);
  if (spot) pushMoves(turn, { type: "judge", spot });
}

export function failRun(turn: Turn, reason: string): void {
  finish(turn, { outcome: "failed", reason });
}

function finish(turn: Turn, end: Ending): void {
  const frame = frameOf(turn, root);
  if (!frame || turn.draft.ended) return;
  clear(turn, frame);
  turn.draft.ended = end;
  frame.outcome = end.outcome;
  frame.token.activity = { type: "ended", outcome: end.outcome, causes: [] };
  turn.agenda = [];
  const reason = end.reason === "" ? {} : { reason: end.reason };
  turn.commands.push({
    type: "finish",
    ...base(turn, mainSpot(frame), "finish"),
    outcome: end.outcome,
    ...reason,
  });
}

function ending(outcome: string): Ending {
  const word = wordOf(outcome);
  const reason = outcome === word ? "" : outcome;
  if (word === "complete" || word === "halted" || word === "failed") return { outcome: word, reason };
  return { outcome: "failed", reason: `the machine ended with ${outcome}, which is no end of a run` };
}
