// The folders in which pictures are made: a bundled repository with a state home of its own, and an environment that is the same
// everywhere.
import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/root.mjs";

export const program = join(root, "dist/bin/mettle.cjs");
/** What the pictured runs are asked, and what the person answers to their questions. */
export const task = "Add slugify(text) that turns a title into a URL slug";
export const answers = [
  "titles of articles",
  "letters, digits, hyphens",
  "an empty slug",
  "no",
  "when its tests pass",
];

/** Without a sandbox, which not every machine has. */
export function mettleEnv(place) {
  const identity = { GIT_AUTHOR_NAME: "You", GIT_AUTHOR_EMAIL: "you@example.org" };
  return {
    ...identity,
    GIT_COMMITTER_NAME: identity.GIT_AUTHOR_NAME,
    GIT_COMMITTER_EMAIL: identity.GIT_AUTHOR_EMAIL,
    PATH: process.env.PATH,
    HOME: place,
    TMPDIR: place,
    METTLE_HOME: join(place, "state"),
    METTLE_SANDBOX: "off",
  };
}

/** @returns the folder of a repository like that of the protocol's demo */
export function demoRepository(place, protocol) {
  const folder = join(place, protocol === "graph" ? "shop" : "words");
  cpSync(join(root, "protocols", protocol, "demo/repository"), folder, { recursive: true });
  const git = (...words) => execFileSync("git", ["-C", folder, ...words], { env: mettleEnv(place) });
  git("init", "-q", "-b", "main");
  git("add", "--all");
  git("commit", "-q", "-m", "Start");
  return folder;
}
