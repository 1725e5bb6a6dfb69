/** `mettle gate` over two commits: its answers, its errors, and that the repository stays unchanged. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readFileSync, readdirSync, readlinkSync } from "node:fs";
import { appendFile, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { parseRecord } from "../../src/evidence/record.ts";
import { GateAnswer } from "../../src/change/answer.ts";
import { newFolder } from "../support/folder.ts";
import { createRepository } from "../support/repository.ts";
import { verifies, verifiesInCi } from "../verifies.ts";
import { changes, changeWorld, startFiles, wrongChecks, type ChangeWorld } from "./change-world.ts";
import { callHere } from "./here.ts";

let world: ChangeWorld;
let marker: string;
let red: string;
let green: string;
beforeAll(async () => {
  const folder = newFolder();
  marker = join(folder, "ran");
  // Writes a file wherever a runner executes it.
  const traced = `${startFiles["test/cart.test.js"]}\nimport { appendFileSync } from "node:fs";\nappendFileSync(${JSON.stringify(marker)}, "x");\n`;
  const files = { ...startFiles, "test/cart.test.js": traced };
  // In a sandbox the marker cannot be written.
  world = await changeWorld(["untested", "refactored"], files, "off");
  const { "test/discount.test.js": tests = null, "src/cart.js": source = null } = changes["honest"] ?? {};
  red = await world.branch("red", "main", { "test/discount.test.js": tests }, "Tests\n\nMettle-Phase: red\n");
  green = await world.branch("green", "red", { "src/cart.js": source });
  await world.branch("cheat", "red", { "src/cart.js": source, "test/discount.test.js": null });
  await world.branch("plain-red", "main", { "test/discount.test.js": tests });
  await world.branch("plain", "plain-red", { "src/cart.js": source });
  await world.branch("other", "main", { "src/other.js": "export const other = 1;\n" });
  await world.repo.git("switch", "--quiet", "other");
  await world.repo.git("merge", "--quiet", "--no-edit", "green");
  await world.repo.git("branch", "merged");
  await world.repo.git("switch", "--quiet", "main");
});
afterAll(() => rm(join(marker, ".."), { recursive: true, force: true }));

const gate = (name: string, head: string, ...more: readonly string[]) =>
  world.ask("gate", name, "--base", "main", "--head", head, ...more);

verifiesInCi(
  "CORE-38",
  "the RED commit is found by its trailer or named, and criteria of a file are checked",
  async () => {
    expect((await gate("green", "plain", "--red", "plain-red")).code).toBe(0);
    const unchecked = await gate("red", "red", "--planned", "src/cart.js");
    expect([unchecked.code, unchecked.answer.findings?.map(({ message }) => message)]).toEqual([
      0,
      expect.arrayContaining(["criteria: not checked"]),
    ]);
    const shown = await world.read(
      "gate",
      "red",
      "--base",
      "main",
      "--head",
      "red",
      "--planned",
      "src/cart.js",
    );
    expect(shown.text).toContain("- criteria: not checked");
    const criteria = join(world.home, "criteria.md");
    await writeFile(criteria, "- FR1: takes a discount\n");
    const checked = await gate("red", "red", "--planned", "src/cart.js", "--criteria", criteria);
    expect([checked.code, wrongChecks(checked.answer)]).toEqual([
      1,
      ["criteria: no new test for FR1; put the id into the title of its test"],
    ]);
  },
  180_000,
);

verifies(
  "CORE-38",
  "the RED commit is found by its trailer, and errors of the call are reported before a test runs",
  async () => {
    const byTrailer = await gate("green", "green");
    expect([byTrailer.code, byTrailer.answer["red"], wrongChecks(byTrailer.answer)]).toEqual([0, red, []]);

    const ran = await readFile(marker, "utf8");
    const refused = async (...args: readonly string[]) => {
      const { code, answer } = await world.ask(...args);
      expect(answer.error?.hint).toMatch(/^.+$/u);
      return [code, answer.error?.code];
    };
    expect(await refused("gate", "green", "--base", "main", "--head", "plain")).toEqual([2, "red_required"]);
    expect(await refused("gate", "red", "--base", "main", "--head", "nowhere")).toEqual([
      2,
      "revision_unknown",
    ]);
    expect(await refused("prove", "--base", "nowhere")).toEqual([2, "revision_unknown"]);
    expect(await refused("gate", "red", "--base", "green", "--head", "plain")).toEqual([
      2,
      "not_a_descendant",
    ]);
    expect(await refused("gate", "green", "--base", "main", "--head", "green", "--red", "plain")).toEqual([
      2,
      "not_a_descendant",
    ]);
    expect(await refused("gate", "merge", "--base", "main", "--head", "green")).toEqual([2, "not_a_merge"]);
    expect(
      await refused("gate", "red", "--base", "main", "--head", "red", "--criteria", "/dev/null"),
    ).toEqual([2, "criteria_invalid"]);
    expect(await refused("gate", "purple", "--base", "main")).toEqual([2, "usage"]);

    const elsewhere = async (cwd: string, ...args: readonly string[]) => {
      const env = { PATH: process.env["PATH"] ?? "", HOME: world.home };
      const { code, stdout } = await callHere([...args, "--json"], { cwd, env });
      return [code, (JSON.parse(stdout) as { error?: { code: string } }).error?.code];
    };
    expect(await elsewhere(world.home, "gate", "red", "--base", "main")).toEqual([2, "not_a_repository"]);
    const untested = await createRepository({ files: { "src/a.js": "export const a = 1;\n" } });
    expect(await elsewhere(untested.dir, "gate", "red", "--base", "HEAD")).toEqual([2, "no_tests"]);
    const shallow = join(world.home, "shallow");
    await world.repo.git(
      "clone",
      "--quiet",
      "--depth=1",
      "--branch=green",
      `file://${world.repo.dir}`,
      shallow,
    );
    for (const name of ["gate red", "prove"])
      expect(await elsewhere(shallow, ...name.split(" "), "--base", red)).toEqual([2, "shallow_clone"]);
    await untested.remove();
    expect(await readFile(marker, "utf8")).toBe(ran);
  },
  180_000,
);

verifiesInCi(
  "CORE-36",
  "each gate judges honest and cheating commits, with an answer of the documented shape and a record",
  async () => {
    const out = join(world.home, "record.json");
    const calls: readonly (readonly [code: number, ...args: readonly string[]])[] = [
      [1, "red", "green"],
      [1, "green", "cheat"],
      [0, "refactor", "refactored"],
      [1, "refactor", "untested"],
      [0, "merge", "merged"],
      [0, "final", "green"],
    ];
    for (const [code, name = "", head = ""] of calls) {
      const called = await gate(name, head, "--out", out);
      expect([name, head, called.code, wrongChecks(called.answer)]).toMatchObject([
        name,
        head,
        code,
        code === 0 ? [] : expect.anything(),
      ]);
      const { version, ...fields } = called.answer;
      const answer = GateAnswer.strict().parse(fields);
      expect(version).toBe(1);
      expect(answer.checks.map((check) => check.name).join()).not.toMatch(/minimal|quality/u);
      expect(Object.keys(answer.numbers)).toEqual(
        expect.arrayContaining(["unexecuted_lines", "new_exports_without_test", "lint", "branches_after"]),
      );
      const record = parseRecord(JSON.parse(await readFile(out, "utf8")));
      expect(record).toMatchObject({ id: answer.record.id, verdict: answer.verdict, purpose: name });
    }
  },
  180_000,
);

describe("a checkout with edits of each kind", () => {
  beforeAll(() => edit(world.repo));

  verifies(
    "CORE-37",
    "a gate leaves the repository byte for byte unchanged, also when it is killed",
    async () => {
      const { repo } = world;
      const before = snapshot(repo.dir);
      const worktrees = await repo.git("worktree", "list");
      await rm(marker);
      const program = join(packageRoot("dist"), "bin", "mettle.cjs");
      const child = spawn(process.execPath, [program, "prove", "--base", "main", "--head", green], {
        cwd: repo.dir,
        env: {
          PATH: process.env["PATH"] ?? "",
          HOME: world.home,
          METTLE_HOME: join(world.home, "state"),
          METTLE_SANDBOX: "off",
          METTLE_MUTATION_BUDGET: "0",
        },
        stdio: "ignore",
      });
      const ended = new Promise((resolve) => child.once("close", resolve));
      for (let tries = 0; tries < 600 && !existsSync(marker); tries += 1)
        await new Promise((resolve) => setTimeout(resolve, 50));
      expect(existsSync(marker)).toBe(true);
      child.kill("SIGKILL");
      await ended;
      expect(snapshot(repo.dir)).toEqual(before);
      expect(await repo.git("worktree", "list")).toBe(worktrees);
      // The next gate removes what the killed one left behind.
      expect((await world.ask("gate", "red", "--base", "main", "--head", "red")).code).toBe(1);
      expect(readdirSync(join(world.home, "state", "gates"))).toEqual([]);
    },
    180_000,
  );

  verifiesInCi(
    "CORE-37",
    "every gate leaves the repository byte for byte unchanged",
    async () => {
      const before = snapshot(world.repo.dir);
      const calls = [
        ["gate", "red", "--base", "main", "--head", "red"],
        ["gate", "green", "--base", "main", "--head", "green"],
        ["gate", "refactor", "--base", "main", "--head", "refactored"],
        ["gate", "merge", "--base", "main", "--head", "merged"],
        ["prove", "--base", "main", "--head", "green"],
      ];
      for (const call of calls) {
        expect((await world.ask(...call)).code).toBeLessThan(2);
        expect([call, snapshot(world.repo.dir)]).toEqual([call, before]);
      }
      expect(readdirSync(join(world.home, "state", "gates"))).toEqual([]);
    },
    180_000,
  );
});

/** Stashed, staged and unstaged edits, a hook, a worktree. */
async function edit(repo: ChangeWorld["repo"]): Promise<void> {
  await repo.write({
    "src/draft.js": "export const draft = 1;\n",
    "src/staged.js": "export const staged = 1;\n",
  });
  await repo.git("stash", "push", "--quiet", "--include-untracked", "--", "src/draft.js");
  await repo.git("add", "src/staged.js");
  await repo.write({ "src/draft.js": "export const draft = 2;\n" });
  await appendFile(join(repo.dir, "src/cart.js"), "// being edited\n");
  await repo.write({ ".git/hooks/pre-commit": "#!/bin/sh\nexit 1\n" });
  await repo.git("worktree", "add", "--quiet", "--detach", join(world.home, "beside"), "main");
}

/** path -> hash of every file of a checkout, its git directory too. */
function snapshot(root: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(root, { recursive: true, encoding: "utf8" })) {
    const stat = lstatSync(join(root, name));
    if (stat.isFile())
      found[name] = createHash("sha256")
        .update(readFileSync(join(root, name)))
        .digest("hex");
    else found[name] = stat.isSymbolicLink() ? readlinkSync(join(root, name)) : "folder";
  }
  return found;
}
