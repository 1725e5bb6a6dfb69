/** A small tree whose agents say marker words, so that a test can tell which messages reached which agent. */
import { stringify } from "yaml";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Recorded } from "../../src/log/run-event.ts";
import { openRun } from "../../src/families/open-run.ts";
import type { Spec } from "../../src/protocol/graph-types/shared.ts";
import { eventsOf, type DriveResult, type TurnFile, type World } from "../orchestrate/world.ts";
import { stub, tests } from "./by-hand.ts";
import type { NodeRoles } from "./world.ts";

export const spec: Spec = {
  id: "calc",
  description: "Add and subtract",
  acceptanceCriteria: [
    { id: "AC-1", text: "add(2, 3) gives 5" },
    { id: "AC-2", text: "sub(5, 3) gives 2" },
  ],
  targetPath: "src/calc.js",
  testPath: "test/calc",
};

export const files = {
  "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
};

const write = (path: string, content: string) => ({ write: { path, content } });
const say = (text: string) => ({ say: text });
const channel = (status: string, payload: object) => ({ channel: { status, message: status, payload } });

function plan(criterionId: string, name: string) {
  return { criterionId, plannedTestName: `${criterionId}: ${name}`, approach: "call it" };
}

function approves(message: string): TurnFile {
  const coverageReport = { criteriaWithTests: [], criteriaMissing: [] };
  return {
    does: [say(message)],
    report: { status: "Approved", message, payload: { signOff: message, coverageReport } },
  };
}

const merges: TurnFile = {
  report: {
    status: "MergeComplete",
    message: "merged",
    payload: { mergeCommit: "HEAD", author: "", impactLevel: "Additive", changes: [] },
  },
};

const ready = (file: string, ids: readonly string[]) => ({
  status: "TestsReady",
  message: "red",
  payload: { testsCommit: "HEAD", testFiles: [file], pendingCriteria: ids },
});

const add = "export function add(a, b) {\n  return a + b;\n}\n";
const dropped = { mood: "glad" };

const root: NodeRoles = {
  scaffold: [
    {
      does: [
        say("SAID-BY-ROOT-SCAFFOLD"),
        write("src/calc.js", stub("add")),
        write("src/minus-api.js", 'export { sub } from "./minus.js";\n'),
        write("src/minus.js", stub("sub")),
        write(
          "test/contract/calc.test.js",
          tests({ "../../src/calc.js": "{ add }" }, ["adds", "assert.equal(add(1, 1), 2);"]),
        ),
      ],
      report: {
        status: "InitWork",
        message: "One child",
        payload: {
          scaffoldCommit: "HEAD",
          interfaceFile: "src/minus-api.js",
          contractSuite: "test/contract/calc.test.js",
          testPlan: [plan("AC-1", "adds"), plan("AC-2", "subtracts")],
          childSpecs: [
            {
              id: "minus",
              description: "Subtracts",
              acceptanceCriteria: [{ id: "AC-2", text: "sub(5, 3) gives 2" }],
              targetPath: "src/minus.js",
              testPath: "test/minus",
            },
          ],
        },
      },
    },
  ],
  tdd: [
    {
      does: [
        say("SAID-BY-ROOT-TDD"),
        write(
          "test/calc/calc.test.js",
          tests(
            { "../../src/calc.js": "{ add }", "../../src/minus-api.js": "{ sub }" },
            ["AC-1: adds", "assert.equal(add(2, 3), 5);"],
            ["AC-2: subtracts", "assert.equal(sub(5, 3), 2);"],
          ),
        ),
      ],
      report: ready("test/calc/calc.test.js", ["AC-1", "AC-2"]),
    },
  ],
  impl: [
    {
      does: [say("SAID-BY-ROOT-IMPL"), write("src/calc.js", add)],
      report: {
        status: "TestsPassed",
        message: "green",
        payload: { commitHash: "HEAD", iterations: 1, passedTests: [] },
      },
    },
  ],
  reviewer: [approves("SAID-BY-ROOT-REVIEWER")],
  merger: [merges],
};

const minus: NodeRoles = {
  scaffold: [
    {
      does: [
        say("SAID-BY-CHILD-SCAFFOLD"),
        write(
          "test/contract/minus.test.js",
          tests({ "../../src/minus.js": "{ sub }" }, ["subtracts", "assert.equal(sub(1, 1), 0);"]),
        ),
      ],
      report: {
        status: "InitWork",
        message: "One function",
        payload: {
          scaffoldCommit: "HEAD",
          interfaceFile: "src/minus-api.js",
          contractSuite: "test/contract/minus.test.js",
          testPlan: [plan("AC-2", "subtracts")],
        },
      },
    },
  ],
  tdd: [
    {
      does: [
        say("SAID-BY-CHILD-TDD"),
        write(
          "test/minus/minus.test.js",
          tests({ "../../src/minus.js": "{ sub }" }, ["AC-2: subtracts", "assert.equal(sub(5, 3), 2);"]),
        ),
      ],
      report: ready("test/minus/minus.test.js", ["AC-2"]),
    },
    {
      does: [
        say("SAID-BY-CHILD-TDD-AGAIN"),
        write(
          "test/minus/below.test.js",
          tests({ "../../src/minus.js": "{ sub }" }, ["AC-2: below zero", "assert.equal(sub(1, 3), -2);"]),
        ),
      ],
      report: ready("test/minus/below.test.js", ["AC-2"]),
    },
  ],
  impl: [
    {
      does: [say("SAID-BY-CHILD-IMPL-1"), write("src/minus.js", "export const sub = (a, b) => b - a;\n")],
      report: {
        status: "RequestRetry",
        message: "wrong way round",
        payload: {
          diagnosis: "operands",
          strategyFrom: "b - a",
          strategyTo: "a - b",
          failingTests: ["AC-2: subtracts"],
        },
      },
    },
    {
      does: [
        say("SAID-BY-CHILD-IMPL-2"),
        write("src/minus.js", "export const sub = (a, b) => Math.abs(a - b);\n"),
        channel("TestsPassed", { commitHash: "HEAD", iterations: "two", passedTests: [] }),
        channel("TestsPassed", { commitHash: "HEAD", iterations: 2 }),
        channel("TestsPassed", { commitHash: "HEAD", iterations: "3", passedTests: [], ...dropped }),
        channel("Stuck", { diagnosis: "none", recommendation: "none", attempts: 1 }),
      ],
    },
    {
      does: [say("SAID-BY-CHILD-IMPL-3"), write("src/minus.js", "export const sub = (a, b) => a - b;\n")],
      report: {
        status: "TestsPassed",
        message: "green",
        payload: { commitHash: "HEAD", iterations: 1, passedTests: [] },
      },
    },
  ],
  reviewer: [
    {
      does: [say("SAID-BY-CHILD-REVIEWER-1")],
      report: {
        status: "MoreTests",
        message: "below zero",
        payload: {
          critiques: [
            { file: "src/minus.js", line: "3", issue: "abs", requiredFix: "keep the sign", ...dropped },
          ],
          additionalTests: [plan("AC-2", "below zero")],
        },
      },
    },
    approves("SAID-BY-CHILD-REVIEWER-2"),
    approves("SAID-BY-JUDGE"),
  ],
  merger: [merges],
};

