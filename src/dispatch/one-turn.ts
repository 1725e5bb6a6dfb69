/** Runs one turn of an agent. A family with a silence limit reminds a silent agent during the turn (V3-49, 50). */
import { counted } from "../lib/counted.ts";
import type { Agent, AgentEvent, AgentOutcome, AgentSpec } from "../agents/agent.ts";
import type { EventOf } from "../log/run-event.ts";
import type { FamilyRun } from "../family/family.ts";
import { reminder } from "./prompt/remind.ts";
import { watchSilence, type SilenceWatch } from "./silence.ts";

/** The reminders of a dispatch, over all its turns. */
export interface Nudges {
  readonly max: number;
  readonly given: EventOf<"agent.nudged">[];
  /** Called for each reminder. */
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

/** Counts a reminder. @returns its number, from 1 */
export function nudge({ given, note }: Nudges, key: string): number {
  const reminded = { type: "agent.nudged", key, nudge: given.length + 1 } as const;
  given.push(reminded);
  note(reminded);
  return given.length;
}

export async function oneTurn(request: TurnRequest): Promise<AgentOutcome> {
  const { agent, spec, sink, signal, context } = request;
  const silence = context.family.silence(context.settings);
  if (silence === null) return agent.start(spec, sink, signal);
  const stop = new AbortController();
  const watched: { silence: SilenceWatch | null } = { silence: null };
  const onRunning = (send: (text: string, nth: number) => void): void => {
    watched.silence = watchSilence(context.clock, silence, () => remind(request, send, stop));
  };
  const onEvent = (event: AgentEvent): void => {
    watched.silence?.onEvent(event);
    sink(event);
  };
  const outcome = await agent
    .start({ ...spec, onRunning }, onEvent, AbortSignal.any([signal, stop.signal]))
    .finally(() => watched.silence?.stop());
  if (!stop.signal.aborted || signal.aborted) return outcome;
  const why = `silent after ${counted(request.nudges.max, "reminder")}`;
  return { type: "timeout", text: outcome.text, why, silent: true };
}

function remind(
  { nudges, spec, isDecided }: TurnRequest,
  send: (text: string, nth: number) => void,
  stop: AbortController,
): void {
  if (isDecided()) return;
  if (nudges.given.length >= nudges.max) stop.abort();
  else send(reminder, nudge(nudges, spec.key));
}
