/** `envoy plan init`: creates the plan folder of a branch, ignored by git. */
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { headsPrefix, resolveCommit } from "../git/repository.ts";
import { settledHome } from "../git/settle-store.ts";
import { withLock } from "./lock.ts";
import { findFeatureBranch, findFolder, plansFolder, type PlanLookup } from "./find-plan.ts";
import { newPlan } from "./plan.ts";
import { withPlan, writePlanFile } from "./write.ts";

const folders = ["prompts", "findings", "design", "user_feedback"];

export async function initPlan(where: PlanLookup) {
  const { repository, branch } = await findFeatureBranch(where);
  await resolveCommit(repository, headsPrefix + branch);
  await settledHome(repository, { cwd: where.cwd });
  const plans = plansFolder(repository);
  await mkdir(plans, { recursive: true });
  return withLock(join(plans, ".lock"), async () => {
    await writePlanFile(plans, ".gitignore", "*\n");
    const { dir, owner } = await findFolder(repository, branch);
    for (const folder of folders) await mkdir(join(dir, folder), { recursive: true });
    await withPlan({ dir }, async () => removeTempFiles(dir));
    if (owner === null) {
      // `plan.md` comes last: it marks the folder as taken.
      await writePlanFile(dir, "user_input.md", "");
      await writePlanFile(dir, "plan.md", newPlan(branch));
    }
    return { branch, plan_dir: dir, created: owner === null };
  });
}

/** Removes the temporary files of killed writers. */
async function removeTempFiles(dir: string): Promise<void> {
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && /^\..+\.[a-z0-9]+\.tmp$/u.test(entry.name))
      await rm(join(entry.parentPath, entry.name), { force: true });
}
