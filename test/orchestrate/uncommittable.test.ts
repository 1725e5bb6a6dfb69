/**
 * One run in which agents write files that no commit may or can hold: encrypted by git-crypt, kept by LFS, 500 MB
 * large, or ignored by `.gitignore`. Each is refused with its path and reason, and the run continues to a result that
 * lands. Then a session is entered and a branch compared in a checkout with changed secrets.
 */
import { openRun } from "../../src/families/open-run.ts";
import { shippedFamilies } from "../../src/families/families.ts";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { rescue } from "../../src/git/rescue.ts";
import { headCommit } from "../../src/git/repository.ts";
import { diffBase } from "../../src/plans/worktree/diff-base.ts";
import { landRun } from "../../src/verify/land-run.ts";
import { startRun } from "../../src/engine/start/start-run.ts";
import { newFolder } from "../support/folder.ts";
import { verifiesWhen } from "../verifies.ts";
import { act, slugify } from "./turns.ts";
import {
  createWorld,
  eventsOf,
  golden,
  untestedFiles,
  type CassetteFile,
  type TurnFile,
  type World,
} from "./world.ts";

const usersSecret = "plain-text-of-the-user";
const agentsSecret = "plain-text-of-an-agent";
const ignoreLine = ".gitignore:2 (lib/) ignores it";

async function cassette(): Promise<CassetteFile> {
  const { roles, ...rest } = await golden();
  const [plan] = roles.planner;
  const planning = (path: string, expects: string[]) => ({
    ...(JSON.parse(JSON.stringify(plan).replace("`src/slugify.js`", `\`${path}\``)) as TurnFile),
    expects,
  });
  return {
    ...rest,
    roles: {
      ...roles,
      planner: [
        planning("src/lib/slugify.js", []),
        planning("src/secrets/token.js", [`src/lib/slugify.js: ${ignoreLine}`]),
        planning("src/slugify.js", ["src/secrets/token.js: git stores it through the filter git-crypt"]),
      ],
      coder: [
        act("GC", {
          write: {
            "src/secrets/token.js": agentsSecret,
            "src/a.bin": agentsSecret,
            "src/.envrc": agentsSecret,
            "src/notes.txt": agentsSecret,
          },
          shell: "truncate -s 500M src/big.js; mkfifo src/.gitattributes",
        }),
        {
          ...act("GC", { write: { "src/lib/slugify.js": slugify.right } }),
          expects: ["filtered_path", "src/secrets/token.js (git stores it", "src/big.js"],
        },
        { ...act("GC", { write: { "src/slugify.js": slugify.right } }), expects: [ignoreLine] },
      ],
    },
  };
}

/** A repository with git-crypt, LFS and the user's own ignore rules. */
async function worldOfUser(home: string): Promise<World> {
  const user = { HOME: home, GIT_CONFIG_GLOBAL: join(home, ".gitconfig"), GIT_CONFIG_NOSYSTEM: "1" };
  const world = await createWorld({ ...(await untestedFiles()), ".gitignore": "dist\nlib/\n" }, user);
  const { dir } = world.repository;
  const options = { cwd: dir, env: { ...user, PATH: process.env["PATH"] ?? "" }, stdio: "pipe" as const };
  const git = (...args: string[]) => execFileSync("git", args, options);
  execFileSync("git-crypt", ["init"], options);
  git("lfs", "install", "--skip-repo");
  git("config", "--global", "core.excludesFile", "~/ignore");
  await writeFile(join(home, "ignore"), ".envrc\n");
  await world.repository.write({ ".git/info/exclude": "notes.txt\n" });
  await world.repository.write({
    ".gitattributes": "src/secrets/** filter=git-crypt\n*.bin filter=lfs -text\n",
    "src/secrets/old.js": usersSecret,
    "assets/old.bin": usersSecret,
    ".envrc": usersSecret,
    "notes.txt": usersSecret,
  });
  git("add", "--all");
  git("-c", "user.name=P", "-c", "user.email=p@localhost", "commit", "-qm", "Keep secrets");
  return world;
}

const stored = ({ repository }: World) =>
  execFileSync("git", ["cat-file", "--batch-all-objects", "--batch"], {
    cwd: repository.dir,
    maxBuffer: 1 << 28,
  }).toString("latin1");

async function stateOf({ home }: World): Promise<string> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith("cassette-"))
    .map((entry) => join(entry.parentPath, entry.name));
  return files.map((file) => readFileSync(file, "latin1")).join("\n");
}

const has = (program: string) =>
  (process.env["PATH"] ?? "").split(":").some((folder) => existsSync(join(folder, program)));

verifiesWhen(
  has("git-crypt") && has("git-lfs"),
  "git-crypt or git-lfs is not installed",
  "PRV-09",
  "what a filter or an ignore rule of the user keeps out is in no object and no payload after a run, its landing, a session, a comparison and a rescue; what an agent wrote of it is refused by name (faults S1, S2, S7, D6)",
  { tags: "ci", timeout: 180_000 },
  async () => {
    const home = newFolder();
    const world = await worldOfUser(home);

    const { run, end, events } = await world.go(await cassette());
    expect(end).toMatchObject({ type: "ended", outcome: "complete" });
    const left = eventsOf(events, "files.left_out").map(({ files }) => files);
    expect(left.map((files) => files.map(({ path, reason }) => [path, reason]))).toEqual([
      [
        ["src/big.js", "too_large"],
        ["src/a.bin", "filter"],
        ["src/secrets/token.js", "filter"],
        ["src/.envrc", "ignored"],
        ["src/notes.txt", "ignored"],
      ],
      [["src/lib/slugify.js", "ignored"]],
    ]);
    const refused = eventsOf(events, "gate.judged").filter(({ verdict }) => verdict === "fail");
    expect(
      refused.map(({ gate, reasons }) => [gate, ...reasons.map((reason) => reason.split(":")[0])]),
    ).toEqual([
      ["architecture", "planned_files"],
      ["architecture", "planned_files"],
      ["green", "filtered_path", "left_out"],
      ["green", "paths", "required", "ignored"],
    ]);

    await landRun(await openRun(world.host, { run }));
    const { repository } = world.host;
    await world.repository.write({
      "src/secrets/old.js": `${usersSecret} changed`,
      "src/secrets/new.js": `${usersSecret} is new`,
      "assets/old.bin": `${usersSecret} changed`,
    });
    const session = { task: "Go on", protocol: "riper", agents: {}, preapproved: [], demo: false };
    await startRun(world.host, { ...session, front: "referee" }, shippedFamilies);
    const { diff, changed_files } = await diffBase(repository, {
      base: "main",
      path: null,
      summary: false,
    });
    expect(changed_files.map(({ path }) => path)).toEqual([
      "assets/old.bin",
      "src/secrets/new.js",
      "src/secrets/old.js",
    ]);
    expect(diff).not.toContain(usersSecret);
    const work = { workspace: repository.root, base: await headCommit(repository) };
    await rescue(repository, { run, key: "k", reason: "r", work, dateMs: 0 });

    expect(stored(world)).not.toContain(usersSecret);
    expect(stored(world)).not.toContain(agentsSecret);
    expect(await stateOf(world)).not.toContain(usersSecret);
    expect(await stateOf(world)).not.toContain(agentsSecret);
  },
);
