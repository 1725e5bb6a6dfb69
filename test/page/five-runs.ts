/** A run of each of the five systems in one home of states, begun and not driven: a person takes them to their end in the page. */
import { createCyclesWorld, oneCycle } from "../cycles/world.ts";
import { promptText } from "../envoy/plan-world.ts";
import { report, files, nodesOf, specOf, type TreeNode } from "../graph/story.ts";
import {
  createWorld,
  golden,
  untestedFiles,
  type CassetteFile,
  type TurnFile,
  type World,
} from "../orchestrate/world.ts";
import { createStepsWorld, implemented, merged } from "../steps/world.ts";

export const systems = ["orchestrate", "riper", "dptr", "graph", "envoy"] as const;
export type System = (typeof systems)[number];

export interface SystemRun {
  readonly run: string;
  /** Folder of its repository. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** A second process, as in a terminal. */
  readonly cli: World["cli"] | null;
}

export interface FiveRuns {
  /** Holds the state of all of them. */
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly runs: Readonly<Record<System, SystemRun>>;
}

/** What each agent says that it cost. */
const use = { usage: { inputTokens: 1200, outputTokens: 300, costUsd: 0.25 } };

export async function startFive(): Promise<FiveRuns> {
  const steps = await createStepsWorld();
  const { env } = steps;
  const home = env["METTLE_HOME"] ?? "";
  const shared = { METTLE_HOME: home };
  const placed = (world: World, run: string): SystemRun => ({
    run,
    folder: world.repository.dir,
    env: world.env,
    cli: world.cli,
  });

  const first = await createWorld(await untestedFiles(), shared);
  const orchestrate = placed(first, await first.start(withCost(await golden())));
  const second = await createCyclesWorld({}, shared);
  const riper = placed(second, await second.start(await riperCassette(), { protocol: "riper" }));
  const third = await createCyclesWorld({}, shared);
  const dptr = placed(third, await third.start(await dptrCassette(), { protocol: "dptr" }));
  const fourth = await createWorld(files, shared);
  const graph = placed(fourth, await startGraph(fourth));
  await steps.ok(["plan", "write-prompt", "1", ...promptText, "--requires-testing"]);
  await steps.cassette({ worker: workerTurns });
  const { json } = await steps.run(["run", "--protocol", "implementation", "--input", "prompt_num=1"]);
  const envoy = { run: String(json["run"]), folder: steps.repository.dir, env, cli: null };
  return { home, env, runs: { orchestrate, riper, dptr, graph, envoy } };
}

function withCost(cassette: CassetteFile): CassetteFile {
  const roles = Object.fromEntries(
    Object.entries(cassette.roles).map(([role, turns]) => [role, turns.map(costly)]),
  ) as CassetteFile["roles"];
  return { ...cassette, roles };
}

function costly(turn: TurnFile): TurnFile {
  return { ...turn, does: [...(turn.does ?? []), use] };
}

/** The review at the end wants a change, and the person approves all the same. */
async function riperCassette(): Promise<CassetteFile> {
  const cassette = await oneCycle();
  cassette.roles.reviewer = [
    {
      report: {
        status: "NEEDS_CHANGE",
        message: "the README does not name slugify",
        payload: { findings: ["README.md: name slugify"] },
      },
    },
  ];
  return withCost(cassette as unknown as CassetteFile);
}

/** The critic wants the design revised, which a person decides in dptr. */
async function dptrCassette(): Promise<CassetteFile> {
  const cassette = await oneCycle();
  const { designer, arch_critic: critic } = cassette.roles;
  cassette.roles.designer = [...designer, ...designer];
  cassette.roles.arch_critic = [
    {
      report: {
        status: "REVISE",
        message: "say what a word is",
        payload: { issues: [{ problem: "a word is not defined", suggestion: "define it" }] },
      },
    },
    ...critic,
  ];
  return withCost(cassette as unknown as CassetteFile);
}

async function startGraph(world: World): Promise<string> {
  const plant: TreeNode = { id: "shop", children: [{ id: "cart" }, { id: "note" }] };
  const nodes = nodesOf(plant);
  const { shop } = nodes;
  const asks = report("ClarificationNeeded", {
    question: "What is a name?",
    ambiguityReference: "AC-1",
    specSentence: "shop() gives its name",
  });
  const [lays] = shop?.["scaffold"] ?? [];
  nodes["shop"] = { ...shop, scaffold: [{ report: asks }, { ...lays, expects: ["a name is a word"] }] };
  const costs = Object.fromEntries(
    Object.entries(nodes).map(([node, roles]) => [
      node,
      Object.fromEntries(Object.entries(roles).map(([role, turns]) => [role, turns.map(costly)])),
    ]),
  );
  const played = { version: 1, kind: "cassette", nodes: costs } as unknown as CassetteFile;
  return world.start(played, {
    task: "A shop",
    protocol: "graph",
    spec: { spec: specOf(plant), file: null },
  });
}

const workerTurns: readonly TurnFile[] = [
  {
    does: [
      { shell: implemented("1", "export const one = 1;") },
      use,
      { shell: "envoy plan block-prompt-testing-gate 1 --wait 300" },
    ],
  },
  {
    expects: ['"thoughts":"Well done"'],
    does: [{ shell: merged("1") }, use],
    report: { status: "DONE", message: "merged", payload: { success: true, merged: true } },
  },
];
