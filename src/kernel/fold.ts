/** The state of a run is the fold of its events. */
import type { Protocol } from "../protocol/machine.ts";
import type { KernelEvent } from "./event.ts";
import type { RunState } from "./state.ts";
import { init, step } from "./step.ts";

export function fold(protocol: Protocol, events: Iterable<KernelEvent>): RunState {
  let state = init(protocol);
  for (const event of events) state = step(protocol, state, event).state;
  return state;
}
