/**
 * The post-checkout hook of `init --envoy`: creates a plan for each feature branch that is checked out. An existing hook is kept
 * beside it and called first, and its exit code is kept; Mettle's hook never fails a checkout.
 */
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text, tryGit } from "../../git/git.ts";
import { inStore, type Repository } from "../../git/repository.ts";
import { AppError } from "../../lib/errors.ts";
import { exists } from "../../lib/files.ts";
import { protectedBranches } from "../../plans/find-plan.ts";
import { readPlainFile } from "../../lib/plain-file.ts";

/** The path in messages. */
export const hookPath = ".git/hooks/post-checkout";
const earlierName = "post-checkout.before-mettle";

export type HookChange =
  | { readonly type: "written" | "removed" | "kept" | "nothing" }
  /** git uses another folder for hooks, in which Mettle writes nothing. */
  | { readonly type: "elsewhere"; readonly folder: string };

export async function installHook(repository: Repository, dryRun: boolean): Promise<HookChange> {
  const elsewhere = await hooksPath(repository);
  if (elsewhere !== null) return { type: "elsewhere", folder: elsewhere };
  const { hook, earlier } = pathsOf(repository);
  const there = await readPlainFile(hook);
  if (there === hookText()) return { type: "kept" };
  // A changed hook, or one beside an earlier hook, belongs to the user.
  if (there?.includes(earlierName) === true || (there !== null && (await exists(earlier))))
    return { type: "kept" };
  if (dryRun) return { type: "written" };
  try {
    await mkdir(join(repository.gitDir, "hooks"), { recursive: true });
    if (await exists(hook)) await rename(hook, earlier);
    await writeFile(hook, hookText(), { flag: "wx", mode: 0o755 });
  } catch (cause) {
    throw new AppError("state_unwritable", `${hookPath} cannot be written`, {
      hint: "make the repository's files writable, then run init again",
      cause,
    });
  }
  return { type: "written" };
}

export async function removeHook(repository: Repository, dryRun: boolean): Promise<HookChange> {
  const { hook, earlier } = pathsOf(repository);
  const there = await readPlainFile(hook);
  if (there === null || !there.includes(earlierName)) return { type: "nothing" };
  if (there !== hookText()) return { type: "kept" };
  if (!dryRun) {
    await rm(hook);
    if (await exists(earlier)) await rename(earlier, hook);
  }
  return { type: "removed" };
}

function pathsOf({ gitDir }: Repository) {
  return { hook: join(gitDir, "hooks", "post-checkout"), earlier: join(gitDir, "hooks", earlierName) };
}

async function hooksPath(repository: Repository): Promise<string | null> {
  const config = await tryGit(inStore(repository), ["config", "--local", "--get", "core.hooksPath"]);
  return config.exitCode === 0 && text(config.stdout) !== "" ? text(config.stdout) : null;
}

/** git passes 1 as the third argument if a branch was checked out, 0 for files. */
function hookText(): string {
  return `#!/bin/sh
# Written by \`mettle init --envoy\`: a plan for each feature branch. \`mettle init --remove\` takes it out.
earlier="$(dirname "$0")/${earlierName}"
code=0
if [ -x "$earlier" ]; then
  "$earlier" "$@"
  code=$?
fi
if [ "$3" = 1 ] && branch=$(git symbolic-ref --quiet --short HEAD) && command -v mettle >/dev/null 2>&1; then
  case "$branch" in
    ${[...protectedBranches].join(" | ")}) ;;
    quick/* | curator/* | *--implementation-* | */implementation-*) ;;
    *) mettle envoy plan init --feature-branch "$branch" </dev/null >/dev/null 2>&1 || : ;;
  esac
fi
exit "$code"
`;
}
