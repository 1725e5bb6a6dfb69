/** The demo's graph with the real Claude Code in every role: a proven result, and the forks of conversations. */
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { demoCassette, type TreeCassette } from "../graph/world.ts";
import { eventsOf } from "../orchestrate/world.ts";
import { confinesHere } from "../sandbox/bubblewrap.ts";
import { conversationOf, userTextsIn, type Entry } from "../support/conversation.ts";
import { withRealClaude } from "../support/real-agents.ts";
import type { ModelRequest } from "../support/wire.ts";
import { growByClaude, type ClaudeTree } from "./claude-tree.ts";

withRealClaude("a tree by the real Claude Code", (file) => {
  let tree: ClaudeTree;
  let dispatches: Readonly<Record<string, Dispatch>>;
  beforeAll(async () => {
    tree = await growByClaude({
      file,
      cassette: await withWords(),
      env: () => (confinesHere() ? { METTLE_SANDBOX: "required" } : {}),
    });
    dispatches = await dispatchesOf(tree);
  }, 300_000);

  const at = (key: string): Dispatch => {
    const found = dispatches[key];
    if (found === undefined) throw new Error(`there is no dispatch ${key}`);
    return found;
  };

  test("a root with two children reaches a proven result after one wrong attempt", async () => {
    const { ended, events, world } = tree;
    expect(ended.code, `${ended.stdout}\n${ended.stderr}`).toBe(0);
    expect(ended.json()).toMatchObject({
      status: "complete",
      proof: { verdict: "pass", exit: "0" },
      nodes: [{ nodeId: "receipt", state: "complete", criteria: { covered: 3, of: 3 } }],
    });
    const { run, resultBranch } = ended.json() as { run: string; resultBranch: string };
    expect((await world.cli(["verify", run])).code).toBe(0);
    expect(await world.repository.git("ls-tree", "-r", "--name-only", resultBranch)).toContain(
      "src/money.js",
    );
    const merged = eventsOf(events, "node.merged").map(({ child }) => child);
    expect(merged.toSorted()).toEqual(["receipt", "receipt--money", "receipt--parse"]);
    expect(eventsOf(events, "work.rescued").map(({ key }) => key)).toEqual([`${parse}/impl#1`]);
  });

  test("every decision came over MCP without a reminder", () => {
    const channels = eventsOf(tree.events, "result").flatMap(({ key, channel }) =>
      key in dispatches ? [channel] : [],
    );
    expect(channels).toEqual(Array.from({ length: 18 }, () => "mcp"));
    const troubles = ["agent.nudged", "agent.denied", "report.refused", "outside.write"];
    expect(tree.events.filter(({ type }) => troubles.includes(type))).toEqual([]);
  });

  test("the judge is a fork of the parent's TDD conversation; other forks have their parents too", () => {
    const threads = Object.entries(dispatches).map(([key, { thread, knows }]) => [key, thread, knows]);
    expect(threads.sort()).toEqual(
      [
        ["scaffold#1", undefined, undefined],
        ["work/tests/write_tests#1", "copied", "scaffold#1"],
        ...[parse, money].flatMap((node) => [
          [`${node}/scaffold#1`, "copied", "scaffold#1"],
          [`${node}/work/tests/write_tests#1`, "copied", `${node}/scaffold#1`],
          [`${node}/impl#1`, "copied", `${node}/scaffold#1`],
          [`${node}/review#1`, "copied", `${node}/work/tests/write_tests#1`],
          [`${node}/judge#1`, "copied", "work/tests/write_tests#1"],
          [`${node}/merger#1`, undefined, undefined],
        ]),
        [`${parse}/impl#2`, undefined, undefined],
        ["impl#1", "copied", "scaffold#1"],
        ["review#1", "copied", "work/tests/write_tests#1"],
        ["merger#1", undefined, undefined],
      ].sort(),
    );
    // The request contains the whole parent conversation with its tool calls, and then the own prompt.
    for (const [key, { knows, received, prompt }] of Object.entries(dispatches)) {
      const before = knows === undefined ? [] : whole(at(knows));
      const own = key === `${parse}/impl#2` ? whole(at(`${parse}/impl#1`)) : before;
      expect([key, received[0]]).toEqual([key, [...own, { type: "user", text: prompt }]]);
    }
  });

  test("a role knows the messages of others only through its fork", () => {
    const [root, child] = ["SAID-BY-receipt-scaffold-1", "SAID-BY-receipt--parse-scaffold-1"];
    const tdd = "SAID-BY-receipt-tdd-1";
    const received = Object.fromEntries(Object.entries(dispatches).map(([key, { words }]) => [key, words]));
    expect(received).toMatchObject({
      "scaffold#1": [],
      "work/tests/write_tests#1": [root],
      [`${parse}/scaffold#1`]: [root],
      [`${parse}/work/tests/write_tests#1`]: [root, child],
      [`${parse}/impl#1`]: [root, child],
      [`${parse}/impl#2`]: [root, child, "SAID-BY-receipt--parse-impl-1"],
      [`${parse}/review#1`]: [root, child, "SAID-BY-receipt--parse-tdd-1"],
      [`${parse}/judge#1`]: [root, tdd],
      [`${parse}/merger#1`]: [],
      [`${money}/judge#1`]: [root, tdd],
      "impl#1": [root],
      "review#1": [root, tdd],
      "merger#1": [],
    });
  });

  test("a forked conversation does not change: its copy beside each fork is byte-identical", async () => {
    for (const [key, { knows, conversation, home }] of Object.entries(dispatches)) {
      if (knows === undefined) continue;
      const parent = at(knows);
      expect([key, conversation === parent.conversation]).toEqual([key, false]);
      const original = await transcript(parent.home, parent.conversation);
      expect([key, (await transcript(home, parent.conversation)) === original]).toEqual([key, true]);
      const own = await transcript(home, conversation);
      expect([key, own.includes("SAID-BY-"), own.length > original.length]).toEqual([key, true, true]);
    }
  });
});

