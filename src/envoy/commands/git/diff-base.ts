import { variable } from "../../../config/env.ts";
import { diffBase } from "../../../plans/worktree/diff-base.ts";
import type { CommandCall, Data } from "../../command.ts";
import { checkoutOf } from "../on-prompt.ts";

export async function run(call: CommandCall): Promise<Data> {
  const { given } = call;
  return diffBase(await checkoutOf(call), {
    base: variable("BASE_BRANCH"),
    path: given.text("path"),
    summary: given.flag("summary"),
  });
}
