/**
 * The breaker of a tree: what stops its root, what is printed, and what each option does. One run, stopped five times.
 * Only the root has a breaker: any other node that is stopped ends, and its parent's Scaffold decides
 * (failures.test.ts).
 * @module-tag ci
 */
import { stringify } from "yaml";
import { beforeAll, expect } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import type { Recorded } from "../../src/log/run-event.ts";
import { loadProtocol } from "../../src/protocol/load.ts";
import { readLibrary } from "../../src/engine/start/library.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { callIn } from "../cli/here.ts";
import { eventsOf, type CliResult, type World } from "../orchestrate/world.ts";
import { verifies } from "../verifies.ts";
import { files, report, rolesOf, specOf, write } from "./story.ts";
import { createTreeWorld } from "./world.ts";

const top = { id: "top" };
const mute = { does: [{ say: "Still thinking." }] };
const { scaffold: [lays = {}] = [], impl: [builds = {}] = [], ...others } = rolesOf(top);
const roles = {
  ...others,
  scaffold: [
    mute,
    mute,
    {
      expects: ["begin with top.js"],
      report: report("BL", null, "the criterion cannot be met by one function"),
    },
    { ...lays, expects: ["one function that gives a constant"] },
  ],
  impl: [
    {
      does: [write("src/top.js", "half\n")],
      report: report("RequestRetry", {
        diagnosis: "the name is wrong",
        strategyFrom: "a constant",
        strategyTo: "a table",
        failingTests: ["test/top/top.test.js::AC-1: gives its name"],
      }),
    },
    { ...builds, forbids: ["half"] },
    {
      report: report("Stuck", { diagnosis: "No table", recommendation: "Give one", attempts: 1 }),
    },
    { expects: ["read it from a table"], report: report("EN", null, "there is no table") },
  ],
  reviewer: [{ report: report("Reject", { reason: "A constant is no answer", missingCriteria: ["AC-1"] }) }],
};

let world: World;
let run: string;
let base: string;
let red: string;
let rescued: string;
const calls = new Map<string, CliResult>();
const heads = new Map<string, number>();
let events: readonly Recorded[];

async function call(name: string, ...args: readonly string[]): Promise<CliResult> {
  const called = await callIn(world, args);
  calls.set(name, called);
  heads.set(name, await world.host.journal.head(run));
  return called;
}

/** The block that a call printed, and the command of an option in it. */
function blockOf(name: string): string {
  return /⚠️[\s\S]*Awaiting user decision\.\.\.\n/u.exec(calls.get(name)?.stdout ?? "")?.[0] ?? "";
}
function printed(name: string, option: "a" | "b" | "c", words = ""): readonly string[] {
  const lines = blockOf(name).split("\n");
  const line = lines[lines.findIndex((one) => one.startsWith(`  ${option}) `)) + 1] ?? "";
  expect(line).toMatch(/^ {5}mettle resume /u);
  return line
    .trim()
    .split(" ")
    .slice(1)
    .map((word) => (word === '"…"' ? words : word));
}

beforeAll(async () => {
  world = await createTreeWorld(files);
  await world.repository.write({
    "mettle.yaml": stringify({ version: 1, limits: { attempt: 1 } }),
    "spec.yaml": JSON.stringify(specOf(top)),
  });
  base = await world.repository.git("rev-parse", "HEAD");
  const cassette = { version: 1, kind: "cassette", nodes: { top: roles } };
  const agent = await world.agent(cassette as unknown as Parameters<World["agent"]>[0]);
  calls.set(
    "mute",
    await callIn(world, ["run", "--protocol", "graph", "--spec", "spec.yaml", "--agent", agent]),
  );
  [run = ""] = await world.host.journal.runs();
  heads.set("mute", await world.host.journal.head(run));
  await call("again", "resume", run);
  await call("two at once", "resume", run, "--context", "x", "--approach", "y");
  await call("landed", "land", run);
  await call("impossible", ...printed("mute", "b", "begin with top.js"));
  await call("attempts", ...printed("impossible", "c", "one function that gives a constant"));
  red = await world.repository.git("rev-parse", `mettle/${run}/top`);
  await call("rejected", ...printed("attempts", "a"));
  await call("stuck", "resume", run, "--node", "top", "--reset", red);
  rescued = await world.repository.git("show", `refs/mettle/rescue/${run}/rejected-1:src/top.js`);
  await call("environment", ...printed("stuck", "b", "read it from a table"));
  await call("unknown commit", "resume", run, "--reset", "feedbeef");
  await call("status", "status", run, "--json");
  if (process.env["SHOW"])
    for (const [name, { code, stdout, stderr }] of calls) console.log(name, code, stdout, stderr);
  await call("aborted", "abort", run);
  await call("over", "resume", run, "--context", "more");
  events = (await world.host.journal.read(run)).map(recorded);
});

