// @module-tag ci
import { beforeAll, describe, expect, test } from "vitest";
import type { DriveResult, World } from "../orchestrate/world.ts";
import { verifies } from "../verifies.ts";
import { envelopeOf } from "../../src/protocol/envelope.ts";
import { memoryPayloads } from "../../src/testing/memory-payloads.ts";
import { withTranscript } from "../../src/dispatch/prompt/transcript.ts";
import { createTreeWorld } from "./world.ts";
import { dispatchOf, files, firstSteps, payloadOf, play, refusals, routes, words } from "./threads-world.ts";

let world: World;
let driven: DriveResult;
const at = (node: string, state: string, nth?: number) => dispatchOf(driven, node, state, nth);
const markersAt = async (node: string, state: string, nth?: number) =>
  words((await at(node, state, nth)).text);

const heading = "# Earlier conversation\n";
const [rootScaffold, childScaffold] = ["SAID-BY-ROOT-SCAFFOLD", "SAID-BY-CHILD-SCAFFOLD"];

beforeAll(async () => {
  world = await createTreeWorld(files);
  // Agents without memory get everything in their prompts, so the prompts show what they know.
  driven = await play(world, "none");
});

describe("conversations of a tree", () => {
  test("a run of agents without memory ends complete", () => {
    expect(driven.end).toEqual({ type: "ended", outcome: "complete" });
  });

  verifies(
    "V3-45",
    "TDD and Impl start with Scaffold's messages and continue with their own template, and neither sees the other's",
    async () => {
      const scaffold = await at("calc--minus", "scaffold");
      const tdd = await at("calc--minus", "write_tests");
      const impl = await at("calc--minus", "impl");
      for (const [{ text, knows, conversation, message = "" }, title] of [
        [tdd, "# TDD: Subtracts\n"],
        [impl, "# Impl: Subtracts\n"],
      ] as const) {
        expect(text.startsWith(heading)).toBe(true);
        expect(words(text)).toEqual([rootScaffold, childScaffold]);
        expect(knows).toBe(scaffold.key);
        expect(conversation).not.toBe(scaffold.conversation);
        const own = await driven.context.payloads.text(message);
        expect(own.startsWith(title)).toBe(true);
        expect(text.endsWith(own)).toBe(true);
      }
      expect(tdd.conversation).not.toBe(impl.conversation);
      // Only Scaffold has spoken in its own.
      const { dispatches } = driven.context.session.view;
      const inScaffolds = Object.values(dispatches).filter(
        ({ conversation }) => conversation === scaffold.conversation,
      );
      expect(inScaffolds.map(({ key }) => key)).toEqual([scaffold.key]);
    },
  );

  verifies(
    "V3-46",
    "a reviewer gets Scaffold's and TDD's messages, the result and the diff, and nothing else that Impl wrote",
    async () => {
      const first = await at("calc--minus", "review");
      expect(words(first.text)).toEqual([rootScaffold, childScaffold, "SAID-BY-CHILD-TDD"]);
      expect(first.knows).toBe((await at("calc--minus", "write_tests")).key);
      expect(first.text).toContain("Math.abs(a - b)");
      expect(first.text).toMatch(/## Impl Result\n\nCommit: `[0-9a-f]{40}`/u);
      // A second review is another fork, of TDD's conversation by then.
      const second = await at("calc--minus", "review", 2);
      expect(words(second.text)).toEqual([
        rootScaffold,
        childScaffold,
        "SAID-BY-CHILD-TDD",
        "SAID-BY-CHILD-TDD-AGAIN",
      ]);
      expect(second.conversation).not.toBe(first.conversation);
    },
  );

  verifies(
    "V3-48",
    "a retry and a second batch continue their own conversation, judge and child fork the parent's, Merger starts fresh",
    async () => {
      const [before, retried] = [await at("calc--minus", "impl"), await at("calc--minus", "impl", 2)];
      expect(retried.conversation).toBe(before.conversation);
      expect(words(retried.text)).toEqual([rootScaffold, childScaffold, "SAID-BY-CHILD-IMPL-1"]);
      const [batch, again] = [
        await at("calc--minus", "write_tests"),
        await at("calc--minus", "write_tests", 2),
      ];
      expect(again.conversation).toBe(batch.conversation);
      expect(words(again.text)).toEqual([rootScaffold, childScaffold, "SAID-BY-CHILD-TDD"]);
      expect(await markersAt("calc--minus", "judge")).toEqual([rootScaffold, "SAID-BY-ROOT-TDD"]);
      const child = await at("calc--minus", "scaffold");
      expect(words(child.text)).toEqual([rootScaffold]);
      expect(child.knows).toBe((await at("calc", "scaffold")).key);
      for (const node of ["calc", "calc--minus"]) {
        const merger = await at(node, "merger");
        expect(merger.text.startsWith("# Merge: ")).toBe(true);
        expect([merger.thread, merger.knows, merger.resumed]).toEqual([undefined, undefined, false]);
      }
    },
  );

  verifies(
    "V3-51",
    "a payload that does not fit is refused with place and type, readable values are converted, and unknown fields dropped",
    async () => {
      const { key } = await at("calc--minus", "impl", 2);
      const of = { events: driven.events.filter((event) => "key" in event && event.key === key) };
      // The agent gets it at once and reports again; a refusal in its text comes by a reminder (nudges.test.ts).
      expect(refusals(of.events).slice(0, 2)).toEqual([
        '/iterations: expected a number, got the text "two"',
        "/passedTests: expected a list, got nothing",
      ]);
      const { result } = driven.context.session.view.commands[key] ?? {};
      expect(result?.outcome).toBe("TestsPassed");
      const critique = await payloadOf(driven, (await at("calc--minus", "review")).key);
      expect(critique).toMatchObject({ critiques: [{ line: 3, issue: "abs" }] });
      expect(JSON.stringify(critique)).not.toContain("mood");
      const adapted = driven.events.flatMap((event) =>
        event.type === "warned" && event.code === "payload_adapted" ? [event.message] : [],
      );
      expect(adapted).toEqual([
        `${key}: read "3" at /iterations as 3`,
        `${key}: left out /mood`,
        'work/children/children/minus/review#1: read "3" at /critiques/0/line as 3',
        "work/children/children/minus/review#1: left out /critiques/0/mood",
      ]);
    },
  );

  verifies(
    "V3-23",
    "each exit is journaled with its envelope, and the kernel routes by it while no payload can be read",
    async () => {
      const { commands } = driven.context.session.view;
      const results = driven.events.flatMap((event) =>
        event.type === "result" && commands[event.key]?.command.type === "dispatch" ? [event] : [],
      );
      for (const { envelope, payload = "", ...result } of results) {
        const ref = envelope?.payload_ref ?? "";
        expect(envelope).toEqual(envelopeOf({ ...result, payload: ref }));
        const decision = JSON.parse(await driven.context.payloads.text(payload)) as { payload: unknown };
        expect(JSON.parse(await driven.context.payloads.text(ref))).toEqual(decision.payload);
      }
      const more = results.find(({ outcome }) => outcome === "MoreTests");
      expect(more?.envelope).toEqual({
        type: "MORE_TESTS",
        severity: "WARNING",
        route_hint: "write_tests",
        payload_ref: expect.stringMatching(/^sha256:[0-9a-f]{64}$/u),
      });
      expect(results[0]?.envelope).toMatchObject({ items: [{ id: "minus", hash: expect.any(String) }] });

      const routed = await routes(world, [
        ["scaffold", "InitWork"],
        ["scaffold_gate", "pass"],
        ["write_tests", "InvalidScaffold"],
        ["scaffold", "InitWork"],
        ["scaffold_gate", "pass"],
        ["write_tests", "TestsReady"],
        ["tests_gate", "pass"],
        ["impl", "BlockedDependency"],
        ["scaffold", "InitWork"],
        ["scaffold_gate", "pass"],
        ["write_tests", "TestsReady"],
        ["tests_gate", "pass"],
        ["impl", "RequestRetry"],
        ["impl", "SpecAmbiguity"],
        ["scaffold", "ClarificationNeeded"],
        ["clarify", "answer"],
        ["scaffold", "InitWork"],
        ["scaffold_gate", "pass"],
        ["write_tests", "TestsReady"],
        ["tests_gate", "pass"],
        ["impl", "TestsPassed"],
        ["green_gate", "pass"],
        ["review", "MoreTests"],
        ["write_tests", "TestsReady"],
        ["tests_gate", "pass"],
        ["impl", "TestsPassed"],
        ["green_gate", "pass"],
        ["review", "MoreTests.fix_impl"],
        ["impl", "TestsPassed"],
        ["green_gate", "pass"],
        ["review", "Approved"],
        ["candidate", "ready"],
        ["merger", "MergeRejected"],
        ["impl", "Stuck"],
      ]);
      expect(routed).toBe("stuck");
    },
  );

  test("after more tests Impl continues its own conversation, since Scaffold has no new messages", async () => {
    const [retried, third] = [await at("calc--minus", "impl", 2), await at("calc--minus", "impl", 3)];
    expect(third.conversation).toBe(retried.conversation);
  });
});

describe("the same run of agents with memory", () => {
  let short: DriveResult;
  beforeAll(async () => void (short = await firstSteps(world, { tdd: "resumes" })));

  verifies(
    "V3-47",
    "an agent that cannot fork gets the last messages as text, and one that can does not",
    async () => {
      const [native, text] = [
        await dispatchOf(short, "calc--minus", "scaffold"),
        await dispatchOf(short, "calc", "write_tests"),
      ];
      expect([native.thread, words(native.text)]).toEqual(["native", []]);
      expect(native.text.startsWith("# Scaffold: Subtracts\n")).toBe(true);
      expect([text.thread, words(text.text)]).toEqual(["text", [rootScaffold]]);
      expect(text.text.startsWith(heading)).toBe(true);

      const payloads = memoryPayloads();
      const sizes = [20_000, 5_000, 26_000, 6_000];
      const before = await Promise.all(
        sizes.map(async (size, at) => ({
          key: "k",
          who: `role ${at}`,
          ref: await payloads.put(`${at}`.repeat(size - "### role 0\n\n".length)),
        })),
      );
      const cut = await withTranscript(payloads, before, "the message");
      expect(cut.match(/### role \d/gu)).toEqual(["### role 2", "### role 3"]);
      expect(cut).toContain("(Cut here: the first 2 of 4 messages, 25000 characters, are left out.)");
      expect(cut.endsWith("\n\nthe message")).toBe(true);
      const whole = await withTranscript(payloads, before.slice(2), "the message");
      expect(whole).not.toContain("Cut here");
      const [alone] = [{ key: "k", who: "role", ref: await payloads.put("x".repeat(40_000)) }];
      const end = await withTranscript(payloads, [alone], "m");
      expect(end).toContain("x".repeat(32_000));
      expect(end).not.toContain("x".repeat(32_001));
      expect(end).toMatch(
        /\(Cut here: the beginning of the last message .* 8010 characters, are left out\.\)/u,
      );
    },
  );
});
