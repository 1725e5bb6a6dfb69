import { variable } from "../../../config/env.ts";
import { openRepository } from "../../../git/repository.ts";
import { diffBase } from "../../../plans/diff-base.ts";
import type { Call, Data } from "../../command.ts";

export async function run({ given, cwd, path }: Call): Promise<Data> {
  return diffBase(await openRepository(cwd, { path }), {
    base: variable("BASE_BRANCH"),
    path: given.text("path"),
    summary: given.flag("summary"),
  });
}
