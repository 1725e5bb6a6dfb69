/** Writes a gate's file, and updates it as long as no person has edited it. */
import type { Clock } from "../../lib/clock.ts";
import {
  gateFile,
  logsFile,
  logsIn,
  logsTemplate,
  readOpening,
  readText,
  template,
  writeLogs,
  writeOpening,
  type Opening,
} from "./gate-files.ts";
import type { PlanGate } from "./gate.ts";

/** The caller holds the gates' lock. */
export async function writeGateFile<Fields extends object>(
  gate: PlanGate<Fields>,
  clock: Clock,
): Promise<Opening> {
  const { plan, name, shown, logsHead } = gate;
  const before = await readOpening(plan, name);
  const text = await readText(gateFile(plan, name));
  const fresh: Opening = {
    shown,
    opened_at: before?.opened_at ?? new Date(clock.now()).toISOString(),
    template: template(gate),
  };
  if (logsHead !== null) {
    const logs = await readText(logsFile(plan, name));
    const head = logsTemplate(logsHead);
    if (logs === null || (logs !== head && logsIn(logs) === "")) await writeLogs(plan, name, head);
  }
  // A person's edit answers what that person was shown.
  if (text !== null && text !== before?.template) return before ?? fresh;
  if (text !== fresh.template || before?.shown.key !== shown.key) await writeOpening(plan, name, fresh);
  return fresh;
}
