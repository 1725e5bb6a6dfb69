import { readDesignManifest } from "../../../plans/design-manifest.ts";
import { findPlan } from "../../../plans/find-plan.ts";
import type { Call, Data } from "../../command.ts";

export async function run(call: Call): Promise<Data> {
  return readDesignManifest(await findPlan(call));
}
