/** Notices that a gate of an Envoy plan was opened or answered, without reading the plan (SEE-06). */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileStamp } from "../../lib/files.ts";
import { gatesFolder } from "../../plans/gates/gate-files.ts";
import { plansIn } from "../../plans/find-plan.ts";

/**
 * Files of gates are put in their place by renaming, so their folder's time changes with each of them.
 * @param folder of the checkout; null: it is gone
 */
export function gatesStamp(folder: string | null): string {
  if (folder === null) return "";
  const plans = plansIn(folder);
  return namesIn(plans)
    .map((name) => fileStamp(gatesFolder({ dir: join(plans, name) })))
    .join(" ");
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return []; // no plan yet
  }
}
