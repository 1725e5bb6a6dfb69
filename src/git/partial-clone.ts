/** Fetches missing objects of a partial clone with the user's settings and login, which other calls do not use. */
import { counted } from "../lib/counted.ts";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../lib/errors.ts";
import { git, text, tryGit } from "./git.ts";
import { asUser, inStore, type Repository } from "./repository.ts";

/** Fetches all objects of a commit; does nothing in a full clone. */
export async function fetchMissing(repository: Repository, commit: string): Promise<void> {
  const remote = await promisorOf(repository);
  if (remote === null) return;
  // Fetched trees may reveal more missing objects.
  for (let round = 0; round < maxRounds; round += 1) {
    const missing = await missingIn(repository, commit);
    if (missing.length === 0) return;
    await fetchObjects(repository, { remote, commit, missing });
  }
}

const maxRounds = 50;
const timeoutMs = 900_000;

async function promisorOf(repository: Repository): Promise<string | null> {
  const config = await readFile(join(repository.gitDir, "config"), "utf8").catch(() => ""); // git reports the reason
  if (!/promisor|partialclone/i.test(config)) return null;
  const args = ["config", "--name-only", "--get-regexp", "^remote\\..*\\.promisor$"];
  const [key] = text((await tryGit(asUser(repository), args)).stdout).split("\n");
  return key === undefined || key === "" ? null : key.slice("remote.".length, -".promisor".length);
}

async function missingIn(repository: Repository, commit: string): Promise<readonly string[]> {
  const args = ["rev-list", "--objects", "--no-walk", "--missing=print", "--end-of-options", commit];
  const listed = text(await git(inStore(repository), args));
  return listed.split("\n").flatMap((line) => (line.startsWith("?") ? [line.slice(1)] : []));
}

/** Fetches like git does for a missing object. */
async function fetchObjects(
  repository: Repository,
  {
    remote,
    commit,
    missing,
  }: { readonly remote: string; readonly commit: string; readonly missing: readonly string[] },
): Promise<void> {
  const args = [
    "fetch",
    "--quiet",
    "--no-tags",
    "--no-write-fetch-head",
    "--recurse-submodules=no",
    "--filter=blob:none",
  ];
  const answer = await tryGit(asUser(repository), [...args, "--stdin", remote], {
    settings: ["fetch.negotiationAlgorithm=noop"],
    input: missing.map((id) => `${id}\n`).join(""),
    timeoutMs,
  });
  if (answer.exitCode === 0) return;
  const why = answer.stderr.trim().split("\n").at(-1) ?? "";
  throw new AppError(
    "objects_missing",
    `this is a partial clone, and ${counted(missing.length, "object")} of ${commit.slice(0, 8)} cannot be fetched from ${remote}: ${why}`,
    { hint: `make \`git fetch ${remote}\` work here, or clone again without --filter`, retry: "safe" },
  );
}
