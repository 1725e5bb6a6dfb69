/**
 * Every command with every exit code that it can return, each call with --json. The first call of each command, and calls that
 * need another process, start the built program; the others run in this process.
 * @module-tag ci
 */
import { appendFile, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { TurnFile } from "../orchestrate/world.ts";
import { golden } from "../orchestrate/world.ts";
import { program } from "../../src/cli/table.ts";
import { namesOf } from "../../src/lib/command-line/help.ts";
import { verifies } from "../verifies.ts";
import { documented } from "./documented-fields.ts";
import { callHere } from "./here.ts";
import { brief, unsound } from "./small-protocols.ts";
import {
  crash,
  createStage,
  hang,
  questions,
  type CallResult,
  type CallOptions,
  type Stage,
} from "./stage.ts";

const commands = Object.fromEntries(namesOf(program));

type Parts = Readonly<Record<string, readonly TurnFile[]>>;

interface Case extends Omit<CallOptions, "during"> {
  /** State that the call starts from. */
  readonly from?: string;
  readonly args: readonly string[];
  readonly exit: number;
  /** The next turns of the agents. */
  readonly plays?: Parts;
  /** Changes files before the call. */
  readonly first?: () => Promise<unknown>;
  /** A call from another terminal, once the output contains this text. */
  readonly meanwhile?: { readonly seen: string; readonly args: readonly string[] };
}

const byAgent = { env: { METTLE_DISPATCH: "1" } };
const deep = process.env["METTLE_DEEP"] !== undefined;
/** For calls that need neither a repository nor a home. */
const bare = { cwd: "/", env: {} };
const noHome = { env: { METTLE_HOME: "/dev/null/nowhere" } };

describe("the command line", () => {
  let stage: Stage;
  let run = "";
  const done: (Case & { readonly called: CallResult })[] = [];

  const perform = async (one: Case): Promise<CallResult> => {
    const { from, args, plays, first, meanwhile, exit: _exit, ...options } = one;
    if (from !== undefined) await stage.restore(from);
    await stage.play(plays);
    await first?.();
    const line = [...args.map((word) => (word === "RUN" ? run : word)), "--json"];
    const isFirst = !done.some((other) => other.args[0] === args[0]);
    const isProgram = isFirst || meanwhile !== undefined || options.interruptAt !== undefined;
    const called = await (isProgram ? stage.call : stage.here)(line, {
      ...options,
      ...(meanwhile && {
        during: {
          seen: meanwhile.seen,
          act: async () =>
            stage.call([meanwhile.args[0] ?? "", await newestRun(), ...meanwhile.args.slice(1)]),
        },
      }),
    });
    done.push({ ...one, called });
    return called;
  };
  const newestRun = async (): Promise<string> => {
    const { runs } = JSON.parse((await stage.call(["status", "--json"])).stdout) as {
      runs: { run: string }[];
    };
    return runs.at(-1)?.run ?? "";
  };

  beforeAll(async () => {
    stage = await createStage();
    const { roles } = await golden();
    const [asks, writesSpec] = roles.intake;
    const [plans] = roles.planner;
    if (!asks || !writesSpec || !plans) throw new Error("the golden cassette has these turns");
    const begin = ["run", "Add slugify", "--protocol", "orchestrate", "--agent", stage.agent];
    await stage.save("fresh");

    // Reaches each state once; these calls are part of the table too.
    run = String(JSON.parse((await perform({ args: begin, exit: 3 })).stdout).run);
    await stage.save("questions");
    const answer = ["answer", "RUN", ...questions];
    await perform({ args: answer, exit: 3 });
    await stage.save("plan");
    await perform({ args: ["approve", "RUN"], exit: 3 });
    await perform({ args: ["approve", "RUN"], exit: 0 });
    await stage.save("complete");
    const states: readonly (readonly [string, Case])[] = [
      ["paused", { args: answer, plays: { planner: [] }, exit: 5 }],
      ["broken", { args: answer, plays: { planner: [crash] }, exit: 4 }],
      ["stopped", { args: answer, plays: { planner: [hang] }, interruptAt: "planner works", exit: 130 }],
      ["aborted", { args: ["abort", "RUN"], exit: 1 }],
    ];
    for (const [name, one] of states) {
      await perform({ from: "questions", ...one });
      await stage.save(name);
    }

    const again = { intake: [writesSpec], planner: [plans, plans] };
    const reject = ["reject", "RUN", "--reason", "say more"];
    const table: readonly Case[] = [
      {
        from: "fresh",
        args: ["run", "Specify slugify", "--protocol", "brief", "--agent", stage.agent],
        first: async () => {
          await writeProtocol(stage, "brief", brief);
          await stage.repository.write({
            ".mettle/templates/brief.md": "---\nrole: intake\ntools: Read\n---\nWrite the spec.\n",
          });
        },
        exit: 0,
      },
      {
        from: "fresh",
        args: begin,
        plays: { intake: [hang] },
        meanwhile: { seen: "intake works", args: ["abort"] },
        exit: 1,
      },
      { from: "fresh", args: ["run"], exit: 2 },
      { from: "fresh", args: begin, plays: { intake: [crash] }, exit: 4 },
      { from: "fresh", args: begin, plays: { intake: [] }, exit: 5 },
      { from: "fresh", args: begin, plays: { intake: [hang] }, interruptAt: "intake works", exit: 130 },

      { from: "complete", args: ["status", "RUN"], ...noHome, exit: 5 },
      ...["log", "show", "watch", "verify", "land", "abort", "clean"].map((name) => ({
        args: name === "clean" ? [name] : [name, "RUN"],
        ...noHome,
        exit: 5,
      })),
      ...["status", "log", "show", "watch", "verify", "land", "abort", "resume", "approve"].map((name) => ({
        args: [name, "nowhere"],
        exit: 2,
      })),
      ...["status", "log", "show"].map((name) => ({ args: [name, "RUN"], exit: 0 })),
      { args: ["watch", "RUN"], exit: 0 },
      { args: ["verify", "RUN"], exit: 0 },
      { args: ["land", "RUN"], exit: 0 },
      { args: ["gate", "green", "--base", "HEAD~2"], exit: 0 },
      { args: ["gate", "red", "--base", "HEAD~2"], exit: 1 },
      { args: ["gate", "blue", "--base", "HEAD~2"], exit: 2 },
      { args: ["gate", "red", "--base", "HEAD~2"], ...noHome, exit: 5 },
      { args: ["prove", "--base", "HEAD~2"], exit: 0 },
      { args: ["prove", "--base", "nowhere"], exit: 2 },
      { args: ["prove", "--base", "HEAD~2"], ...noHome, exit: 5 },
      { args: ["resume", "RUN"], exit: 0 },
      { args: ["clean"], exit: 0 },
      { from: "complete", args: ["verify", "RUN"], first: tamper, exit: 1 },

      { from: "aborted", args: ["watch", "RUN"], exit: 1 },
      { args: ["resume", "RUN"], exit: 2 },
      { args: ["abort", "RUN"], exit: 2 },
      { from: "questions", args: ["watch", "RUN"], exit: 3 },
      { args: ["resume", "RUN"], exit: 3 },
      { args: ["land", "RUN"], exit: 1 },
      { args: ["clean", "--all"], exit: 2 },
      { args: ["approve", "RUN"], exit: 2 },
      { args: ["answer", "RUN", "Q9=what?"], exit: 2 },
      ...[answer, ["approve", "RUN"], reject, ["resume", "RUN"], ["clean"]].map((args) => ({
        args,
        ...byAgent,
        exit: 1,
      })),
      { from: "broken", args: ["watch", "RUN"], exit: 4 },
      { args: ["resume", "RUN"], exit: 4 },
      { from: "paused", args: ["watch", "RUN"], exit: 5 },
      { args: ["resume", "RUN"], plays: { planner: [] }, exit: 5 },
      { from: "stopped", args: ["watch", "RUN"], exit: 130 },
      { args: ["resume", "RUN"], plays: { planner: [hang] }, interruptAt: "planner works", exit: 130 },

      { from: "plan", args: ["approve", "RUN"], plays: { tester: [crash] }, exit: 4 },
      { from: "plan", args: ["approve", "RUN"], plays: { tester: [] }, exit: 5 },
      {
        from: "plan",
        args: ["approve", "RUN"],
        plays: { tester: [hang] },
        interruptAt: "tester works",
        exit: 130,
      },
      { from: "plan", args: reject, plays: { planner: [plans, crash] }, exit: 4 },
      { from: "plan", args: reject, plays: { planner: [plans] }, exit: 5 },
      {
        from: "plan",
        args: reject,
        plays: { planner: [plans, hang] },
        interruptAt: "planner works",
        exit: 130,
      },
      {
        from: "plan",
        args: reject,
        plays: { ...again, gemini: twice(roles.gemini), claude: twice(roles.claude) },
        exit: 3,
      },
      { args: ["reject", "RUN"], exit: 2 },

      { from: "fresh", args: ["protocol", "list"], exit: 0 },
      {
        args: ["protocol", "check", "broken"],
        first: () => writeProtocol(stage, "broken", unsound),
        exit: 1,
      },
      { args: ["protocol", "check", "nothing.yaml"], exit: 2 },
      { args: ["init"], exit: 0 },
      { args: ["init"], cwd: "/", exit: 2 },
      { from: "fresh", args: ["init"], ...noHome, exit: 5 },
      { args: ["doctor"], ...noHome, exit: 5 },
      { args: ["completions", "bash"], exit: 0 },
      { args: ["completions", "csh"], exit: 2 },
      { args: ["hook"], exit: 0 },
      { args: ["mcp"], exit: 0 },
      { args: ["memory", "export"], exit: 0 },
      { args: ["memory", "show"], exit: 2 },
      { args: ["keys", "show"], exit: 0 },
      { args: ["keys", "list"], exit: 2 },
      { args: ["keys", "enrol", "worker"], ...byAgent, exit: 1 },
      { args: ["keys", "list"], ...noHome, exit: 5 },
      { args: ["envoy", "protocol", "debugging"], exit: 0 },
      { args: ["envoy", "plan", "next"], exit: 2 },
      { args: ["ui", "--port", "x"], exit: 2 },
      { args: ["worker", "--drain", "x"], exit: 2 },
      { args: ["worker"], exit: 5 },
      { args: ["metrics", "--listen", "x"], exit: 2 },
      { args: ["metrics"], exit: 5 },
      { args: ["people", "list"], exit: 0 },
      { args: ["people", "deny", "anna", "--gate", "land"], ...byAgent, exit: 1 },
      { args: ["queues", "list"], exit: 5 },
      { args: ["queues", "limit", "none"], exit: 2 },
      { args: ["queues", "limit", "run", "--each", "1"], ...byAgent, exit: 1 },
      { args: ["queues", "limit", "run", "--each", "1"], exit: 5 },
      { args: ["demo"], env: { TMPDIR: "/dev/null/nowhere" }, exit: 5 },
      { args: ["demo"], interruptAt: "intake works", exit: 130 },
      ...(deep
        ? [
            { args: ["demo"], exit: 0 },
            { args: ["demo", "--cheat"], exit: 1 },
          ]
        : []),
    ];
    for (const one of table) await perform(one);
  }, 400_000);

  /** Changes every signed envelope. */
  async function tamper(): Promise<void> {
    for (const entry of await readdir(stage.home, { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name);
      if (!entry.isFile() || !/\/payloads\//u.test(file)) continue;
      if ((await readFile(file, "utf8")).includes('"payloadType"')) await appendFile(file, " ");
    }
  }

  verifies("CORE-79", "each command returns the exit codes of the table", () => {
    const wrong = done
      .filter(({ called, exit }) => called.code !== exit)
      .map(({ args, from, exit, called }) => ({ args, from, exit, called }));
    expect(wrong).toEqual([]);
    const codes: Record<string, number[]> = {};
    for (const { args, exit } of done) (codes[args[0] ?? ""] ??= []).push(exit);
    const distinct = Object.entries(codes).map(([name, given]) => [name, [...new Set(given)].sort(byNumber)]);
    expect(Object.fromEntries(distinct)).toEqual({
      run: [0, 1, 2, 3, 4, 5, 130],
      answer: [1, 2, 3, 4, 5, 130],
      approve: [0, 1, 2, 3, 4, 5, 130],
      reject: [1, 2, 3, 4, 5, 130],
      resume: [0, 1, 2, 3, 4, 5, 130],
      watch: [0, 1, 2, 3, 4, 5, 130],
      status: [0, 2, 5],
      log: [0, 2, 5],
      show: [0, 2, 5],
      abort: [1, 2, 5],
      verify: [0, 1, 2, 5],
      land: [0, 1, 2, 5],
      clean: [0, 1, 2, 5],
      protocol: [0, 1, 2],
      init: [0, 2, 5],
      demo: deep ? [0, 1, 5, 130] : [5, 130], // 0 and 1: test/cli/demo.test.ts
      gate: [0, 1, 2, 5],
      prove: [0, 2, 5], // 1: test/cli/prove.test.ts
      doctor: [5], // 0: test/cli/doctor.test.ts
      completions: [0, 2],
      hook: [0],
      mcp: [0],
      keys: [0, 1, 2, 5],
      people: [0, 1],
      memory: [0, 2], // 1: test/cli/memory.test.ts
      envoy: [0, 2],
      ui: [2], // 0: src/ui/serve.test.ts
      queues: [1, 2, 5], // 0: test/shared-store/worker-limits.test.ts
      worker: [2, 5], // 0: test/shared-store/workers.test.ts
      metrics: [2, 5], // 0: test/shared-store/metrics.test.ts
    });
    expect(Object.keys(codes).sort()).toEqual(Object.keys(commands).sort());
  });

  verifies("CORE-79", "a misspelt command or flag names the nearest one", async () => {
    const misspelt = await stage.call(["aprove"]);
    expect(misspelt).toEqual({
      code: 2,
      stdout: "",
      stderr: "error[usage]: there is no command aprove\nhint: did you mean `mettle approve`?\n",
    });
    for (const name of Object.keys(commands).filter((one) => one !== "envoy"))
      expect(await callHere([name, "--debgu"], bare)).toEqual({
        code: 2,
        stdout: "",
        stderr: `error[usage]: unknown option '--debgu'\nhint: did you mean --debug? \`mettle ${name} --help\` lists the options\n`,
      });
    // It parses its own arguments like the program `envoy`.
    expect(await callHere(["envoy", "protocol", "x", "--jsno"], bare)).toEqual({
      code: 2,
      stdout: "",
      stderr: "error[usage]: unknown option '--jsno'\nhint: did you mean --json?\n",
    });
  });

  verifies("CORE-79", "every command has --help", async () => {
    const { stdout } = await stage.call(["--help"]);
    for (const [name, summary] of Object.entries(commands)) {
      expect(stdout).toMatch(new RegExp(`^  ${name} +`, "mu"));
      const help = await callHere([name, "--help"], bare);
      expect([help.code, help.stderr]).toEqual([0, ""]);
      if (name === "envoy")
        expect(help.stdout).toMatch(/^usage: envoy <command> .*envoy protocol .*mettle envoy/su);
      else expect(help.stdout).toContain(`Usage: mettle ${name} `);
      if (name !== "envoy") expect(help.stdout).toContain(summary.slice(0, 40));
    }
  });

  verifies(
    "CORE-80",
    "stdout is one object with its version and nothing else, however a command ends",
    () => {
      expect(done.length).toBeGreaterThan(70);
      for (const { args, exit, called } of done) {
        const about = `${args.join(" ")} (${exit}): ${called.stdout}`;
        expect(called.stdout.endsWith("\n"), about).toBe(true);
        expect(called.stdout.trimEnd().split("\n"), about).toHaveLength(1);
        const answer = JSON.parse(called.stdout) as Record<string, unknown>;
        expect(answer, about).toMatchObject({ version: 1 });
        if (/^error\[.*\nhint: /mu.test(called.stderr))
          expect(answer["error"], about).toMatchObject({
            code: expect.stringMatching(/^[a-z_]+$/u),
            message: expect.stringMatching(/./u),
            hint: expect.stringMatching(/./u),
          });
        else expect(answer, about).not.toHaveProperty("error");
      }
    },
  );

  verifies("CORE-80", "the object has the fields of docs/json.md, and a run has all of them", async () => {
    const fields = await documented();
    expect([...fields.keys()].sort()).toEqual([...Object.keys(commands), "a run"].sort());
    const ofARun = fields.get("a run") ?? [];
    for (const { args, called } of done) {
      const name = args[0] ?? "";
      const {
        version: _version,
        error: _error,
        ...answer
      } = JSON.parse(called.stdout) as Record<string, unknown>;
      const given = Object.keys(answer);
      expect([name, given.filter((key) => !fields.get(name)?.includes(key))]).toEqual([name, []]);
      if ("counters" in answer)
        expect([name, ofARun.filter((key) => !given.includes(key))]).toEqual([name, []]);
    }
  });

  test("progress goes to stderr", () => {
    const driven = done.filter(({ interruptAt }) => interruptAt !== undefined);
    expect(driven.length).toBeGreaterThan(4);
    for (const { called, interruptAt } of driven) expect(called.stderr).toContain(interruptAt);
  });
});

function byNumber(a: number, b: number): number {
  return a - b;
}

/** The first turn of a reviewer, twice, for a plan with two reviews. */
function twice([first]: readonly TurnFile[]): readonly TurnFile[] {
  return first ? [first, first] : [];
}

async function writeProtocol({ repository }: Stage, name: string, text: string): Promise<void> {
  await repository.write({ [`.mettle/protocols/${name}.yaml`]: text });
}
