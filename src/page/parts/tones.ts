/** Every verdict and state that a page marks, with its word, its symbol and its colour. */
import type { NodeModel, StateModel } from "../../views/model/run-model.ts";
import type { PhaseModel, StepModel } from "../../views/model/step-model.ts";
import type { CheckModel, ReviewModel } from "../../views/model/verdict-model.ts";

export type Tone =
  | CheckModel["mark"]
  | PhaseModel["state"]
  | StateModel["status"]
  | StepModel["state"]
  | ReviewModel["verdict"]
  | NodeModel["mark"];

type Colour = "good" | "bad" | "unsure" | "busy" | "quiet";

export const words: Readonly<Record<Tone, string>> = {
  pass: "passed",
  fail: "refused",
  inconclusive: "not judged",
  review: "for a reviewer",
  done: "done",
  failed: "failed",
  running: "running",
  waiting: "waits",
  stopped: "stopped",
  cancelled: "cancelled",
  blocked: "blocked",
  complete: "complete",
  halted: "halted",
  open: "at work",
  queued: "not begun",
  APPROVED: "approved",
  NEEDS_WORK: "needs work",
  empty: "no review",
};

export const classOf: Readonly<Record<Tone, Colour>> = {
  pass: "good",
  fail: "bad",
  inconclusive: "unsure",
  review: "unsure",
  done: "good",
  failed: "bad",
  running: "busy",
  waiting: "unsure",
  stopped: "quiet",
  cancelled: "quiet",
  blocked: "bad",
  complete: "good",
  halted: "bad",
  open: "busy",
  queued: "quiet",
  APPROVED: "good",
  NEEDS_WORK: "bad",
  empty: "unsure",
};

const ofColour: Readonly<Record<Colour, string>> = {
  good: "✓",
  bad: "✗",
  unsure: "?",
  busy: "●",
  quiet: "–",
};

export const symbols: Readonly<Record<Tone, string>> = {
  ...(Object.fromEntries(Object.entries(classOf).map(([tone, colour]) => [tone, ofColour[colour]])) as Record<
    Tone,
    string
  >),
  waiting: "◔",
  stopped: "■",
};
