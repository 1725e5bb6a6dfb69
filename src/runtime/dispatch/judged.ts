import type { DispatchCommand } from "../../kernel/command.ts";
import type { RunContext } from "../context.ts";

/** Whether a gate executes what the agent left next, when its dispatch ends like this. */
export function isJudgedNext(
  { session }: RunContext,
  { state, frame }: DispatchCommand,
  outcome: string,
): boolean {
  return Object.values(session.protocol.machines).some((machine) => {
    if (frame === "main" && machine.name !== "main") return false;
    const found = machine.states[state];
    const route = found?.on[outcome] ?? found?.on[outcome.split(".")[0] ?? outcome];
    return route?.to.type === "state" && machine.states[route.to.state]?.kind === "check";
  });
}
