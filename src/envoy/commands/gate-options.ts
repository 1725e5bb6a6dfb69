/** Options of commands that may wait for a person. Warnings go to stderr. */
import { printableText } from "../../lib/printable.ts";
import type { PlanLocation } from "../../plans/find-plan.ts";
import { gateOptions } from "../../plans/gates/gate-options.ts";
import type { GateOptions } from "../../plans/gates/wait.ts";
import type { CommandCall } from "../command.ts";

export function gateOptionsOf({ given, waitMs }: CommandCall, plan: PlanLocation): GateOptions {
  return gateOptions(plan, {
    waitMs,
    again: given.flag("again"),
    warn: (line) => process.stderr.write(`${printableText(line)}\n`),
  });
}
