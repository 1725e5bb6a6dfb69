import { initPlan } from "../../../plans/init.ts";
import type { CommandCall, Data } from "../../command.ts";

export async function run({ cwd, path, featureBranch }: CommandCall): Promise<Data> {
  return initPlan({ cwd, path, featureBranch });
}
