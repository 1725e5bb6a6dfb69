// @module-tag ci
import { spawn } from "node:child_process";
import { once } from "node:events";
import { beforeAll, expect, test } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { livingProcesses, variableOf } from "../../src/process/proc.ts";
import { recorded } from "../../src/run/list-runs.ts";
import type { Recorded } from "../../src/log/run-event.ts";
import { foldRun } from "../../src/run/list-runs.ts";
import type { NodeStatus } from "../../src/views/tree/tree-status.ts";
import { flattenNodes } from "../../src/views/tree/tree-status.ts";
import { eventsOf, type CliResult, type World } from "../orchestrate/world.ts";
import { verifies, verifiesWhen } from "../verifies.ts";
import { questionFields, heldCassette, specFile, stuck } from "./person-world.ts";
import { createTreeWorld } from "./world.ts";
import { callIn } from "../cli/here.ts";

/** One run: five working nodes, two of them ended by a person, three questions, an amended spec, and a stuck root. */
let world: World;
let run: string;
const outputs: Record<string, CliResult> = {};
let watched: WatchedTerminal | null;
let before: readonly number[];
let after: readonly number[];
let events: readonly Recorded[];

interface WatchedTerminal {
  /** Everything drawn so far. */
  readonly text: () => string;
  /** Resolves with its exit code. */
  readonly ended: Promise<number>;
}

const parse = "receipt--parse";
const hasTerminal = process.platform === "linux";
const newThird = "receipt(text) lists each item in the order of the lines, then the total";

beforeAll(async () => {
  world = await createTreeWorld();
  await world.repository.write({
    "spec.yaml": specFile("receipt(text) lists each item and then the total"),
    note: "",
  });
  const agent = await world.agent((await heldCassette()) as unknown as Parameters<World["agent"]>[0]);
  const driving = world.cli(["run", "--protocol", "graph", "--spec", "spec.yaml", "--agent", agent]);
  run = await atWork(4);
  watched = hasTerminal ? watchAtTerminal() : null;
  await until(() => watched === null || watched.text().includes("receipt--money"));
  await call("json", "status", run, "--json");
  await call("tree", "status", run);
  await call("graph", "show", run, "--graph");
  await call("node", "show", run, parse, "--json");
  await call("memory", "show", run, parse, "--memory", "--json");
  await call("nobody", "abort", run, "--node", "nope");
  before = agentsOf("work/children/children/parse");
  await call("abort", "abort", run, "--node", parse);
  await until(() => agentsOf("work/children/children/parse").length === 0);
  after = agentsOf("work/children/children/money");
  await call("without", "status", run, "--json");
  await call("second", "abort", run, "--node", parse);
  await call("money", "abort", run, "--node", "receipt--money");
  outputs["asks"] = await driving;
  // It prints how this drive ended only if the next one has not started.
  await watched?.ended;
  await world.repository.write({
    "spec.yaml": specFile(newThird),
    "mettle.yaml": "graph: { parallel: 1 }\n",
    ".mettle/templates/graph/scaffold.jinja": "ANOTHER TEMPLATE {{ spec.description }}\n",
  });
  await call("changed", "status", run, "--json");
  await call("changed text", "status", run);
  await call("again", "answer", run, "As they come");
  await call("amended", "answer", run, "--spec", "spec.yaml", "--json");
  await call("nothing", "answer", run, "And another thing");
  await call("settled", "status", run, "--json");
  await call("no way back", "resume", run, "--reset", "HEAD");
  await call("nobody stuck", "resume", run, "--node", parse, "--context", "count in whole cents");
  await call("complete", "resume", run, "--node", "receipt", "--context", "count in whole cents", "--json");
  events = (await world.host.journal.read(run)).map(recorded);
}, 240_000);

test("the run prints its id, its first node and the changes that are no part of it", () => {
  expect(outputs["asks"]?.stderr).toBe(
    "note: 2 uncommitted files are not part of this run; it starts from HEAD\n" +
      "note: sandbox: off, so no agent is confined; records say isolation: none\n",
  );
  expect(outputs["asks"]?.stdout).toMatch(new RegExp(`^run ${run}, first node receipt\n`, "u"));
});

