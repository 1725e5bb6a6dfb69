/** Sandbox rules for an agent that works on an Envoy prompt: its folder, home and socket, and a read-only git (ENV-87). */
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { inStore, type Repository } from "../../git/repository.ts";
import { git } from "../../git/git.ts";
import type { Rule } from "../../process/sandbox/confinement.ts";
import type { RunContext } from "../../run/context.ts";
import { ownPlaces, type WorkspaceAccess } from "./workspace-rules.ts";

export async function promptRules(
  { repository }: RunContext,
  working: WorkspaceAccess,
): Promise<readonly Rule[]> {
  const { home, workspace } = working;
  const config = join(dirname(home), `${workspace.name}.gitconfig`);
  await writeFile(config, await plainConfig(repository));
  return [
    ...(await ownPlaces(repository, working)),
    // The worktree is a branch of the plan, so other commits are no secret, unlike between roles of a test-driven run.
    { type: "readable", at: repository.gitDir },
    { type: "readable", at: join(repository.gitDir, "config"), from: config },
  ];
}

/** The configuration that git needs to read the repository, without addresses and logins of remotes. */
async function plainConfig(repository: Repository): Promise<string> {
  const listed = await git(inStore(repository), ["config", "--local", "--null", "--list"]);
  const entries = listed
    .toString("utf8")
    .split("\0")
    .flatMap((entry) => {
      const [, section = "", name = "", value = ""] =
        /^(core|extensions)\.([a-z]+)\n([^"\\\n]*)$/u.exec(entry) ?? [];
      return section === "" ? [] : [`[${section}]\n\t${name} = "${value}"\n`];
    });
  return entries.join("");
}
