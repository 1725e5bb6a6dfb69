/** The commands on the plan as a whole. */
import { readDesignManifest } from "../../../plans/design-manifest.ts";
import { findPlan } from "../../../plans/find-plan.ts";
import { initPlan } from "../../../plans/init.ts";
import { nextPrompts } from "../../../plans/next.ts";
import { writePlan } from "../../../plans/plan.ts";
import { readNumber } from "../../../plans/prompt/prompt-id.ts";
import type { CommandCall, Data } from "../../command.ts";

export async function init({ cwd, path, featureBranch }: CommandCall): Promise<Data> {
  return initPlan({ cwd, path, featureBranch });
}

export async function write(call: CommandCall): Promise<Data> {
  const { given } = call;
  return writePlan(await findPlan(call), {
    title: given.need("title"),
    objective: given.need("objective"),
    context: given.need("context"),
  });
}

export async function next(call: CommandCall): Promise<Data> {
  const requested = readNumber(call.given.text("number") ?? "1");
  return nextPrompts(await findPlan(call), requested);
}

export async function readDesign(call: CommandCall): Promise<Data> {
  return readDesignManifest(await findPlan(call));
}
