/** What an earlier version left goes on: a run in the middle of each system, made by scripts/earlier-runs.mjs. */
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import type { Recorded } from "../../src/log/run-event.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { openHost } from "../../src/run/host.ts";
import { parseSettings } from "../../src/config/settings.ts";
import { callHere } from "../cli/here.ts";
import { eventsOf } from "../orchestrate/world.ts";
import { newFolder } from "../support/folder.ts";
import { inCi } from "../verifies.ts";

const read = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url));

const middles = {
  orchestrate: "green#1",
  riper: "cycles/C1/green#1",
  dptr: "cycles/C1/green#1",
  graph: "work/children/children/money/impl#1",
  implementation: "gate#1",
} as const;

for (const [system, open] of Object.entries(middles))
  inCi(`a run of ${system} that an earlier version left in the middle is taken to its end`, async () => {
    const root = unpack(system);

    const env = {
      PATH: process.env["PATH"] ?? "",
      HOME: root,
      METTLE_HOME: join(root, "state"),
      METTLE_SANDBOX: "off",
      METTLE_MUTATION_BUDGET: "0",
    };
    const cwd = join(root, "repository");
    const mettle = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await callHere([...args, "--json"], { cwd, env });
      return { code, json: JSON.parse(stdout) as Record<string, unknown>, stderr };
    };
    const before = await mettle("status");
    const [{ run = "" } = {}] = before.json["runs"] as { run?: string }[];
    const left = await journal(cwd, env, run);
    const done = new Set(eventsOf(left, "result").map(({ key }) => key));
    const started = eventsOf(left, "command.issued").map(({ key }) => key);
    expect(started.filter((key) => !done.has(key))).toContain(open);

    if (system === "implementation")
      expect(await mettle("answer", "1_testing", "--set", "test_passed=true")).toMatchObject({ code: 0 });
    const resumed = await mettle("resume", run);
    expect([resumed.code, resumed.json["status"], resumed.json["error"]], resumed.stderr).toEqual([
      0,
      "complete",
      undefined,
    ]);

    const all = await journal(cwd, env, run);
    expect(all.slice(0, left.length)).toEqual(left);
    const results = eventsOf(all, "result").map(({ key }) => key);
    expect(new Set(results).size).toBe(results.length);
    expect(await mettle("verify", run)).toMatchObject({ code: 0, json: { verdict: "pass" } });
    // A record that the earlier version sealed.
    for (const { id } of eventsOf(left, "record.written").slice(0, 1))
      expect(await mettle("show", id)).toMatchObject({ code: 0 });
    expect((await mettle("show", `${run}/cassette`)).code).toBe(0);
  });

test("settings of an earlier version are read", () => {
  expect(parseSettings(read("settings.yaml").toString("utf8"))).toMatchObject({ version: 1 });
});

/** Lays a run elsewhere than it was begun, as somebody does who moves a repository with its state home. */
function unpack(system: string): string {
  const root = newFolder();
  execFileSync("tar", ["-xf", "-", "-C", root], { input: brotliDecompressSync(read(`${system}.tar.br`)) });
  for (const name of readdirSync(root, { recursive: true, encoding: "utf8" })) {
    const file = join(root, name);
    if (/(?:^|\/)(?:\.git|mettle-id|gitdir|git-dir)$/u.test(name) && statSync(file).isFile())
      writeFileSync(file, readFileSync(file, "utf8").replaceAll("@ROOT@", root));
  }
  return root;
}

async function journal(
  cwd: string,
  env: Readonly<Record<string, string>>,
  run: string,
): Promise<readonly Recorded[]> {
  const host = await openHost(cwd, env);
  try {
    return (await host.journal.read(run)).map(recorded);
  } finally {
    await host.journal.close();
  }
}
