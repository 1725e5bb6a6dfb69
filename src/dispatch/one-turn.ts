/** One turn of an agent. Where silence is reminded, it is watched, where it can be told something meanwhile (V3-49, 50). */
import { counted } from "../lib/counted.ts";
import type { Agent, AgentEvent, AgentOutcome, AgentSpec } from "../agents/agent.ts";
import type { EventOf } from "../log/run-event.ts";
import type { FamilyRun } from "../family/family.ts";
import { reminder } from "./prompt/remind.ts";
import { watchSilence, type SilenceWatch } from "./silence.ts";

/** The reminders of a dispatch, in whatever turn they came. */
export interface Nudges {
  readonly max: number;
  readonly given: EventOf<"agent.nudged">[];
  /** Hears of each. */
  readonly note: (reminder: EventOf<"agent.nudged">) => void;
}

export interface TurnRequest {
  readonly context: FamilyRun;
  readonly agent: Agent;
  readonly spec: AgentSpec;
  readonly sink: (event: AgentEvent) => void;
  readonly signal: AbortSignal;
  readonly nudges: Nudges;
  readonly isDecided: () => boolean;
}

/** Counts it, and returns which one it is. */
export function nudge({ given, note }: Nudges, key: string): number {
  const reminded = { type: "agent.nudged", key, nudge: given.length + 1 } as const;
  given.push(reminded);
  note(reminded);
  return given.length;
}

export async function oneTurn(turning: TurnRequest): Promise<AgentOutcome> {
  const { agent, spec, sink, signal, context } = turning;
  const silence = context.family.silence(context.settings);
  if (silence === null) return agent.start(spec, sink, signal);
  const stop = new AbortController();
  const watched: { silence: SilenceWatch | null } = { silence: null };
  const onRunning = (tell: (text: string, nth: number) => void): void => {
    watched.silence = watchSilence(context.clock, silence, () => remind(turning, tell, stop));
  };
  const heard = (event: AgentEvent): void => {
    watched.silence?.onEvent(event);
    sink(event);
  };
  const outcome = await agent
    .start({ ...spec, onRunning }, heard, AbortSignal.any([signal, stop.signal]))
    .finally(() => watched.silence?.stop());
  if (!stop.signal.aborted || signal.aborted) return outcome;
  const why = `silent after ${counted(turning.nudges.max, "reminder")}`;
  return { type: "timeout", text: outcome.text, why, silent: true };
}

function remind(
  { nudges, spec, isDecided }: TurnRequest,
  tell: (text: string, nth: number) => void,
  stop: AbortController,
): void {
  if (isDecided()) return;
  if (nudges.given.length >= nudges.max) stop.abort();
  else tell(reminder, nudge(nudges, spec.key));
}