verifies("V3-74", "status shows each node of the tree, and show its inputs, outputs and evidence", () => {
  const { root, all } = treeOf("json");
  expect(root).toMatchObject({
    nodeId: "receipt",
    depth: 0,
    state: "write_tests",
    mode: "WriteTests",
    attempt: "1/5",
    waitsFor: ["TDD.TestsReady", "child parse", "child money"],
    branch: `mettle/${run}/receipt`,
    criteria: { covered: 0, of: 3 },
    lastExit: "InitWork",
  });
  expect(all.map(({ nodeId, depth, state }) => [nodeId, depth, state])).toEqual([
    ["receipt", 0, "write_tests"],
    [parse, 1, "write_tests"],
    ["receipt--parse--lines", 2, "scaffold"],
    ["receipt--parse--price", 2, "scaffold"],
    ["receipt--money", 1, "scaffold"],
  ]);
  for (const line of [
    /^ +receipt +TDD WriteTests +attempt 1\/5 +criteria 0\/3 +after InitWork$/mu,
    /mettle\/\w+\/receipt, waits for TDD\.TestsReady, child parse, child money$/mu,
    /├─ receipt--parse +TDD WriteTests/u,
  ])
    expect(outputs["tree"]?.stdout).toMatch(line);
  const shown = outputs["node"]?.json() as unknown as ShownNode;
  const sent = events.find(
    (event) => event.type === "dispatch.started" && event.key === "work/children/children/parse/scaffold#1",
  );
  expect(sent).toMatchObject({ prompt: expect.stringMatching(/^sha256:/u) });
  expect(shown.turns[0]).toMatchObject({ as: "Scaffold", exit: "InitWork", message: "Two functions" });
  expect(shown.inputs).toMatchObject({
    spec: { id: "parse" },
    parentContext: { assignedCriteria: expect.stringContaining("AC-1") },
  });
  expect(shown.outputs).toMatchObject({ InitWork: { interfaceFile: "src/shapes.js" } });
  expect(shown.evidence.map(({ purpose, verdict }) => `${purpose} ${verdict}`)).toContain("scaffold pass");
});

test("show prints exactly the prompt that was sent", async () => {
  const [started] = eventsOf(events, "dispatch.started").filter(({ key }) =>
    key.endsWith("parse/scaffold#1"),
  );
  const { turns } = outputs["node"]?.json() as unknown as ShownNode;
  expect(turns[0]?.prompt).toBe(await world.host.payloads.text(started?.prompt ?? ""));
  const memory = outputs["memory"]?.json();
  expect(memory).toMatchObject({
    node: parse,
    memory: { tdd: { pendingTests: [] }, impl: { attemptHistory: [] } },
  });
});

verifiesWhen(
  hasTerminal,
  "script(1) makes a terminal",
  "V3-95",
  "the tree is Mermaid, and drawn in a terminal until the run's exit code",
  async () => {
    const mermaid = outputs["graph"]?.stdout.trimEnd().split("\n") ?? [];
    expect(mermaid[0]).toBe("flowchart TD");
    const boxes = mermaid.flatMap((line) => /^ {2}(n\d)\["(.*)"\]:::(\w+)$/u.exec(line)?.[2] ?? []);
    expect(boxes).toEqual([
      `receipt<br/>TDD WriteTests<br/>attempt 1/5<br/>mettle/${run}/receipt`,
      `receipt--parse<br/>TDD WriteTests<br/>attempt 1/5<br/>mettle/${run}/receipt--parse`,
      `receipt--parse--lines<br/>Scaffold works<br/>attempt 1/5<br/>mettle/${run}/receipt--parse--lines`,
      `receipt--parse--price<br/>Scaffold works<br/>attempt 1/5<br/>mettle/${run}/receipt--parse--price`,
      `receipt--money<br/>Scaffold works<br/>attempt 1/5<br/>mettle/${run}/receipt--money`,
    ]);
    const arrows = mermaid.filter((line) => line.includes("-->")).map((line) => line.trim());
    expect(arrows).toEqual(["n0 --> n1", "n0 --> n4", "n1 --> n2", "n1 --> n3"]);
    const code = (await watched?.ended) ?? -1;
    const text = watched?.text() ?? "";
    expect(code).toBe(outputs["asks"]?.code);
    expect(text).toMatch(/running · \d+s · agents 4\/4 · 5 nodes open · ▸ critical path/u);
    expect(text).toMatch(/▸ receipt +TDD WriteTests +attempt 1\/5 +\d+s +waits for TDD\.TestsReady/u);
    expect(text).toMatch(/^ {2}└─ receipt--money +Scaffold works +attempt 1\/5 +\d+s\r?$/mu);
    expect(text).toContain("\u001b[8A");
    for (const line of text.split(/\r?\n/u)) expect([...plain(line)].length).toBeLessThanOrEqual(100);
  },
);

