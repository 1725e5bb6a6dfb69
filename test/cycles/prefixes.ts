/** The state of a run after each of its events: its journal is read again, one event longer each time. */
import type { Recorded } from "../../src/log/run-event.ts";
import type { Protocol } from "../../src/protocol/machine.ts";
import type { ActiveState } from "../../src/memory/bank/active-state.ts";
import type { BankProgress } from "../../src/memory/bank/progress-text.ts";
import { Session } from "../../src/run/session.ts";
import type { RunContext } from "../../src/run/context.ts";
import { activeState, openDispatch } from "../../src/families/cycles/active-state.ts";
import { dispatchLine } from "../../src/families/cycles/dispatch-line.ts";
import { progressOf } from "../../src/families/cycles/progress.ts";
import { recorded } from "../../src/run/list-runs.ts";
import type { DriveResult, World } from "../orchestrate/world.ts";

export interface StateAfterEvent {
  /** The newest event. */
  readonly event: Recorded;
  /** The open dispatch in wire form. */
  readonly line: string | null;
  /** σ₄ and σ₅. */
  readonly state: ActiveState;
  readonly progress: BankProgress;
}

export async function statesAfterEvents(
  world: World,
  { run, context }: DriveResult,
): Promise<readonly StateAfterEvent[]> {
  const stored = await world.host.journal.read(run);
  let upTo = 1;
  const journal: typeof world.host.journal = {
    ...world.host.journal,
    read: (_run, after = 0) => Promise.resolve(stored.slice(after, upTo)),
  };
  const load = async (ref: string) => JSON.parse(await context.payloads.text(ref)) as Protocol;
  const session = await Session.open(run, { ...context.session.ports, journal }, load);
  const found: StateAfterEvent[] = [];
  for (const [index, event] of stored.map(recorded).entries()) {
    upTo = index + 1;
    await session.refresh();
    const then: RunContext = { ...context, session };
    const [state, progress] = [await activeState(then), await progressOf(then)];
    found.push({ event, line: openLine(then), state, progress });
  }
  return found;
}

function openLine(context: RunContext): string | null {
  const open = openDispatch(context);
  return open === null ? null : dispatchLine(context, open);
}
