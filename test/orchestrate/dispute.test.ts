// @module-tag ci
/**
 * An implementer reports a wrong test: once the test writer agrees, once it does not, and a person decides. Then it
 * changes two files at once, in a project that counts them.
 */
import { beforeAll, describe, expect } from "vitest";
import type { Recorded } from "../../src/log/run-event.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { callIn } from "../cli/here.ts";
import { verifies } from "../verifies.ts";
import { act, slugify } from "./turns.ts";
import { countersOf, driveWatched, promptsOf, untilComplete } from "./watched.ts";
import {
  createWorld,
  eventsOf,
  golden,
  phasesEntered,
  untestedFiles,
  type CliResult,
  type CassetteFile,
  type World,
} from "./world.ts";

const wrong = 'the test "EC2 drops separators at both ends" asks for "-hello", the spec for "hello"';
const claim = 'the test "EC1 gives an empty slug for an empty text" should ask for "-"';
const refusal = "EC1 of the spec says that the slug is empty; the test stands";

async function cassette(): Promise<CassetteFile> {
  const { roles, ...rest } = await golden();
  const right = (roles.tester[0]?.does?.[0] as { write: { content: string } }).write.content;
  const faulty = right.replace('" - Hello! "), "hello"', '" - Hello! "), "-hello"');
  const path = "test/slugify.test.js";
  const other = "test/other.test.js";
  return {
    ...rest,
    roles: {
      ...roles,
      tester: [
        act("RC", { write: { [path]: faulty } }),
        // It changes more than the disputed test, is refused, and then changes only that.
        {
          ...act("TA", { write: { [path]: right, [other]: right } }),
          expects: [wrong],
        },
        {
          ...act("RC", { write: { [path]: right }, shell: `rm ${other}` }),
          expects: ["only the disputed test may change"],
        },
        { ...act("RC", { message: refusal }), expects: [claim] },
      ],
      coder: [
        act("TI", { write: { "src/half.js": "export const half = 1;\n" }, message: wrong }),
        act("TI", { message: claim }),
        {
          ...act("GC", {
            write: {
              "src/slugify.js": slugify.right.replace("./words.js", "./case.js"),
              "src/case.js": 'export { words } from "./words.js";\n',
            },
          }),
          expects: [refusal, "A person decided: the test is right: read the spec"],
        },
        {
          ...act("GC", { write: { "src/slugify.js": slugify.right } }),
          expects: ["ITERATION 2 of 5", "one source file"],
        },
      ],
      // No review of the code: the run ends there.
      gemini: [roles.gemini[0], roles.gemini[1], roles.gemini[1]].flatMap((turn) => turn ?? []),
      claude: [roles.claude[0], roles.claude[1], roles.claude[1]].flatMap((turn) => turn ?? []),
    },
  };
}

describe("a disputed test", () => {
  let world: World;
  let run: string;
  let waited: CliResult;
  let events: readonly Recorded[];
  let after: readonly Recorded[];
  beforeAll(async () => {
    world = await createWorld({
      ...(await untestedFiles()),
      "mettle.yaml": "version: 1\norchestrate:\n  one_file_per_iteration: true\n",
    });
    run = await world.start(await cassette());
    await driveWatched(world, run, { on: untilComplete("4 USER_GATE_PLAN") });
    waited = await callIn(world, ["resume", run]);
    events = (await world.host.journal.read(run)).map(recorded);
  });

  verifies(
    ["ORC-20", "CORE-32"],
    "goes to its writer: agreement re-opens it alone, disagreement waits for a person with both texts, nothing is charged",
    async () => {
      expect([waited.code, waited.stdout]).toMatchObject([
        3,
        expect.stringContaining("The coder says a test is wrong"),
      ]);
      expect(phasesEntered(events).slice(4)).toEqual([
        "5 TDD_RED",
        "6 TEST_DUAL_REVIEW",
        "7 TDD_GREEN",
        "5 TDD_RED",
        "6 TEST_DUAL_REVIEW",
        "7 TDD_GREEN",
        "5 TDD_RED",
      ]);
      const outcomes = eventsOf(events, "result").filter(({ key }) => /^(red|dispute|green)/.test(key));
      expect(outcomes.map(({ key, outcome }) => `${key} ${outcome}`)).toEqual([
        "red#1 RC",
        "red_check#1 pass",
        "green#1 TI",
        "dispute#1 TA",
        "red_check#2 fail",
        "red#2 RC",
        "red_check#3 pass",
        "green#2 TI",
        "dispute#2 RC",
      ]);
      expect(
        eventsOf(events, "gate.judged")
          .find(({ key }) => key === "red_check#2")
          ?.reasons.join(),
      ).toContain(
        "only the disputed test may change (test/slugify.test.js::EC2 drops separators at both ends); also changed: test/other.test.js",
      );
      const frozen = eventsOf(events, "files.frozen");
      expect(frozen.map(({ required }) => required.length)).toEqual([5, 5]);
      expect(frozen[1]?.commit).not.toBe(frozen[0]?.commit);
      expect(countersOf(events)).toMatchObject({ green: "1/5", same_error: "0/2", gate2: "1/3" });
      const text = eventsOf(events, "ask.shown").at(-1)?.text;
      expect(text).toContain(`coder: ${claim}`);
      expect(text).toContain(`tester: ${refusal}`);
      // The coder's unfinished work is kept, though it is not used.
      const [kept] = eventsOf(events, "work.rescued");
      expect(await world.repository.git("show", `${kept?.ref}:src/half.js`)).toContain("half");
    },
  );

  verifies(
    "ORC-20",
    "a person's answer reaches the coder, and its first iteration is still the first",
    async () => {
      await callIn(world, ["answer", run, "test-right", "read the spec"]);
      after = (await world.host.journal.read(run)).map(recorded);
      expect(eventsOf(after, "phase.completed").map(({ phase }) => phase)).toContain("7 TDD_GREEN");
      expect((await promptsOf(world, after, "coder"))[2]).toContain("ITERATION 1 of 5");
    },
  );

  verifies("ORC-41", "an iteration that changes two files is rejected if the settings say so", () => {
    const [first, second] = eventsOf(after, "gate.judged").filter(({ gate }) => gate === "green");
    expect(first?.reasons).toEqual([expect.stringContaining("src/case.js, src/slugify.js")]);
    expect(second?.verdict).toBe("pass");
  });
});
