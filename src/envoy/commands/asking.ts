/** A command that may ask a person: what it says meanwhile stands on stderr. */
import { printed } from "../../lib/printed.ts";
import type { PlanPlace } from "../../plans/place.ts";
import { askingHere } from "../../plans/gates/asking.ts";
import type { Asking } from "../../plans/gates/wait.ts";
import type { Call } from "../command.ts";

export function askingOf({ given, waitMs }: Call, plan: PlanPlace): Asking {
  return askingHere(plan, {
    waitMs,
    again: given.flag("again"),
    warn: (line) => process.stderr.write(`${printed(line)}\n`),
  });
}