const [parse, money] = ["work/children/children/parse", "work/children/children/money"];

interface Dispatch {
  readonly prompt: string;
  readonly conversation: string;
  readonly thread: string | undefined;
  readonly knows: string | undefined;
  /** Home of the agent. */
  readonly home: string;
  /** The conversation of each request. */
  readonly received: readonly (readonly Entry[])[];
  /** Markers of other agents in the first request. */
  readonly words: readonly string[];
}

/** Adds a marker to each turn, which shows who received its messages. */
async function withWords(): Promise<TreeCassette> {
  const cassette = await demoCassette();
  for (const [node, roles] of Object.entries(cassette.nodes))
    for (const [role, turns] of Object.entries(roles))
      roles[role] = turns.map((turn, at) => ({
        ...turn,
        does: [...(turn.does ?? []), { say: `SAID-BY-${node}-${role}-${at + 1}` }],
      }));
  return cassette;
}

async function dispatchesOf({ world, server, events }: ClaudeTree): Promise<Record<string, Dispatch>> {
  const started = eventsOf(events, "dispatch.started");
  const shown = await Promise.all(
    started.map(async (event) => {
      const prompt = await world.host.payloads.text(event.prompt);
      const requests = server.requests.filter((request) => hasPrompt(request, prompt));
      const home = event.workspace.replace("/worktrees/", "/homes/");
      const { conversation, thread, knows } = event;
      const words = [...new Set(requests[0]?.body.match(/SAID-BY-[\w-]*\w/gu))];
      return [
        event.key,
        { prompt, conversation, thread, knows, home, received: requests.map(conversationOf), words },
      ] as const;
    }),
  );
  return Object.fromEntries(shown);
}

function hasPrompt(request: ModelRequest, prompt: string): boolean {
  return userTextsIn(request).at(-1) === prompt;
}

/** The conversation at the end of a dispatch. */
function whole({ received }: Dispatch): readonly Entry[] {
  return received.at(-1) ?? [];
}

async function transcript(home: string, id: string): Promise<string> {
  const projects = join(home, "claude", "projects");
  const files = await readdir(projects, { recursive: true });
  return readFile(join(projects, files.find((name) => name.endsWith(`${id}.jsonl`)) ?? id), "utf8");
}