/** @param conversations conversation features of the agents, or of a role by its name */
export async function play(
  world: World,
  conversations: ConversationFeature,
  others: Readonly<Record<string, ConversationFeature>> = {},
): Promise<DriveResult> {
  return playNodes(world, { calc: root, "calc--minus": minus }, { conversations, others });
}

type ConversationFeature = "forks" | "resumes" | "none";

async function playNodes(
  world: World,
  nodes: Readonly<Record<string, NodeRoles>>,
  {
    conversations,
    others,
  }: {
    readonly conversations: ConversationFeature;
    readonly others: Readonly<Record<string, ConversationFeature>>;
  },
): Promise<DriveResult> {
  const cassette = { version: 1, kind: "cassette", nodes };
  const agents: Record<string, string> = {};
  for (const [role, can] of Object.entries(others)) {
    const file = join(world.home, `cassette-${role}.yaml`);
    await writeFile(file, stringify({ ...cassette, conversations: can }));
    agents[role] = `scripted:${file}`;
  }
  const run = await world.start({ ...cassette, conversations } as unknown as Parameters<World["start"]>[0], {
    task: spec.description,
    protocol: "graph",
    spec: { spec, file: null },
    agents,
  });
  return world.drive(run);
}

/** The root's scaffold, then TDD and the child's scaffold, which both give up at once. */
export async function firstSteps(
  world: World,
  others: Readonly<Record<string, ConversationFeature>>,
): Promise<DriveResult> {
  const givesUp: TurnFile = { report: { status: "EN", message: "enough" } };
  const nodes = {
    calc: { scaffold: root["scaffold"] ?? [], tdd: [givesUp] },
    "calc--minus": { scaffold: [givesUp] },
  };
  return playNodes(world, nodes, { conversations: "forks", others });
}

/** The prompt of the nth dispatch of a state in a node, and how its conversation began. */
export async function dispatchOf({ context, events }: DriveResult, node: string, state: string, nth = 1) {
  const { view } = context.session;
  const found = eventsOf(events, "dispatch.started").filter(
    (event) => event.node === node && view.commands[event.key]?.command.state === state,
  )[nth - 1];
  if (found === undefined) throw new Error(`${node} has no dispatch ${nth} of ${state}`);
  return { ...found, text: await context.payloads.text(found.prompt) };
}

/** The marker words in a text, in order, each once. */
export function words(text: string): readonly string[] {
  return [...new Set(text.match(/SAID-BY-[A-Z0-9-]+/gu))];
}

export function refusals(events: readonly Recorded[]): readonly string[] {
  return eventsOf(events, "report.refused").map(({ why }) => why);
}

/** An agent's stored decision. */
export async function payloadOf({ context }: DriveResult, key: string): Promise<unknown> {
  const ref = context.session.view.commands[key]?.result?.payload ?? "";
  return (JSON.parse(await context.payloads.text(ref)) as { payload: unknown }).payload;
}

/**
 * Settles the open command of the root with each outcome in turn, in a run whose payload store is gone; each state must
 * be the open one. Returns the final state.
 */
export async function routes(
  world: World,
  steps: readonly (readonly [string, string])[],
): Promise<string | undefined> {
  const cassette = { version: 1, kind: "cassette" } as unknown as Parameters<World["start"]>[0];
  const run = await world.start(cassette, {
    task: spec.description,
    protocol: "graph",
    spec: { spec, file: null },
  });
  const { session } = await openRun(world.host, { run });
  const nowhere = `sha256:${"0".repeat(64)}`;
  const store = world.host.home.payloads;
  await rename(store, `${store}-away`);
  try {
    for (const [state, outcome] of steps) {
      const [command] = session.state.open;
      if (command?.state !== state) throw new Error(`${command?.state} is open, not ${state}`);
      const items = outcome === "InitWork" ? { items: [], list: "childSpecs" } : {};
      await session.settle(command.key, { outcome, payload: nowhere, ...items });
    }
    return session.state.open[0]?.state;
  } finally {
    await rename(`${store}-away`, store);
  }
}
