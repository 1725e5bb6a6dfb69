import { readDesignManifest } from "../../../plans/design-manifest.ts";
import { findPlan } from "../../../plans/find-plan.ts";
import type { CommandCall, Data } from "../../command.ts";

export async function run(call: CommandCall): Promise<Data> {
  return readDesignManifest(await findPlan(call));
}
