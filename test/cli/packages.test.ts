/** `mettle run` and `mettle doctor` with packages that have different runners. */
import { spawn, spawnSync } from "node:child_process";
import { mkdir, readFile, writeFile, readlink, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { newFolder } from "../support/folder.ts";
import { createRepository, type TempRepository } from "../support/repository.ts";
import { inCi, verifies, verifiesWhen } from "../verifies.ts";
import { callHere } from "./here.ts";

const both = '{ "devDependencies": { "vitest": "4", "jest": "30" } }';
const workspace = {
  "package.json": '{ "private": true }',
  "pnpm-workspace.yaml": "packages: [packages/*]\n",
  "packages/api/package.json": both,
  "packages/api/test/a.test.js": "test();\n",
  "packages/web/package.json": both,
  "packages/web/test/a.test.js": "test();\n",
  "tool/pyproject.toml": "",
  "tool/tests/test_a.py": "import unittest\n",
};
const task = ["run", "@orchestrate add", "--agent", "scripted:nowhere.yaml"];

let repository: TempRepository;
let home: string;

beforeEach(async () => {
  repository = await createRepository({ files: { ...workspace, ".gitignore": "node_modules\n" } });
  home = newFolder();
});

const around = () => ({
  cwd: repository.dir,
  env: {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    METTLE_HOME: join(home, "state"),
    METTLE_SANDBOX: "off",
    METTLE_MUTATION_BUDGET: "0",
    NO_COLOR: "1",
  },
});

verifies(
  "CORE-21",
  "two equal candidates in a package are refused without a terminal, with exit 2 and their names",
  async () => {
    const { code, stderr } = await callHere(task, around());
    expect([code, stderr]).toEqual([
      2,
      [
        "error[runner_ambiguous]: several test runners are possible in packages/api: vitest, jest",
        'hint: name one in mettle.yaml: `packages: { "packages/api": "vitest" }`',
        "",
      ].join("\n"),
    ]);
  },
);

const hasScript =
  spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes("util-linux") === true;

verifiesWhen(
  hasScript,
  "script(1) is needed to make a terminal",
  "CORE-21",
  "at a terminal each ambiguity is one question, and the answer is added to mettle.yaml",
  { tags: "ci", timeout: 60_000 },
  async () => {
    const shared = join(repository.dir, "shared.yaml");
    await writeFile(shared, "# Ours.\nversion: 1\n", { mode: 0o640 });
    await symlink("shared.yaml", join(repository.dir, "mettle.yaml"));
    expect(await answerAtTerminal()).toEqual([
      "several test runners are possible in packages/api: vitest, jest",
      "several test runners are possible in packages/web: vitest, jest",
    ]);
    const settings = await readFile(join(repository.dir, "mettle.yaml"), "utf8");
    expect(settings).toBe("# Ours.\nversion: 1\npackages:\n  packages/api: vitest\n  packages/web: vitest\n");
    expect(await readlink(join(repository.dir, "mettle.yaml"))).toBe("shared.yaml");
    expect((await stat(shared)).mode & 0o777).toBe(0o640);
    const again = await callHere(task, around());
    expect(again.stderr).toMatch(
      /^error\[runner_not_found\]: vitest is the runner of packages\/api, but it is not/u,
    );
  },
);

inCi(
  "doctor reports the runner of each package, and a package of mettle.yaml that does not exist",
  async () => {
    for (const folder of ["api", "web"]) {
      const place = join(repository.dir, "packages", folder, "node_modules/jest");
      await mkdir(place, { recursive: true });
      await writeFile(join(place, "package.json"), '{ "version": "99.8.7" }');
    }
    await writeFile(
      join(repository.dir, "mettle.yaml"),
      "version: 1\npackages: { packages/api: jest, packages/web: jest }\n",
    );
    const lines = async () => {
      const { stdout } = await callHere(["doctor"], around());
      return stdout.split("\n").flatMap((line) => /^. runner +(.*)$/u.exec(line)?.[1] ?? []);
    };
    expect(await lines()).toEqual([
      expect.stringMatching(/^tool: unittest \d\S*, detected$/u),
      "packages/api: jest 99.8.7, set in mettle.yaml",
      "packages/web: jest 99.8.7, set in mettle.yaml",
    ]);
    await writeFile(join(repository.dir, "mettle.yaml"), "version: 1\npackages: { packages/apy: jest }\n");
    expect(await lines()).toEqual(["mettle.yaml names the package packages/apy, which holds no file"]);
  },
);

/** Chooses the first answer of each question. @returns the questions */
async function answerAtTerminal(): Promise<readonly string[]> {
  const words = [process.execPath, packageRoot("dist/bin/mettle.js"), ...task].map((word) => `'${word}'`);
  // In a terminal without a width each letter would be on a line.
  const argv = ["-qec", `stty cols 120 rows 40; ${words.join(" ")}`, "/dev/null"];
  const child = spawn("script", argv, { ...around(), timeout: 50_000 });
  const questions: string[] = [];
  let shown = "";
  child.stdout.on("data", (chunk: Buffer) => {
    shown += chunk.toString();
    const question = /◆ +(.*?)\r?\n[^]*Enter: confirm/u.exec(shown)?.[1];
    if (question === undefined) return;
    shown = "";
    questions.push(question);
    child.stdin.write("\r");
  });
  await new Promise((resolve) => child.on("close", resolve));
  return questions;
}