verifies(
  "V3-71",
  "a node is aborted with all nodes below it, its parent gets the failure, and the others continue",
  async () => {
    expect(outputs["nobody"]).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("error[node_unknown]"),
    });
    expect(outputs["nobody"]?.stderr).toContain(
      "open nodes: receipt, receipt--parse, receipt--money, receipt--parse--lines, receipt--parse--price",
    );
    expect(outputs["abort"]?.code).toBe(0);
    expect(before.length).toBeGreaterThan(0);
    expect(after.length).toBeGreaterThan(0);
    expect(outputs["second"]).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("open nodes: receipt, receipt--money"),
    });
    expect(outputs["nobody stuck"]).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error\[node_unknown\].*\nhint: open nodes: receipt\n/u),
    });
    const { all } = treeOf("without");
    expect(all.slice(1).map(({ nodeId, state }) => [nodeId, state])).toEqual([
      [parse, "failed.aborted"],
      ["receipt--parse--lines", "cancelled"],
      ["receipt--parse--price", "cancelled"],
      ["receipt--money", "scaffold"],
    ]);
    // The cassette's second turn of the root's Scaffold requires `MergeFailed` and `Aborted` in its prompt.
    expect(outputs["asks"]?.stdout).toContain("receipt                Scaffold → ClarificationNeeded");
    const view = await foldRun(world.host.journal, run);
    const kept = view.rescued.map(({ key }) => key);
    expect(kept).toEqual(
      expect.arrayContaining([
        "work/children/children/parse/work/children/children/lines/scaffold#1",
        "work/children/children/parse/work/children/children/price/scaffold#1",
      ]),
    );
  },
);

verifies(
  "V3-67",
  "the root's question waits with its three fields, and its answer reaches all later nodes",
  () => {
    expect(outputs["asks"]?.code).toBe(3);
    for (const [name, value] of Object.entries(questionFields))
      expect(outputs["asks"]?.stdout).toContain(`${name}: ${value}`);
    expect(outputs["asks"]?.stdout).toContain("specSentence: in AC-3");
    expect(outputs["asks"]?.stdout).toContain(`mettle answer ${run} "…"\n  mettle answer ${run} --spec FILE`);
    expect(outputs["again"]?.code).toBe(3);
    expect(outputs["nothing"]).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("error[nothing_to_answer]"),
    });
    const scaffolds = eventsOf(events, "dispatch.started").filter(({ key }) => key.startsWith("scaffold#"));
    expect(scaffolds).toHaveLength(4);
    expect(new Set(scaffolds.map(({ conversation }) => conversation)).size).toBe(1);
    const answers = eventsOf(events, "result").filter(({ outcome }) => outcome === "answer");
    expect(answers).toMatchObject([
      { by: { answeredBy: "file" }, text: "As they come" },
      { by: { answeredBy: "file" }, text: "the spec was amended" },
    ]);
  },
);

verifies(
  "V3-93",
  "later edits have no effect and are reported; an amended spec is a person's decision",
  () => {
    // The third turn of the root's Scaffold forbids the new text and the new template; the fourth requires the new text.
    expect(outputs["changed text"]?.stdout).toContain("spec changed since start");
    expect(statusOf("json")).toMatchObject({ spec_changed: false });
    expect(statusOf("changed")).toMatchObject({ spec_changed: true, slots: { of: 4 } });
    expect(statusOf("settled")).toMatchObject({ spec_changed: false, slots: { of: 4 } });
    const [amended] = eventsOf(events, "node.respecified");
    const [began] = eventsOf(events, "node.began");
    expect(amended).toMatchObject({
      node: "receipt",
      before: began?.spec,
      spec: expect.stringMatching(/^sha256:[0-9a-f]{64}$/u),
      by: { answeredBy: "file", authenticated: false },
    });
    expect(amended?.spec).not.toBe(amended?.before);
  },
);

