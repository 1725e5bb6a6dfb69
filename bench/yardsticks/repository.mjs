// Scratch repositories: outside of the material's folder, which is read only.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export function git(folder, args) {
  return execFileSync("git", args, {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 256 << 20,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      GIT_AUTHOR_NAME: "Person",
      GIT_AUTHOR_EMAIL: "person@localhost",
      GIT_COMMITTER_NAME: "Person",
      GIT_COMMITTER_EMAIL: "person@localhost",
    },
  });
}

export function write(folder, files) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** A new repository with its first commit. */
export function createRepository(folder, files) {
  mkdirSync(folder, { recursive: true });
  git(folder, ["init", "--quiet", "--initial-branch=main"]);
  return commit(folder, { files, from: null });
}

/** Commits files on top of another commit. @returns the commit */
export function commit(folder, { files, from }) {
  if (from !== null) git(folder, ["checkout", "--quiet", "--detach", from]);
  write(folder, files);
  git(folder, ["add", "--all"]);
  git(folder, ["commit", "--quiet", "--allow-empty", "--message=State"]);
  return git(folder, ["rev-parse", "HEAD"]).trim();
}

/** The version of the material: its commit and date, if it is a repository. */
export function versionOf(folder) {
  try {
    return git(folder, ["log", "-1", "--format=%H, %as"]).trim();
  } catch {
    return "no repository";
  }
}
