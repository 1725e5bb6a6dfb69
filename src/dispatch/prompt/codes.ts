import type { DispatchCommand } from "../../kernel/command.ts";
import { wordOf } from "../../protocol/routes.ts";

/** Codes that every dispatch may report. */
export const always: readonly string[] = ["BL", "ME", "TO", "EX"];

/** Codes that an agent may report: those of its state without their suffixes, which only the runtime adds, and the common ones. */
export function allowedCodes(command: Pick<DispatchCommand, "reports">): readonly string[] {
  return [...new Set([...command.reports.map((code) => wordOf(code)), ...always])];
}

/** Whether the agent works in its plan mode: mode Ω₁ᴾ (RIPER and DPTR, "CC Plan Mode Integration"). */
export function plansIn({ mode }: Pick<DispatchCommand, "mode">): boolean {
  return mode === "Ω₁ᴾ";
}
