/** A failing hook never blocks a session (CORE-88). */
import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { createRepository } from "../support/repository.ts";
import { verifies, verifiesInCi } from "../verifies.ts";
import { openSession, type HookSession } from "./session.ts";

let session: HookSession;
let facts: string;
beforeAll(async () => {
  session = await openSession("dptr");
  await session.referee.enter({ mode: "Ω₁ᴾ", ctx: "Add slugify(text)" });
  await session.bind();
  facts = join(session.world.host.home.root, "referee.json");
});

const write = (more = {}) =>
  session.hook("PreToolUse:Write", { tool_name: "Write", tool_input: { file_path: "src/a.js" }, ...more });
const passes = { code: 0, stdout: "" };
const hookErrors = async () =>
  (await session.events()).flatMap((event) =>
    event.type === "warned" && event.code === "hook_error" ? [event.message] : [],
  );

verifies(
  "CORE-88",
  "it acts only for the session bound to a run, and holds a stop once in a row",
  async () => {
    expect((await write()).denied).toMatch(/writes nothing/u);
    expect(await write({ session_id: "foreign" })).toMatchObject(passes);
    expect(await session.hook("Stop", { session_id: "foreign" })).toMatchObject(passes);
    expect((await session.hook("Stop")).held).toContain("Ω₁ᴾ[]");
    expect(await session.hook("Stop", { stop_hook_active: true })).toMatchObject(passes);
  },
);

verifiesInCi(
  "CORE-88",
  "broken input and a broken state home let the call pass; the journal and the next status report it",
  async () => {
    const good = await readFile(facts, "utf8");
    for (const input of ["", "{", "[]", "null", '{"hook_event_name":', "\u0000"])
      expect(await session.pipe(input), input).toMatchObject(passes);
    for (const broken of ["{", "[]", '{"version":2}', "\u0000\u0001"]) {
      await writeFile(facts, broken);
      expect(await write(), broken).toMatchObject(passes);
      expect(await session.hook("Stop"), broken).toMatchObject(passes);
    }
    await writeFile(facts, good);
    expect((await write()).denied).toMatch(/writes nothing/u);
    expect(await hookErrors()).toEqual([]);
    const { run } = await session.referee.status();
    const [lastError = ""] = await hookErrors();
    expect(lastError).toMatch(/^a hook failed \d+ times and let the call pass; last: .*referee\.json/u);
    const shown = (await session.world.cli(["status", run ?? "", "--json"])).json() as unknown as {
      readonly runs: readonly { readonly warnings: readonly string[] }[];
    };
    expect(shown.runs[0]?.warnings).toContain(lastError);
    await session.referee.status();
    expect(await hookErrors()).toEqual([lastError]);
  },
);

verifiesInCi("CORE-88", "it answers within two seconds, even without input", async () => {
  const began = performance.now();
  const child = spawn(process.execPath, [packageRoot("dist/bin/mettle.cjs"), "hook"], {
    cwd: session.world.repository.dir,
    env: { PATH: process.env["PATH"], METTLE_HOME: session.world.home },
    stdio: ["pipe", "pipe", "ignore"],
  });
  let output = "";
  child.stdout.on("data", (part) => (output += String(part)));
  const code = await new Promise((resolve) => child.once("exit", (exit) => resolve(exit)));
  expect(performance.now() - began).toBeLessThan(2_000 + 500);
  expect(output).toBe("");
  // Exit code 2 would block.
  expect(code).not.toBe(2);
  await session.referee.status();
  expect((await hookErrors()).at(-1)).toContain("no answer within");
});

test("a complete object is answered before the end of the input", async () => {
  const child = spawn(process.execPath, [packageRoot("dist/bin/mettle.cjs"), "hook"], {
    cwd: session.world.repository.dir,
    env: { PATH: process.env["PATH"], METTLE_HOME: session.world.home },
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.write(
    JSON.stringify({ hook_event_name: "SessionStart", session_id: "x", cwd: session.world.repository.dir }),
  );
  let output = "";
  child.stdout.on("data", (part) => (output += String(part)));
  expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(0);
  expect(output).toContain("mode Ω₁ᴾ");
});

test("a hook is silent in a repository without a run, outside a repository, and in an agent's process", async () => {
  const other = await createRepository();
  const start = (cwd: string) => JSON.stringify({ hook_event_name: "SessionStart", session_id: "x", cwd });
  expect(await session.pipe(start(other.dir))).toMatchObject(passes);
  expect(await session.pipe(start("/nowhere/at/all"))).toMatchObject(passes);
  const env = { METTLE_SOCKET: "/nowhere", METTLE_TOKEN: "none" };
  expect(await session.pipe(start(session.world.repository.dir), [], env)).toMatchObject(passes);
  expect((await session.pipe(start(session.world.repository.dir))).context).toContain("mode Ω₁ᴾ");
});
