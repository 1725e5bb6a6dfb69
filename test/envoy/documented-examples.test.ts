/** Runs the console examples of docs/envoy.md in a shell. */
import { spawnSync } from "node:child_process";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { newFolder } from "../support/folder.ts";
import { createGateWorld, type GateWorld } from "./gate-world.ts";
import { inCi } from "../verifies.ts";

let world: GateWorld;
let bin = "";
let page = "";
beforeAll(async () => {
  world = await createGateWorld();
  await world.reset();
  page = await readFile("docs/envoy.md", "utf8");
  const [, careful = ""] = /^```\n(name: careful\n[\s\S]*?)^```$/mu.exec(page) ?? [];
  await world.repository.write({ ".claude/protocols/careful.yaml": careful });
  for (const variant of ["A", "B", "C"]) {
    const worktree = await world.prompt(`1 ${variant}`);
    if (variant === "A") await world.implement(`1 ${variant}`, worktree);
  }
  await world.review("1 A");
  bin = newFolder();
  for (const name of ["envoy", "mettle"]) {
    const program = packageRoot("dist", "bin", `${name}.cjs`);
    await writeFile(join(bin, name), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
    await chmod(join(bin, name), 0o755);
  }
});

inCi("each line prints the output that the page shows", () => {
  const [, shown = ""] = /^```console\n(# All steps[\s\S]*?)^```$/mu.exec(page) ?? [];
  const env = { ...world.env, PATH: `${bin}:${world.env["PATH"] ?? ""}` };
  const points = shown.split(/^# /mu).slice(1);
  expect(points).toHaveLength(10);
  for (const point of points) {
    const [title = "", ...entries] = point.split(/^\$ /mu);
    expect([title, entries.length]).not.toEqual([title, 0]);
    for (const entry of entries) {
      const [line = "", ...expected] = entry.split("\n");
      const ran = spawnSync("bash", ["-c", line], {
        cwd: world.repository.dir,
        env,
        encoding: "utf8",
        timeout: 60_000,
      });
      expect([line, ran.stderr, ran.stdout.trimEnd()]).toEqual([line, "", expected.join("\n").trimEnd()]);
    }
  }
});
