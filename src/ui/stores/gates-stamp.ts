/** Notices that a gate of an Envoy plan was opened or answered, without reading the plan (SEE-06). */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
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
    .map((name) => timeOf(gatesFolder({ dir: join(plans, name) })))
    .join(" ");
}

function timeOf(folder: string): string {
  try {
    const { ino, mtimeNs } = statSync(folder, { bigint: true });
    return `${ino}:${mtimeNs}`;
  } catch {
    return "-"; // a plan without gates, or a file beside the plans
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return []; // no plan yet
  }
}
