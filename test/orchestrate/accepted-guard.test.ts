/**
 * A regression guard that passes on every null stub: refused until a person accepts it by name.
 * @module-tag ci
 */
import { expect } from "vitest";
import { parseRecord } from "../../src/evidence/record.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { callIn } from "../cli/here.ts";
import { verifies } from "../verifies.ts";
import { driveWatched } from "./watched.ts";
import { answerOnly, createWorld, demoFiles, eventsOf, golden } from "./world.ts";

const path = "test/slugify.test.js";
const id = `${path}::FR1 capital letters stay what they are`;
const guard = (round: string) => `

// passes already: ${round} of a guard
test("FR1 capital letters stay what they are", () => assert.equal("a".toUpperCase(), "A"));
`;

verifies(
  "CORE-26",
  "a person's waiver of a tautology is in the journal, and RED passes with it",
  async () => {
    const world = await createWorld({
      ...(await demoFiles()),
      "mettle.yaml": "version: 1\nlimits: { red: 1 }\n",
    });
    const { roles, ...rest } = await golden();
    const [honest = {}] = roles.tester;
    const adding = (round: string) => ({ shell: `cat >> ${path} <<'END'\n${guard(round)}END` });
    const again = (round: string) => ({
      does: [
        { shell: `sed -i 's|passes already: .* of a guard|passes already: ${round} of a guard|' ${path}` },
      ],
      report: { status: "RC" },
    });
    const tester = [
      { ...honest, does: [...(honest.does ?? []), adding("first")] },
      ...["second", "third"].map(again),
    ];
    const run = await world.start({ ...rest, roles: { ...roles, tester } });
    const { events } = await driveWatched(world, run, {
      answer: answerOnly("questions", "user_gate_plan"),
      on: () => undefined,
    });
    const judged = eventsOf(events, "gate.judged").filter(({ gate }) => gate === "red");
    expect(new Set(judged.map(({ verdict, acceptable }) => `${verdict} ${acceptable?.join(", ")}`))).toEqual(
      new Set([`fail ${id}`]),
    );

    const shown = await callIn(world, ["status", run]);
    expect(shown.stdout).toContain(`mettle resume ${run} --accept-test`);
    await callIn(world, ["resume", run, "--accept-test", id, "--reason", "guards letters", "--json"]);
    const after = (await world.host.journal.read(run)).map(recorded);
    expect(eventsOf(after, "tests.accepted").map(({ tests, reason }) => [tests, reason])).toEqual([
      [[id], "guards letters"],
    ]);
    expect(eventsOf(after, "gate.judged").findLast(({ gate }) => gate === "red")?.verdict).toBe("pass");
    const passed = eventsOf(after, "record.written").findLast(({ purpose }) => purpose === "red");
    const { controls } = parseRecord(JSON.parse(await world.host.payloads.text(passed?.ref ?? "")));
    expect(controls).toMatchObject({ accepted_passing: id, null_stubs: expect.stringContaining("1 on all") });
  },
);
