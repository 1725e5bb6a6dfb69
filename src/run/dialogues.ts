/**
 * The dialogues that a kernel step opens and closes, and the Main Thread's observations in them (RIPER and DPTR,
 * SESSION_INIT and ADD). Written in one append with the step's events, so that nothing is duplicated.
 */
import type { SideWrites } from "../journal/journal.ts";
import type { NewObservation } from "../journal/observations.ts";
import type { RunEvent } from "../log/run-event.ts";
import type { RunState } from "../kernel/state.ts";
import type { Step } from "../kernel/step.ts";
import { excerptOf } from "../lib/text.ts";
import type { DialogueEntry } from "../log/dialogues.ts";

/** The Main Thread's agent name in observations. */
export const mainThread = "MT";

export interface DialogueEffects {
  readonly facts: readonly RunEvent[];
  readonly sideWrites: SideWrites;
}

interface StepContext {
  /** Dialogues before the step. */
  readonly sessions: readonly DialogueEntry[];
  readonly step: Step;
  /** The texts of the step's notes. */
  readonly notes: readonly string[];
}

export function dialogueFacts({ sessions, step, notes }: StepContext): DialogueEffects {
  const opens = step.opened.flatMap((name) => {
    const kind = kinds[name.split("_")[0] ?? ""];
    return kind === undefined ? [] : [{ name, kind }];
  });
  const observations = step.notes.flatMap(({ session, round }, index) =>
    session === null ? [] : [{ session, round, agent: mainThread, content: notes[index] ?? "" }],
  );
  const open = [
    ...sessions.filter((entry) => entry.open).map(({ session }) => session),
    ...opens.map(({ name }) => name),
  ];
  const closes = open.filter((session) => !isAlive(step.state, session));
  const isNew = ({ session }: NewObservation) => opens.some(({ name }) => name === session);
  return {
    facts: [
      ...observations.filter((entry) => !isNew(entry)).map(observedFact),
      ...opens.map(({ name, kind }): RunEvent => ({ type: "session.opened", session: name, kind })),
      ...observations.filter(isNew).map(observedFact),
      ...closes.map((session): RunEvent => ({ type: "session.closed", session })),
    ],
    sideWrites: { opens, observations, closes },
  };
}

const kinds: Readonly<Record<string, "plan_loop" | "tdd_loop">> = { PLAN: "plan_loop", TDD: "tdd_loop" };

export function observedFact({ session, round, agent, content }: NewObservation): RunEvent {
  return {
    type: "observed",
    session,
    round,
    agent,
    excerpt: excerptOf(content, 200),
    bytes: Buffer.byteLength(content),
  };
}

/** A cycle's dialogue lasts as long as its frame, the plan's dialogue until the cycles start. */
function isAlive({ ended, frames }: RunState, session: string): boolean {
  const frame = Object.values(frames).findLast((each) => each.session === session);
  if (ended !== null || frame === undefined || frame.outcome !== null) return false;
  return frame.parent !== null || frame.token.kind !== "each";
}
