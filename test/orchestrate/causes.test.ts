/**
 * Every cause of an inconclusive gate in one run, which pauses with exit 5, charges nothing and repeats that step.
 * @module-tag ci
 */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect } from "vitest";
import type { Recorded } from "../../src/log/run-event.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { callIn } from "../cli/here.ts";
import { verifies } from "../verifies.ts";
import { reviews } from "./turns.ts";
import { countersOf, driveWatched, startsOf } from "./watched.ts";
import { createWorld, eventsOf, golden, untestedFiles, type CassetteFile, type World } from "./world.ts";

/** The trouble in every test run while the machine has it; the report is beside the run's home. */
const troubles = {
  "zero tests": "process.exit(0);",
  "no report": "rmSync(report, { force: true });",
  "unparsable report": 'writeFileSync(`${report}.new`, "<html>\\n"); renameSync(`${report}.new`, report);',
  "crashed tool": 'process.kill(process.ppid, "SIGKILL"); for (;;);',
  "time-out": "setInterval(() => undefined, 1000);",
} as const;

interface Row {
  readonly exit: number;
  /** Of the gate or of the reviewer. */
  readonly verdicts: readonly string[];
  readonly reasons: string;
  readonly counters: Readonly<Record<string, string>>;
  /** Dispatches of the coder so far, whose attempts the gates count. */
  readonly coders: number;
  readonly stderr: string;
}

describe("a gate that cannot judge", () => {
  let world: World;
  let run = "";
  let before: Row["counters"] = {};
  const rows = new Map<string, Row>();
  beforeAll(async () => {
    world = await createWorld(await untestedFiles());
    const flag = join(world.home, "trouble");
    await world.repository.write({ "machine.js": machine(flag) });
    await world.repository.commit();
    run = await world.start(await cassette());
    const { events } = await driveWatched(world, run, {
      on: (event) => (event.type === "commit.made" && event.kind === "green" ? "stop" : undefined),
    });
    before = countersOf(events);
    for (const trouble of Object.keys(troubles)) {
      await writeFile(flag, trouble);
      await resume(trouble, ...(trouble === "time-out" ? ["deadlines.testMs=2000"] : []));
    }
    await rm(flag);
    await resume("missing tool", "deadlines.testMs=60000", "runner=vitest");
    // From here on the tests pass, and the second reviewer has trouble.
    await resume("unreachable reviewer", "runner=node:test");
    await resume("usage limit", "--no-wait");
    await rm(join(world.home, "limits"), { recursive: true });
    for (const trouble of ["unparsable reviewer", "none"]) await resume(trouble);
  });

  const eventsNow = async (): Promise<readonly Recorded[]> =>
    (await world.host.journal.read(run)).map(recorded);

  async function resume(cause: string, ...settings: readonly string[]): Promise<void> {
    const { length } = await eventsNow();
    const { code, stderr } = await callIn(world, [
      "resume",
      run,
      ...settings.flatMap((each) => (each.startsWith("--") ? [each] : ["--set", each])),
    ]);
    const events = await eventsNow();
    const judged = eventsOf(events.slice(length), "gate.judged");
    const given = eventsOf(events.slice(length), "review.given");
    rows.set(cause, {
      exit: code,
      verdicts: [
        ...judged.map(({ gate, verdict }) => `${gate} ${verdict}`),
        ...given.map(({ label, verdict }) => `${label} ${verdict}`).sort(),
      ],
      reasons: [...judged.flatMap(({ reasons }) => reasons), ...given.map(({ reason }) => reason)].join("\n"),
      counters: countersOf(events),
      coders: startsOf(events, "coder").length,
      stderr,
    });
  }

  verifies("CORE-13", "is inconclusive for each of nine causes, ends with exit 5, and counts nothing", () => {
    const told = [...rows].map(([cause, { exit, verdicts }]) => [cause, exit, verdicts]);
    const unheard = ["Claude empty", "Claude empty"];
    expect(told).toEqual([
      ["zero tests", 5, ["green inconclusive"]],
      ["no report", 5, ["green inconclusive"]],
      ["unparsable report", 5, ["green inconclusive"]],
      ["crashed tool", 5, ["green inconclusive"]],
      ["time-out", 5, ["green inconclusive"]],
      ["missing tool", 5, ["green inconclusive"]],
      ["unreachable reviewer", 5, ["green pass", ...unheard, "Gemini APPROVED"]],
      ["usage limit", 5, []],
      ["unparsable reviewer", 5, ["Claude inconclusive"]],
      ["none", 3, ["gate3 pass", "Claude APPROVED"]],
    ]);
    expect(before).toMatchObject({ green: "1/5", same_error: "0/2", gate3: "1/3" });
    for (const [cause, { counters, coders }] of rows)
      expect([cause, counters, coders]).toEqual([cause, before, 1]);

    const reasons = (cause: string) => rows.get(cause)?.reasons;
    expect(reasons("zero tests")).toContain("no_tests: test/slugify.test.js");
    expect(reasons("no report")).toContain("the runner left no complete, readable report (exit code 0)");
    expect(reasons("unparsable report")).toContain(
      "the runner left no complete, readable report (exit code 0)",
    );
    expect(reasons("crashed tool")).toContain(
      "the runner left no complete, readable report (exit code none)",
    );
    expect(reasons("time-out")).toContain("the run did not end in time");
    expect(reasons("missing tool")).toContain("runner_not_found: vitest is the project's runner");
    expect(reasons("unreachable reviewer")).toContain("unreachable: ended with exit code 3");
    expect(rows.get("usage limit")?.stderr).toMatch(
      /^error\[usage_limit\]: the usage limit of \S+ is reached until .* UTC: come back at noon/mu,
    );
    expect(reasons("unparsable reviewer")).toBe("unparsable: there is no line VERDICT:");
  });
});

/** A module that the tests load. */
function machine(flag: string): string {
  const cases = Object.entries(troubles).map(
    ([name, does]) => `case ${JSON.stringify(name)}: ${does} break;`,
  );
  return [
    'import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";',
    `const flag = ${JSON.stringify(flag)};`,
    "const report = `${process.env.HOME}/../report/report.json`;",
    'switch (existsSync(flag) ? readFileSync(flag, "utf8") : "none") {',
    ...cases,
    "}",
    "",
  ].join("\n");
}

/** Tests that load the machine's module, and a second reviewer with trouble at gate 3. */
async function cassette(): Promise<CassetteFile> {
  const { roles, ...rest } = await golden();
  const written = roles.tester[0]?.does?.[0]?.["write"] as { path: string; content: string };
  const write = { ...written, content: `import "../machine.js";\n${written.content}` };
  const [plan = {}, tests = {}, code = {}] = roles.claude;
  const crash = { does: [{ crash: 3 }] };
  const limited = { does: [{ fails: { outcome: "rate_limited", why: "come back at noon" } }] };
  const vague = reviews("code-review.md", "APPROVED", "I like it");
  return {
    ...rest,
    roles: {
      ...roles,
      tester: [{ ...roles.tester[0], does: [{ write }] }],
      claude: [plan, tests, crash, crash, limited, { ...vague, nudges: [vague] }, code],
    },
  };
}
