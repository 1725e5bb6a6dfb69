import type { DispatchCommand } from "../../kernel/command.ts";
import { wordOf } from "../../protocol/routes.ts";

/** Codes that every dispatch may give. */
export const always: readonly string[] = ["BL", "ME", "TO", "EX"];

/** Codes an agent may report here: the state's own, and the ones every dispatch may give. Hints are the runtime's to add. */
export function allowedCodes(command: Pick<DispatchCommand, "reports">): readonly string[] {
  return [...new Set([...command.reports.map((code) => wordOf(code)), ...always])];
}

/** Ω₁ᴾ is played in the agent's own plan mode (RIPER and DPTR, "CC Plan Mode Integration"). */
export function plansIn({ mode }: Pick<DispatchCommand, "mode">): boolean {
  return mode === "Ω₁ᴾ";
}
