import { initPlan } from "../../../plans/init.ts";
import type { Call, Data } from "../../command.ts";

export async function run({ cwd, path, featureBranch }: Call): Promise<Data> {
  return initPlan({ cwd, path, featureBranch });
}
