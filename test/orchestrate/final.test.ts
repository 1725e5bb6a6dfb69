/** A result that passes everywhere but in the last verification, in a project that counts files for each iteration. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Recorded } from "../../src/kernel/run-event.ts";
import { recorded } from "../../src/runtime/list-runs.ts";
import { verifies } from "../verifies.ts";
import { act, slugify } from "./turns.ts";
import {
  createWorld,
  untestedFiles,
  eventsOf,
  golden,
  phasesEntered,
  willing,
  type Answer,
  type Called,
  type CassetteFile,
  type Driven,
  type World,
} from "./world.ts";

const title = "FR1 makes letters lower case";

/** The file that the test needs lies outside the repository. */
async function cassette(outside: string): Promise<CassetteFile> {
  const { roles, ...rest } = await golden();
  const text = JSON.stringify(roles.tester)
    .replace("import { test }", 'import { existsSync } from \\"node:fs\\";\\nimport { test }')
    .replace(
      'assert.equal(slugify(\\"HELLO\\")',
      `assert.ok(existsSync(${JSON.stringify(JSON.stringify(outside)).slice(1, -1)}));\\n  assert.equal(slugify(\\"HELLO\\")`,
    );
  const split = slugify.right.replace("./words.js", "./case.js");
  return {
    ...rest,
    roles: {
      ...roles,
      tester: JSON.parse(text) as CassetteFile["roles"]["tester"],
      coder: [
        act("GC", {
          write: { "src/slugify.js": split, "src/case.js": 'export { words } from "./words.js";\n' },
        }),
        {
          ...act("GC", { write: { "src/slugify.js": slugify.right } }),
          expects: ["ITERATION 2 of 5", "one source file"],
        },
        {
          ...act("GC", { write: { "src/slugify.js": `// looked at again\n${slugify.right}` } }),
          expects: ["the file is back", title],
        },
      ],
      gemini: [...roles.gemini, ...roles.gemini.slice(2)],
      claude: [...roles.claude, ...roles.claude.slice(2)],
    },
  };
}

describe("a suite that fails only at the end", () => {
  let world: World;
  let driven: Driven;
  let blocked: Called;
  let events: readonly Recorded[];
  let outside: string;
  beforeAll(async () => {
    world = await createWorld({
      ...(await untestedFiles()),
      "mettle.yaml": "version: 1\norchestrate:\n  one_file_per_iteration: true\n",
    });
    outside = join(world.home, "outside.txt");
    writeFileSync(outside, "here\n");
    const answer: Answer = (context, ask) => {
      if (ask.state === "user_gate_code") rmSync(outside);
      return willing(context, ask);
    };
    driven = await world.go(await cassette(outside), answer);
    blocked = await world.cli(["resume", driven.run]);
    events = driven.events;
  }, 180_000);
  afterAll(() => world.remove());

  test("an iteration that touches two files is rejected where the settings say so (ORC-41)", () => {
    const [first, second] = eventsOf(events, "gate.judged").filter(({ gate }) => gate === "green");
    expect(first?.reasons).toEqual([expect.stringContaining("src/case.js, src/slugify.js")]);
    expect(second?.verdict).toBe("pass");
  });

  verifies(
    "CORE-42",
    "a proof that would end otherwise now is named with the test that differs",
    async () => {
      const replayed = await world.cli(["verify", driven.run, "--replay", "--json"]);
      expect([replayed.code, replayed.json()]).toMatchObject([
        1,
        {
          verdict: "fail",
          phase: "7 TDD_GREEN",
          why: expect.stringContaining(`test/slugify.test.js::${title}`),
        },
      ]);
    },
    60_000,
  );

  verifies(
    ["ORC-83", "ORC-84"],
    "trips the breaker of the final verification with its failing tests, and nothing approved is lost",
    async () => {
      const { run } = driven;
      expect(driven.end).toMatchObject({
        type: "waiting",
        asks: [{ state: "final_failed", as: "escalated" }],
      });
      expect(blocked.code).toBe(4);
      expect(blocked.stdout).toContain("Trigger: final verification failed\n");
      expect(blocked.stdout).toContain(`test/slugify.test.js::${title}`);
      expect(blocked.stdout).not.toContain("ORCHESTRATION COMPLETE");
      const green = eventsOf(events, "head.moved").findLast(({ kind }) => kind === "green")?.commit;
      expect(await world.repository.git("rev-parse", `mettle/${run}/work`)).toBe(green);
      expect((await world.repository.git("branch", "--list", `mettle/${run}/result`)).trim()).toBe("");
      for (const option of ["--reset", "--context", "--approach"])
        expect(blocked.stdout).toContain(`mettle resume ${run} ${option}`);

      writeFileSync(outside, "here\n");
      const resumed = await world.cli(["resume", run, "--context", "the file is back"]);
      expect(resumed.code).toBe(3);
      const all = (await world.host.journal.read(run)).map(recorded);
      const since = phasesEntered(all.filter(({ seq }) => seq > (events.at(-1)?.seq ?? 0)));
      expect(since).toEqual(["7 TDD_GREEN", "8 CODE_DUAL_REVIEW", "9 USER_GATE_CODE"]);
    },
    120_000,
  );
});
