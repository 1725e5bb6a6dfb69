/** Does one command of the kernel on this machine, and journals its result. */
import { assertNever } from "../lib/assert-never.ts";
import type { Command } from "../kernel/command.ts";
import type { FamilyRun } from "../family/family.ts";
import { runDispatch } from "../dispatch/dispatch.ts";
import { removeSaid, saidFile } from "../run/live/said-file.ts";
import type { Settlement } from "../run/settlement.ts";
import { runCheck } from "./checks/run-check.ts";
import { failureSettlement } from "./failed-command.ts";

/**
 * Does a command.
 * @param signal ends its agents and tests
 * @returns its result; null if it was stopped and is still to be done; `journaled` if another process did it and journaled the result
 */
export type Performer = (
  context: FamilyRun,
  command: Command,
  signal: AbortSignal,
) => Promise<Settlement | null | "journaled">;

export async function perform(
  context: FamilyRun,
  command: Command,
  signal: AbortSignal,
): Promise<Settlement | null> {
  switch (command.type) {
    case "dispatch":
      return runDispatch(context, command, signal);
    case "check":
    case "merge":
    case "rebase":
      return runCheck(context, command, signal);
    case "timer":
      await context.clock.sleep(command.ms, signal);
      return signal.aborted ? null : { outcome: "fired" };
    case "ask":
    case "spawn":
    case "cancel":
    case "finish":
      return null;
    default:
      return assertNever(command);
  }
}

/** Journals a result, then updates the documents in the main checkout. */
export async function settle(context: FamilyRun, key: string, settlement: Settlement): Promise<void> {
  await context.session.settle(key, settlement).catch((error: unknown) => {
    const failed = failureSettlement(context, key, error);
    if (failed === null) throw error;
    return context.session.settle(key, failed);
  });
  // The journal has the output now.
  await removeSaid(saidFile(context.home, context.run, key));
  await context.family.writeDocuments(context);
}
