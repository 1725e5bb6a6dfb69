/** Numbered phases: when one is complete, and which record proves it (ORC-06, ORC-42). */
import { AppError } from "../lib/errors.ts";
import type { Command } from "../kernel/command.ts";
import type { RunEvent } from "../log/run-event.ts";
import type { RunView } from "../log/run-view.ts";
import type { Settlement } from "./settlement.ts";

interface PhaseStep {
  readonly view: RunView;
  readonly key: string;
  readonly settlement: Settlement;
  readonly commands: readonly Command[];
  readonly proof: string | null;
}

/** The `phase.completed` events of one step. A numbered phase never advances without a proof. */
export function completedPhases({ view, key, settlement, commands, proof }: PhaseStep): readonly RunEvent[] {
  const from = view.commands[key]?.command;
  const phase = from?.phase;
  if (phase === undefined || from?.type !== "check") return [];
  const forward = commands.some((command) =>
    command.type === "finish"
      ? command.outcome === "complete"
      : phaseNumber(command.phase) > phaseNumber(phase) && phaseNumber(phase) > 0,
  );
  if (!forward || settlement.outcome !== "pass") return [];
  if (proof === null)
    throw new AppError("internal", `phase ${phase} cannot be completed without an evidence record`, {
      hint: "this is a fault of Mettle; please report it with the run's log",
    });
  return [{ type: "phase.completed", phase, record: proof }];
}

/** 7 for `7 TDD_GREEN`; 0 for a phase without a number. */
export function phaseNumber(phase: string | undefined): number {
  return Number(/^(\d+) /.exec(phase ?? "")?.[1] ?? 0);
}
