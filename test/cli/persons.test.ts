/** Callers that are not a person: processes that Mettle started, even detached ones, and the model of a session. */
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { run } from "../../src/process/run.ts";
import { createWorld, golden, type World } from "../orchestrate/world.ts";
import { hooksIn } from "../hooks/session.ts";
import { callIn } from "./here.ts";
import { inCi } from "../verifies.ts";

let world: World;
let waiting = "";
beforeAll(async () => {
  world = await createWorld();
  const agent = await world.agent(await golden());
  const started = await callIn(world, ["run", "@orchestrate x", "--agent", agent, "--json"]);
  waiting = String(started.json()["run"]);
  const answers = ["Q1", "Q2", "Q3", "Q4", "Q5"].map((id) => `${id}=yes`);
  expect((await callIn(world, ["answer", waiting, ...answers])).code).toBe(3);
});

const refused = "error[agent_cannot_approve]";
/** Each command by which a person decides. */
const decisions: readonly (readonly string[])[] = [
  ["approve"],
  ["approve", "1_A", "--gate", "review", "--reason", "x"],
  ["reject", "--reason", "x"],
  ["answer", "RUN", "Q1=x"],
  ["answer", "RUN", "--spec", "spec.yaml"],
  ["answer", "1_A_testing", "--set", "test_passed=true"],
  ["resume", "RUN", "--reset", "HEAD"],
  ["resume", "RUN", "--context", "x"],
  ["resume", "RUN", "--approach", "x"],
  ["resume", "RUN", "--set", "limits.green=9"],
  ["resume", "RUN", "--agent", "coder=codex"],
  ["abort", "RUN"],
  ["land"],
  ["run", "@orchestrate y", "--land"],
  ["run", "@orchestrate y", "--approve", "plan"],
  ["run", "@orchestrate y", "--approve", "plan,code", "--land"],
  ["clean", "--all", "--yes"],
  ["ui", "--no-open"],
];
const marks: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "an agent": { METTLE_DISPATCH: "x:1" },
  "what a gate runs": { METTLE_PROCESS: "0123456789abcdef" },
  "Claude Code's shell": { CLAUDECODE: "1" },
  "Gemini's shell": { GEMINI_CLI: "1" },
  "Codex's shell": { CODEX_THREAD_ID: "1" },
  "OpenCode's shell": { OPENCODE: "1" },
};

describe.each(Object.entries(marks))("%s", (name, env) => {
  test.each(decisions.map((line) => [line.join(" "), line] as const))(
    "is refused: mettle %s",
    async (_, args) => {
      const line = args.map((arg) => (arg === "RUN" ? waiting : arg));
      const called = await callIn(world, line, { env });
      expect([called.code, called.stderr.slice(0, refused.length)]).toEqual([1, refused]);
    },
  );

  test("may resume a run without a decision, and call init, only in a session", async () => {
    const isOfMettle = Object.keys(env)[0]?.startsWith("METTLE_") === true;
    const resumed = await callIn(world, ["resume", waiting], { env });
    expect([name, resumed.code, resumed.stderr.startsWith(refused)]).toEqual([
      name,
      isOfMettle ? 1 : 3,
      isOfMettle,
    ]);
    const init = await callIn(world, ["init", "--dry-run"], { env });
    expect([init.code, init.stderr.startsWith(refused)]).toEqual([isOfMettle ? 1 : 0, isOfMettle]);
  });
});

describe("a test that a gate runs and that imitates a person", () => {
  const mettle = () => `${process.execPath} ${packageRoot("dist/bin/mettle.cjs")}`;
  const clean = () =>
    `PATH=${process.env["PATH"]} HOME=${world.home} METTLE_HOME=${world.home} METTLE_SANDBOX=off METTLE_MUTATION_BUDGET=0`;
  /** The output of a script, detached processes included. */
  const outputOf = async (script: string, env: Readonly<Record<string, string>> = {}) => {
    const ran = await run("sh", ["-c", script], {
      cwd: world.repository.dir,
      env: { ...world.env, ...env },
      timeoutMs: 60_000,
    });
    return `${ran.stdout}${ran.stderr}`;
  };
  const stillWaits = async () => (await callIn(world, ["status", waiting])).stdout;

  inCi("is refused with its environment variables, and without them", async () => {
    expect(await outputOf(`${mettle()} approve ${waiting}`)).toContain(refused);
    expect(await outputOf(`env -i ${clean()} ${mettle()} approve ${waiting}`)).toContain(refused);
    expect(await stillWaits()).toContain(`mettle approve ${waiting}`);
  });

  // Only Linux has limits that processes inherit and cannot change.
  test.runIf(process.platform === "linux")(
    "is refused also as a detached process, at the command, the hook and the servers (faults S3, S8)",
    async () => {
      const out = join(world.home, "out");
      await mkdir(out);
      const program = join(out, "try.sh");
      const call = `{"hook_event_name":"UserPromptSubmit","session_id":"s1","prompt":"approve"}`;
      const list = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`;
      await writeFile(
        program,
        [
          "#!/bin/sh",
          `${mettle()} approve ${waiting} > ${out}/approve 2>&1`,
          `${mettle()} run '@orchestrate y' --land > ${out}/run 2>&1`,
          `echo '${call}' | ${mettle()} hook > ${out}/hook 2>&1`,
          `echo '${list}' | ${mettle()} mcp > ${out}/mcp 2>&1`,
          `${mettle()} envoy plan init > ${out}/envoy 2>&1`,
          `grep PPid /proc/self/status > ${out}/parent`,
          `echo > ${out}/done`,
        ].join("\n"),
      );
      await chmod(program, 0o755);
      await hooksIn(world).hook("UserPromptSubmit", { prompt: "@orchestrate x", session_id: "s1" });
      const script = `(setsid -f env -i ${clean()} ${program} &); for i in $(seq 400); do [ -e ${out}/done ] && break; sleep 0.1; done; tail -n 3 ${out}/*`;
      const output = await outputOf(script);
      const part = (name: string) => output.split(`${out}/${name} <==\n`)[1]?.split("\n==>")[0] ?? "";
      expect(part("approve")).toContain(refused);
      expect(part("run")).toContain(refused);
      expect(part("hook")).toContain("agent_cannot_approve");
      expect(part("mcp")).toContain("No tools are offered");
      expect(part("envoy")).toContain("not_your_dispatch");
      expect(await stillWaits()).toContain(`mettle approve ${waiting}`);
    },
  );
});
