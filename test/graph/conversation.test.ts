/** Which messages reach which role, in a node played by hand. */
import { beforeAll, describe, expect, test } from "vitest";
import { scriptedAgent } from "../../src/agents/scripted/adapter.ts";
import { Cassette } from "../../src/agents/scripted/cassette.ts";
import type { DispatchCommand } from "../../src/kernel/command.ts";
import { ImplMem } from "../../src/protocol/graph-types/impl.ts";
import type { TDDMem } from "../../src/protocol/graph-types/tdd.ts";
import { canonicalJson } from "../../src/lib/hash.ts";
import { conversationFor } from "../../src/dispatch/prompt/conversation.ts";
import { payloadCall } from "../../src/families/graph/decision/payload-call.ts";
import { payloadsFor } from "../../src/families/graph/prompt/payload-references.ts";
import { nodeOf } from "../../src/families/graph/node.ts";
import { assertNodeTemplates } from "../../src/families/graph/prompt/templates.ts";
import { callIn } from "../cli/here.ts";
import { verifies } from "../verifies.ts";
import { byHand, calc, calcFiles, initWork, storedMemory, type ByHand, startedBy } from "./by-hand.ts";

const agent = scriptedAgent({
  cassette: Cassette.parse({ version: 1, kind: "cassette" }),
  vendor: "hand",
  player: "",
  node: "",
});
/** An agent that can fork, and the agent that has played so far. */
const hands = { ...agent, name: "hand" };

let hand: ByHand;
beforeAll(async () => void (hand = await byHand({ files: calcFiles, spec: calc })));

function at(state: string): DispatchCommand {
  const found = hand.context.session.state.open.find((command) => command.state === state);
  if (found?.type !== "dispatch") throw new Error(`no dispatch is open in ${state}`);
  return found;
}

/** Ends the open dispatch of a state, as an agent in the role's own conversation. */
async function endDispatch(state: string, outcome: string): Promise<void> {
  const { knows } = await threadAt(state);
  const started = startedBy(at(state));
  await hand.context.session.record([knows === null ? started : { ...started, knows }]);
  await hand.say("calc", outcome);
}

async function threadAt(state: string) {
  const { thread, knows, conversation, before } = await conversationFor(hand.context, at(state), hands);
  return { thread, knows, type: conversation.type, told: [...new Set(before.map(({ key }) => key))] };
}

describe("a dispute", () => {
  verifies("V3-46", "TDD gets it in its own conversation, and a reviewer does not", async () => {
    expect(await threadAt("scaffold")).toEqual({ thread: null, knows: null, type: "new", told: [] });
    await hand.work("calc", "InitWork", { payload: initWork() });
    await hand.say("calc", "pass");
    expect(await threadAt("write_tests")).toEqual({
      thread: "native",
      knows: "scaffold#1",
      type: "fork",
      told: [],
    });
    const batch = at("write_tests").key;
    await endDispatch("write_tests", "TestsReady");
    await hand.say("calc", "pass");
    await endDispatch("impl", "TI");
    expect(await threadAt("write_tests")).toMatchObject({ thread: null, type: "resume" });
    await endDispatch("write_tests", "TestsReady");
    await hand.say("calc", "pass");
    await endDispatch("impl", "TestsPassed");
    await hand.say("calc", "pass");
    // By now TDD's conversation has Impl's claim about the test, so an agent's own fork would reveal it.
    expect(await threadAt("review")).toEqual({
      thread: "text",
      knows: batch,
      type: "new",
      told: ["scaffold#1", batch],
    });
  });

  test("an attempt that Impl gives up is stored with its strategy, and the next attempt gets it", async () => {
    await endDispatch("review", "MoreTests.fix_impl");
    const retry = { diagnosis: "a stack", strategyFrom: "a loop", strategyTo: "recursion", failingTests: [] };
    await hand.work("calc", "RequestRetry", { payload: retry });
    expect(await storedMemory(hand, hand.node("calc").memory.impl, ImplMem)).toMatchObject({
      attemptHistory: [{ strategy: "a loop", outcome: "failed: a stack" }],
    });
  });
});

verifies("V3-55", "the memory of a node's TDD and Impl is visible to them and to people only", async () => {
  const { context, run, world } = hand;
  const { payloads, session, templates } = context;
  const mine: TDDMem = { conversationId: "c", coveredCriteria: ["AC-1"], pendingTests: ["secret"] };
  const ref = await payloads.put(canonicalJson(mine));
  await session.record([{ type: "node.remembered", node: "calc", memory: "tdd", ref }]);

  const wrong = new Map(templates).set("impl.jinja", "{{ coveredCriteria | join(', ') }}\n");
  expect(() => assertNodeTemplates(wrong)).toThrow(/impl\.jinja:1: .*coveredCriteria/u);
  const other = new Map(templates).set("tdd.jinja", "{{ attemptHistory | join(', ') }}\n");
  expect(() => assertNodeTemplates(other)).toThrow(/tdd\.jinja:1: .*attemptHistory/u);

  const impl = at("impl");
  const answer = await payloadCall(context, impl)?.["payload"]?.({ ref, pointer: "/pendingTests" });
  expect(answer).toMatchObject({ ok: false, error: { code: "not_allowed" } });
  const memories = Object.values(hand.node("calc").memory);
  expect(memories).toHaveLength(2);
  // No dispatch of any other node gets one, neither Impl's nor TDD's.
  const node = nodeOf(context, impl);
  const handed = node === null ? [] : await payloadsFor(context, impl, node);
  expect(handed.length).toBeGreaterThan(0);
  for (const memory of memories) expect(handed.map((one) => one.ref)).not.toContain(memory);

  const shown = await callIn(world, ["show", run, "calc", "--memory", "--json"]);
  expect(shown.json()).toMatchObject({
    memory: { tdd: mine, impl: { attemptHistory: [{ strategy: "a loop" }] } },
  });
});
