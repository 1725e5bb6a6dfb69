/** The dispatch of a command in the seeds' wire form: `QA[S{sid},R0,C1,P:ℜ]`. */
import type { DispatchCommand } from "../../kernel/command.ts";
import type { Protocol } from "../../protocol/machine.ts";
import { printDispatch, type Dispatch } from "../../notation/dispatch-line.ts";
import { findAgent, type AgentMode } from "../../notation/modes.ts";
import { findPhase } from "../../notation/phases.ts";
import type { RunState } from "../../kernel/state.ts";
import { cycleNumber } from "./cycle.ts";

interface DispatchContext {
  readonly session: { readonly state: RunState };
  readonly protocol: Pick<Protocol, "roles">;
}

/** Null in a protocol without modes. */
export function dispatchLine(context: DispatchContext, command: DispatchCommand): string | null {
  const dispatch = dispatchOf(context, command);
  return dispatch === null ? null : printDispatch(dispatch);
}

export function dispatchOf(context: DispatchContext, command: DispatchCommand): Dispatch | null {
  const agent = agentOf(context.protocol, command);
  if (agent === null) return null;
  const cycle = cycleNumber(context, command);
  const phase = command.phase === undefined ? null : findPhase(command.phase);
  const ctx = contextOf(context, command);
  const takes = (name: string): boolean => command.params.includes(name);
  return {
    agent,
    ...(takes("S") ? { sid: command.session ?? "" } : {}),
    ...(takes("R") ? { round: command.round } : {}),
    ...(takes("C") && cycle !== null ? { cycle } : {}),
    ...(takes("P") && phase !== null ? { phase } : {}),
    ...(ctx === "" ? {} : { ctx }),
  };
}

/** The agent that is addressed: QA and DE in the cycles, elsewhere the mode. */
export function agentOf({ roles }: Pick<Protocol, "roles">, command: DispatchCommand): AgentMode | null {
  const own = roles[command.role]?.label ?? "";
  const name = own === "QA" || own === "DE" ? own : (command.mode ?? "");
  return findAgent(name, "riper");
}

/** `Λ₂:auth` for the module of an audit; elsewhere the context of the state. */
function contextOf({ session }: DispatchContext, command: DispatchCommand): string {
  const module = command.params.includes("CTX")
    ? session.state.frames[command.frame]?.parent?.item
    : undefined;
  return [command.ctx, module].filter((part) => part !== undefined).join(":");
}