/** What stops the root, in order, and the printed text. */
const trips = [
  ["mute", "The root is stuck", "2/2", "limit retry used up: 2 of 2", "EX: the agent gave no decision"],
  ["impossible", "The root is stuck", "1/1", "BL: the criterion cannot be met by one function"],
  ["attempts", "The root is stuck", "1/1", "limit attempt used up: 1 of 1", "diagnosis: the name is wrong"],
  ["rejected", "The review rejects the work", "1/1", "reason: A constant is no answer"],
  ["stuck", "The root is stuck", "1/1", "recommendation: Give one"],
  ["environment", "The root is stuck", "1/1", "EN: there is no table"],
] as const;

verifies(
  "CORE-76@graph",
  "waits for a person with exit 4, and continues only by the chosen option, with everything but the result",
  async () => {
    const ids = Object.keys(Object.fromEntries(trips));
    for (const [name, trigger, attempts, ...told] of trips) {
      const { code, stdout } = calls.get(name) ?? { code: -1, stdout: "" };
      expect([name, code, stdout.trimEnd().split("\n").at(-1)]).toEqual([name, 4, `✗ NOT DONE: ${trigger}`]);
      const block = blockOf(name);
      for (const line of [`Trigger: ${trigger}`, `Attempts: ${attempts}`, "  node: top", ...told])
        expect([name, block]).toEqual([name, expect.stringContaining(`${line}\n`)]);
      for (const [option, key] of [
        ["a", "--reset"],
        ["b", "--context"],
        ["c", "--approach"],
      ] as const)
        expect([name, printed(name, option).slice(0, 3)]).toEqual([name, ["resume", run, key]]);
      expect(stdout).toContain(`run ${run} waits for you; \`mettle abort ${run}\` ends it`);
    }
    expect(new Set(ids.map(blockOf)).size).toBe(ids.length);

    // It does not continue by itself or by any other command.
    expect([calls.get("again")?.code, blockOf("again")]).toEqual([4, blockOf("mute")]);
    expect(calls.get("two at once")).toMatchObject({
      code: 2,
      stderr: "error[usage]: choose one of --context and --approach\nhint: one option answers the breaker\n",
    });
    expect([calls.get("landed")?.code, calls.get("unknown commit")?.code]).toEqual([1, 2]);
    expect(["again", "two at once", "landed"].map((name) => heads.get(name))).toEqual(
      Array.from({ length: 3 }, () => heads.get("mute")),
    );
    expect(heads.get("unknown commit")).toBe(heads.get("environment"));
    const { runs } = calls.get("status")?.json() as {
      readonly runs: readonly {
        readonly status: string;
        readonly waiting: readonly { readonly commands: readonly string[] }[];
      }[];
    };
    expect(runs.map(({ status, waiting }) => [status, waiting[0]?.commands.at(-1)])).toEqual([
      ["blocked", `mettle abort ${run}`],
    ]);

    // The effect of each option: the cassette's turns require the text in their prompts and forbid what was discarded.
    const answers = eventsOf(events, "result").filter(({ by }) => by !== undefined);
    expect(answers.map(({ outcome, text }) => [outcome, text])).toEqual([
      ["context", "begin with top.js"],
      ["approach", "one function that gives a constant"],
      ["reset", red],
      ["reset", red],
      ["context", "read it from a table"],
    ]);
    expect(printed("mute", "a").at(-1)).toBe(base);
    expect(printed("attempts", "a").at(-1)).toBe(red);
    expect(rescued).toContain('return "top";');
    expect(await world.repository.git("rev-parse", `mettle/${run}/top`)).toBe(red);
    const impls = eventsOf(events, "dispatch.started").filter(({ key }) => key.startsWith("impl#"));
    expect(impls).toHaveLength(4);
    expect(eventsOf(events, "agent.nudged")).toHaveLength(6);

    const tripped = events.flatMap(({ type }, at) => (type === "breaker.tripped" ? [at] : []));
    expect(tripped).toHaveLength(trips.length);
    for (const at of tripped) expect(events[at + 1]?.type).toBe("ask.shown");
    expect(calls.get("aborted")).toMatchObject({ code: 1, stdout: expect.stringContaining("✗ NOT DONE: ") });
    expect([calls.get("over")?.code, calls.get("over")?.stderr]).toEqual([
      2,
      expect.stringMatching(/^error\[run_ended\]: run \w+ has ended: halted/u),
    ]);
    expect(await world.repository.git("for-each-ref", `refs/heads/mettle/${run}/result`)).toBe("");
    for (const { stdout } of calls.values()) expect(stdout).not.toContain("COMPLETE");

    const { protocols } = await readLibrary({ shipped: packageRoot("protocols"), root: null });
    const { machines } = loadProtocol("graph", protocols);
    const breakers = Object.entries(machines).flatMap(([machine, { states }]) =>
      Object.entries(states).flatMap(([name, state]) =>
        state.kind === "ask" && state.as === "escalated" ? [`${machine} ${name}`] : [],
      ),
    );
    expect(breakers).toEqual(["main stuck", "main rejected"]);
  },
);
