/** The `envoy` on PATH: one file that prints shipped protocols and loads the full program for everything else. */
import { spawnSync } from "node:child_process";
import { copyFile, mkdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { newFolder } from "../support/folder.ts";
import { createEnvoyWorld, file, type EnvoyWorld } from "./world.ts";
import { inCi } from "../verifies.ts";

let world: EnvoyWorld;
/** A package with this file and its data, without the full program. */
let alone = "";
beforeAll(async () => {
  world = await createEnvoyWorld();
  alone = newFolder();
  await mkdir(join(alone, "dist", "bin"), { recursive: true });
  for (const name of ["envoy.cjs", "steps.json"])
    await copyFile(packageRoot("dist", "bin", name), join(alone, "dist", "bin", name));
  await symlink(packageRoot("protocols"), join(alone, "protocols"));
});

function start(root: string, words: readonly string[], cwd = world.repository.dir) {
  const env = { PATH: process.env["PATH"] ?? "", HOME: world.repository.dir };
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, "dist", "bin", "envoy.cjs"), ...words],
    { cwd, env, encoding: "utf8" },
  );
  return { code: status, stdout, stderr };
}

const usual = (words: readonly string[], cwd?: string) => start(packageRoot(), words, cwd);

inCi(
  "a shipped protocol needs neither the parser nor the program, from a worktree and with an identical copy",
  async () => {
    const { repository } = world;
    const inputs = '{"prompt_num":1,"feature_branch":"feature/x","variant":null}';
    await repository.write({
      "deep/er/x": "",
      ".claude/protocols/implementation.yaml": await readFile(
        packageRoot("protocols", "envoy", "implementation.yaml"),
      ),
    });
    const worktree = join(repository.dir, ".claude", "tree");
    await repository.git("worktree", "add", "--quiet", "--detach", worktree);
    const lines = [
      ["protocol", "implementation"],
      ["protocol", "debugging", "--json"],
      ["protocol", "implementation", "--inputs", inputs],
    ];
    for (const line of lines) {
      const expected = await world.call(line);
      expect(expected.code).toBe(0);
      for (const cwd of [repository.dir, join(repository.dir, "deep", "er"), worktree])
        expect(start(alone, line, cwd)).toEqual(expected);
    }
  },
);

inCi("changed protocols and all errors are answered by the program", async () => {
  const { repository } = world;
  await repository.write({ ".mettle/protocols/own.yaml": file("own", "  1: |\n    Do it\n") });
  for (const line of [
    ["protocol", "own"],
    ["protocol", "nothing"],
    ["protocol", "../x"],
    ["protocol", "implementation", "--inputs", "{}"],
    ["protocol", "--jsno", "implementation"],
    ["protocol", "--help"],
  ])
    expect(usual(line)).toEqual(await world.call(line));

  // A changed base counts like a changed protocol.
  await repository.write({
    ".claude/protocols/implementation.yaml": file("implementation", "  1: |\n    Other words\n"),
  });
  const line = ["protocol", "debugging"];
  const changed = await world.call(line);
  expect([changed.code, changed.stderr.includes("append_to_missing_step")]).toEqual([2, true]);
  expect(usual(line)).toEqual(changed);
  expect(start(alone, line).stderr).toContain("ERR_MODULE_NOT_FOUND");
});

inCi("in a nested repository and outside of every repository git decides", async () => {
  const { repository } = world;
  await repository.write({
    ".claude/protocols/implementation.yaml": file("implementation", "  1: |\n    Of the outer one\n"),
  });
  await repository.git("init", "--quiet", "inner");
  const inner = join(repository.dir, "inner");
  for (const cwd of [inner, alone, join(repository.dir, ".git"), join(repository.dir, ".git", "refs")]) {
    const expected = await world.call(["protocol", "implementation"], { cwd });
    expect([cwd, expected.stdout.includes("Of the outer one")]).toEqual([cwd, false]);
    expect(usual(["protocol", "implementation"], cwd)).toEqual(expected);
  }
});
