/** `mettle doctor --run` compares the base in a clean checkout with the project's own test command in the user's checkout. */
import { mkdir, writeFile } from "node:fs/promises";
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect } from "vitest";
import { newFolder } from "../support/folder.ts";
import { createRepository, type TempRepository } from "../support/repository.ts";
import { inCi, verifies, verifiesInCi, verifiesWhen } from "../verifies.ts";
import { callHere } from "./here.ts";

const head = 'import test from "node:test";\nimport assert from "node:assert/strict";\n';
const script = (command: string) => JSON.stringify({ type: "module", scripts: { test: command } });
const hasPytest = spawnSync("python3", ["-c", "import pytest"]).status === 0;

interface DoctorRun {
  readonly code: number;
  readonly run: Readonly<Record<string, unknown>>;
  readonly text: string;
}

// Each call runs two suites and the version command of every agent.
describe("doctor --run", () => {
  let home: string;
  const repositories: TempRepository[] = [];
  beforeAll(async () => {
    home = newFolder();
    await mkdir(join(home, "bin"));
    await writeFile(join(home, "bin", "claude"), '#!/bin/sh\necho "2.1.332 (Claude Code)"\n', {
      mode: 0o755,
    });
  });

  /** @param laid uncommitted files */
  const ran = async (
    files: Record<string, string>,
    laid: Record<string, string> = {},
  ): Promise<DoctorRun> => {
    const repository = await createRepository({ files });
    repositories.push(repository);
    for (const [path, text] of Object.entries(laid)) {
      await mkdir(dirname(join(repository.dir, path)), { recursive: true });
      await writeFile(join(repository.dir, path), text);
    }
    const env = {
      PATH: `${join(home, "bin")}:${process.env["PATH"] ?? ""}`,
      HOME: home,
      METTLE_HOME: home,
      ANTHROPIC_API_KEY: "dummy",
    };
    const around = { cwd: repository.dir, env };
    const { code, stdout } = await callHere(["doctor", "--run", "--json"], around);
    const { run } = JSON.parse(stdout) as { run: Record<string, unknown> };
    const isRead = code !== 5 && files["pytest.ini"] === undefined;
    const text = isRead ? (await callHere(["doctor", "--run"], around)).stdout : stdout;
    return { code, run, text };
  };
  const compared = ({ run }: DoctorRun) => (run["packages"] as Record<string, unknown>[])[0];

  verifies(
    "PRV-03",
    "reports agreement if both run the same tests, named by a pattern, with the same results",
    async () => {
      const result = await ran({
        "package.json": script("node --test checks/*.check.js"),
        "checks/a.check.js": `${head}test("one", () => assert.ok(true));\ntest.skip("two", () => assert.ok(true));\n`,
      });
      expect([result.code, result.run]).toMatchObject([0, { unusable: null, agree: true }]);
      expect(compared(result)).toMatchObject({
        command: "npm test",
        differences: [],
        uncompared: null,
        proof: { tests: 2 },
      });
      expect(result.text).toMatch(
        /node:test: 2 tests, exit code 0; `npm test`: 2 tests, exit code 0\n[\s\S]*They agree\.\n$/,
      );
    },
  );

  verifiesInCi(
    "PRV-03",
    "lists a test of an uncommitted file, and one that passes only with a `.env`",
    async () => {
      const result = await ran(
        {
          ".gitignore": ".env\n",
          "package.json": script("node --test"),
          "test/a.test.js": `${head}import { existsSync } from "node:fs";
test("plain", () => assert.ok(true));
test("url", () => {
  if (!existsSync(".env")) throw new Error("the environment variable DATABASE_URL is not set");
});\n`,
        },
        { ".env": "DATABASE_URL=x\n", "test/new.test.js": `${head}test("new", () => assert.ok(true));\n` },
      );
      expect(result.run).toMatchObject({ unusable: null, agree: false });
      expect(compared(result)?.["differences"]).toEqual([
        {
          test: "test/a.test.js::url",
          own: "passed",
          proof: "failed",
          cause: expect.stringMatching(
            /^\.env, which sets DATABASE_URL, is not in the commit: .*tests\.envFile/,
          ),
        },
        {
          test: "test/new.test.js::new",
          own: "passed",
          proof: null,
          cause: "test/new.test.js is not committed, so a clean checkout does not contain it",
        },
      ]);
      expect(result.code).toBe(1);
      expect(result.text).toContain("test/new.test.js::new: yours passed, the proof not run");
    },
  );

  inCi("exits with 5 if no run could begin", async () => {
    const result = await ran(
      {
        ".gitignore": "dist/\n",
        "package.json": script("node --test"),
        "test/a.test.js": `${head}import { built } from "../dist/index.js";\ntest("built", () => assert.ok(built));\n`,
      },
      { "dist/index.js": "export const built = 1;\n" },
    );
    expect([result.code, result.run["agree"]]).toEqual([5, false]);
    expect(result.run["unusable"]).toMatch(/^none of the base commit's own tests passes in a clean checkout/);
    expect(result.run["causes"]).toMatchObject([
      { what: expect.stringMatching(/^dist\/ is ignored by git/) },
    ]);
    expect(compared(result)?.["differences"]).toMatchObject([
      { test: "test/a.test.js::built", own: "passed", proof: null },
    ]);
  });

  verifiesWhen(
    hasPytest,
    "python3 has no pytest",
    "PRV-03",
    "reads the results of pytest, with classes, parameters and a doctest option",
    { tags: "ci" },
    async () => {
      const result = await ran({
        "pytest.ini": "[pytest]\naddopts = --doctest-modules\n",
        "package.json": script("pytest --doctest-glob='*.md'"),
        "README.md": "Like this:\n\n    >>> 1 + 1\n    2\n",
        "thing.py": 'def one():\n    """\n    >>> one()\n    1\n    """\n    return 1\n',
        "tests/test_a.py":
          "import pytest\n\n\nclass TestA:\n    @pytest.mark.parametrize('x', [1, 2])\n    def test_x(self, x):\n        assert x\n\n\ndef test_y():\n    assert True\n",
      });
      expect(compared(result)).toMatchObject({ command: "npm test", uncompared: null });
      expect(compared(result)).toMatchObject({ differences: [], own: { tests: 5 }, proof: { tests: 5 } });
    },
  );
});
