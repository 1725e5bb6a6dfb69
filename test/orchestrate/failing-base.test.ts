/** Tests that fail at the base are named before a person approves; many of them wait for a person first. */
import { describe, expect } from "vitest";
import { runResult } from "../../src/cli/run-result.ts";
import { callIn } from "../cli/here.ts";
import { verifies, verifiesInCi } from "../verifies.ts";
import { createWorld, eventsOf, golden, untestedFiles, answerAll, type World } from "./world.ts";

/** Forty tests in one file, of which the last ones fail. */
function forty(failing: number): string {
  const tests = Array.from(
    { length: 40 },
    (_none, at) => `test("number ${at + 1}", () => assert.ok(${at < 40 - failing}));\n`,
  );
  return `import assert from "node:assert/strict";\nimport { test } from "node:test";\n${tests.join("")}`;
}

const id = (number: number) => `test/forty.test.js::number ${number}`;

describe("a base with failing tests", () => {
  const worlds: World[] = [];
  const worldOf = async (failing: number): Promise<World> => {
    const world = await createWorld({ ...(await untestedFiles()), "test/forty.test.js": forty(failing) });
    worlds.push(world);
    return world;
  };

  verifiesInCi(
    "PRV-02",
    "one of 40 is named with the plan, with the code, in the summary and in the record, and needs no acceptance",
    async () => {
      const world = await worldOf(1);
      const { events, end, context } = await world.go(await golden(), answerAll);
      expect(end).toEqual({ type: "ended", outcome: "complete" });
      expect(eventsOf(events, "base.proved")).toMatchObject([{ tests: 40, count: 1, failing: [id(40)] }]);
      expect(eventsOf(events, "base.proved")[0]).not.toHaveProperty("needsPerson");
      const told = `1 of 40 tests fails on the base commit`;
      const shown = eventsOf(events, "ask.shown").filter(({ key }) => key.startsWith("user_gate"));
      expect(shown.map(({ text }) => [text.includes(told), text.includes(id(40))])).toEqual([
        [true, true],
        [true, true],
      ]);
      const summary = (await runResult(context, { type: "ended", outcome: "" })).text;
      expect([summary.includes(told), summary.includes(id(40))]).toEqual([true, true]);
      const [record] = eventsOf(events, "record.written");
      expect(record).toMatchObject({ key: "base", purpose: "baseline", verdict: "fail", failing: [id(40)] });
    },
  );

  verifies(
    "PRV-02",
    "eight of 40 wait for a person, who accepts them by count or by name; an agent cannot, and nothing starts before",
    async () => {
      const world = await worldOf(8);
      const agent = await world.agent(await golden());
      const failing = Array.from({ length: 8 }, (_none, at) => id(33 + at));
      const line = [
        "run",
        "Add slugify(text)",
        "--protocol",
        "orchestrate",
        "--agent",
        agent,
        "--approve",
        "plan,code",
        "--json",
      ];
      const begun = await callIn(world, line);
      expect(begun.code).toBe(3);
      const run = String(begun.json()["run"]);
      expect(begun.json()["waiting"]).toMatchObject({
        kind: "base",
        text: "8 of 40 tests already fail on the base commit; does the run go on from there?",
        commands: [`mettle answer ${run} accept 8`, `mettle abort ${run}`],
      });
      const types = async (of: string) => (await world.host.journal.read(of)).map(({ type }) => type);
      expect(await types(run)).not.toContain("dispatch.started");
      expect((await callIn(world, ["resume", run])).code).toBe(3);
      const shown = (await callIn(world, ["status", run])).stdout;
      for (const name of failing) expect(shown).toContain(name);

      const refused = async (words: readonly string[], env = {}) => {
        const called = await callIn(world, ["answer", run, ...words, "--json"], { env });
        return (called.json()["error"] as { code: string }).code;
      };
      expect(await refused(["accept", "7"])).toBe("unknown_answer");
      expect(await refused(["accept", ...failing.slice(1)])).toBe("unknown_answer");
      expect(await refused(["accept", "8"], { METTLE_DISPATCH: `${run} intake#1` })).toBe(
        "agent_cannot_approve",
      );
      expect((await callIn(world, ["approve", run])).code).not.toBe(0);
      expect(await types(run)).not.toContain("base.accepted");

      const accepted = await callIn(world, ["answer", run, "accept", "8", "--json"]);
      expect([accepted.code, accepted.json()["waiting"]]).toMatchObject([3, { kind: "questions" }]);
      const facts = (await world.host.journal.read(run)).filter(({ type }) => type === "base.accepted");
      expect(facts.map(({ data }) => data)).toEqual([
        {
          failing,
          count: 8,
          by: expect.objectContaining({ answeredBy: expect.any(String), who: expect.any(String) }),
        },
      ]);

      const second = String((await callIn(world, line)).json()["run"]);
      const byName = await callIn(world, ["answer", second, "accept", ...failing, "--json"]);
      expect([byName.code, byName.json()["waiting"]]).toMatchObject([3, { kind: "questions" }]);
    },
  );
});