verifies(
  "V3-70",
  "a stuck root is escalated with its full report, and continues at attempt 1 with the person's text",
  () => {
    const { code, stderr } = outputs["amended"] ?? { code: 0, stderr: "" };
    expect([code, stderr]).toEqual([4, expect.any(String)]);
    const { waiting } = outputs["amended"]?.json() as unknown as { waiting: { shown: string; node: string } };
    expect(waiting.node).toBe("receipt");
    for (const [name, value] of Object.entries(stuck)) expect(waiting.shown).toContain(`${name}: ${value}`);
    for (const way of ["--reset ", '--context "…"', '--approach "…"'])
      expect(waiting.shown).toContain(`mettle resume ${run} ${way}`);
  },
);

test("a reset that would lose locked tests is refused", () => {
  expect(outputs["no way back"]).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error\[revision_unknown\]: receipt cannot go back to HEAD\n/u),
  });
});

test("the driven run prints its result and its tree", () => {
  expect(outputs["complete"]?.code).toBe(0);
  const answer = outputs["complete"]?.json() ?? {};
  expect(answer).toMatchObject({
    run,
    protocol: "graph",
    status: "complete",
    resultBranch: `mettle/${run}/result`,
    nodes: [{ nodeId: "receipt", state: "complete", criteria: { covered: 3, of: 3 } }],
  });
  expect(answer["summary"]).toContain(`Merge: git merge --ff-only mettle/${run}/result`);
  expect(String(answer["summary"]).match(/EXECUTION_BLOCK/gu)).toHaveLength(3);
});

interface ShownNode {
  readonly inputs: object;
  readonly outputs: object;
  readonly turns: readonly { readonly prompt: string }[];
  readonly evidence: readonly { readonly purpose: string; readonly verdict: string }[];
}

async function call(name: string, ...args: readonly string[]): Promise<void> {
  outputs[name] = await callIn(world, args);
}

function statusOf(name: string): Record<string, unknown> {
  const { runs } = outputs[name]?.json() as unknown as { runs: readonly Record<string, unknown>[] };
  return runs[0] ?? {};
}

function treeOf(name: string): {
  readonly root: NodeStatus | undefined;
  readonly all: readonly NodeStatus[];
} {
  const nodes = statusOf(name)["nodes"] as readonly NodeStatus[];
  return { root: nodes[0], all: flattenNodes(nodes) };
}

/** Agent processes of a frame and of those below it. */
function agentsOf(frame: string): readonly number[] {
  const mine = `${run}:${frame}/`;
  return livingProcesses()
    .map(({ pid }) => pid)
    .filter((pid) => variableOf(pid, "METTLE_DISPATCH")?.startsWith(mine) === true);
}

function watchAtTerminal(): WatchedTerminal {
  const line = `stty cols 100 rows 30; ${process.execPath} ${packageRoot("dist/bin/mettle.js")} watch ${run}`;
  const child = spawn("script", ["-qec", line, "/dev/null"], {
    cwd: world.repository.dir,
    env: {
      PATH: process.env["PATH"],
      HOME: world.home,
      METTLE_HOME: world.home,
      METTLE_MUTATION_BUDGET: "0",
      TERM: "xterm",
    },
    stdio: ["ignore", "pipe", "inherit"],
    timeout: 120_000,
  });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")));
  const ended = once(child, "close").then(([code]) => (typeof code === "number" ? code : -1));
  return { text: () => text, ended };
}

function plain(line: string): string {
  // eslint-disable-next-line no-control-regex -- what moves a cursor
  return line.replaceAll(/\u001b\[\d*[A-Za-z]/gu, "").replaceAll("\r", "");
}

async function until(isDone: () => boolean): Promise<void> {
  for (let tries = 0; tries < 100 && !isDone(); tries++) await pause();
  expect(isDone()).toBe(true);
}

/** The run, once this number of agents work. */
async function atWork(agents: number): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const [id] = await world.host.journal.runs();
    const { dispatches, commands } = await foldRun(world.host.journal, id ?? "");
    const working = Object.keys(dispatches).filter((key) => commands[key]?.result === null);
    if (id !== undefined && working.length === agents) return id;
    await pause();
  }
  throw new Error("the tree never stood still");
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 200));
}
