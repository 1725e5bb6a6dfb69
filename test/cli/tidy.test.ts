/**
 * After init, a run, init --remove and clean, a repository and a home are as before.
 * @module-tag ci
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, readlink } from "node:fs/promises";
import { join, relative } from "node:path";
import { beforeAll, describe, expect } from "vitest";
import { createWorld, golden, untestedFiles } from "../orchestrate/world.ts";
import { verifies } from "../verifies.ts";
import { callIn } from "./here.ts";
import { createStage, questions, type CallResult, type Stage } from "./stage.ts";

describe("a repository in which Mettle was used", () => {
  let stage: Stage;
  let run = "";
  let before: Snapshot;
  let during: Snapshot;
  let listed: CallResult;
  /** File names before and after the dry run. */
  let unchanged: readonly (readonly (readonly string[])[])[];
  let removed: CallResult;
  let after: Snapshot;
  beforeAll(async () => {
    stage = await createStage({ ...(await untestedFiles()), ...shortProtocol });
    await stage.play();
    before = await snapshot(stage);
    expect((await stage.here(["init"])).code).toBe(0);
    const begun = await stage.here([
      "run",
      "Add tests of slugify",
      "--protocol",
      "short",
      "--agent",
      stage.agent,
      "--json",
    ]);
    run = String(JSON.parse(begun.stdout).run);
    const answered = await stage.here(["answer", run, ...questions]);
    expect(answered.code, answered.stderr).toBe(0);
    // As gates leave them.
    for (const name of ["answers/a", "mutants/m", "gates"])
      await mkdir(join(stage.home, "state", name), { recursive: true });
    during = await snapshot(stage);
    expect((await stage.here(["init", "--remove"])).code).toBe(0);
    const still = await snapshot(stage);
    listed = await stage.here(["clean", "--all"]);
    unchanged = [names(still), names(await snapshot(stage))];
    removed = await stage.here(["clean", "--all", "--yes"]);
    after = await snapshot(stage);
  });

  verifies(
    "CORE-101",
    "is as before, and so is the home, apart from the unmerged branch with the work, which is named first",
    async () => {
      const work = `refs/heads/mettle/${run}/work`;
      expect(Object.keys(during.home).length).toBeGreaterThan(Object.keys(before.home).length + 20);
      expect(Object.keys(during.tree).length).toBeGreaterThan(Object.keys(before.tree).length + 5);

      expect([listed.code, removed.code]).toEqual([0, 0]);
      expect(unchanged[1]).toEqual(unchanged[0]);
      expect(listed.stdout.split("\n")[0]).toBe(`stays, since it is not merged: ${work}`);
      expect(listed.stdout).toMatch(/^remove +\S+\/state\//mu);
      expect(listed.stdout).toContain("nothing was removed; add --yes to remove it");
      expect(removed.stdout.split("\n")[0]).toBe(`stays, since it is not merged: ${work}`);

      const { [work]: branch, ...refs } = after.refs;
      expect(branch).toMatch(/^[0-9a-f]{40}$/u);
      expect({ ...after, refs }).toEqual(before);
    },
  );
});

const template = (role: string) => `---\nrole: ${role}\ntools: Read\n---\nDo your part.\n`;

/** Ends after the tests. */
const shortProtocol = {
  ".mettle/protocols/short.yaml": `version: 1
protocol: short
kind: machine
extends: base
roles:
  intake: { writes: documents, template: intake }
  planner: { writes: documents, template: planner }
  tester: { writes: tests, template: tester }
gates:
  topics: [pass, fail, inconclusive]
  spec: [pass, fail, inconclusive]
  architecture: [pass, fail, inconclusive]
  red: [pass, fail, inconclusive]
machines:
  main:
    like: base
    start: intake
    states:
      intake: { dispatch: intake, reports: [QUESTIONS, WRITTEN], on: { QUESTIONS: topics, WRITTEN: spec } }
      topics: { check: topics, on: { pass: questions, fail: trouble } }
      questions: { ask: Questions, on: { answered: intake } }
      spec: { check: spec, on: { pass: planner, fail: trouble } }
      planner: { dispatch: planner, reports: [WRITTEN], on: { WRITTEN: plan } }
      plan: { check: architecture, on: { pass: tester, fail: trouble } }
      tester: { dispatch: tester, reports: [RC], on: { RC: red } }
      red: { check: red, on: { pass: ^complete, fail: trouble } }
`,
  ".mettle/templates/intake.md": template("intake"),
  ".mettle/templates/planner.md": template("planner"),
  ".mettle/templates/tester.md": template("tester"),
};

interface Snapshot {
  /** Path -> content of the repository's files. */
  readonly tree: Readonly<Record<string, string>>;
  /** The same of git's folder, without objects and the content of refs. */
  readonly git: Readonly<Record<string, string>>;
  readonly refs: Readonly<Record<string, string>>;
  readonly home: Readonly<Record<string, string>>;
}

/** Without contents, since reading the journal changes its file; without the files of SQLite beside it, which exist until a connection is collected. */
function names(all: Snapshot): readonly (readonly string[])[] {
  return Object.values(all).map((part: Readonly<Record<string, string>>) =>
    Object.keys(part).filter((name) => !/\.db-(shm|wal)$/u.test(name)),
  );
}

async function snapshot({ repository, home }: Stage): Promise<Snapshot> {
  const lines = await repository.git("for-each-ref", "--format=%(refname) %(objectname)");
  return {
    tree: await contents(repository.dir, (path) => !/^\.git(\/|$)/u.test(path)),
    git: await contents(
      join(repository.dir, ".git"),
      (path) => !/^(objects|refs|logs)(\/|$)|^packed-refs$/u.test(path),
    ),
    refs: Object.fromEntries(lines.split("\n").map((line) => line.split(" "))),
    home: await contents(home, () => true),
  };
}

/** Path -> hash of its content; folders too, to find empty ones. */
async function contents(root: string, wanted: (path: string) => boolean): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(root, path);
    if (!wanted(name)) continue;
    if (entry.isDirectory()) found[name] = "folder";
    else if (entry.isSymbolicLink()) found[name] = await readlink(path);
    else
      found[name] = createHash("sha256")
        .update(await readFile(path))
        .digest("hex");
  }
  return found;
}

verifies(
  "CORE-72",
  "the agents' homes of an ended run are removed, after a dry run that lists them; those of an active run stay",
  async () => {
    const world = await createWorld();

    const [ended, running] = [await world.start(await golden()), await world.start(await golden())];
    const { homes, worktrees } = world.host.home;
    expect((await callIn(world, ["abort", ended, "--reason", "enough"])).code).toBe(1);
    const all = [ended, running].map((run) => join(worktrees, run, "work"));
    for (const path of all) await world.repository.git("worktree", "add", "--quiet", "--detach", path);
    for (const run of [ended, running]) await mkdir(join(homes, run, "coder-1"), { recursive: true });
    const dry = await callIn(world, ["clean", "--dry-run"]);
    expect(dry.stdout).toContain(`remove  ${all[0]}\n`);
    expect([(await readdir(homes)).length, all.every((path) => existsSync(path))]).toEqual([2, true]);
    expect((await callIn(world, ["clean"])).stdout).toContain(`removed ${all[0]}\n`);
    expect([await readdir(homes), all.map((path) => existsSync(path))]).toEqual([[running], [false, true]]);
  },
);
