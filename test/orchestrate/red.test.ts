/**
 * Three parallel runs in one repository: one that is refused once and reviewed twice, its neighbour, and a hopeless
 * one. The first two are planned in turns, phase by phase, each with its own documents.
 */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect } from "vitest";
import { readReview } from "../../src/gates/review/review.ts";
import { reviewFormats } from "../../src/gates/review/review-formats.ts";
import type { Recorded } from "../../src/log/run-event.ts";
import { sha256 } from "../../src/lib/hash.ts";
import { stateLineOf } from "../../src/views/run/run-state-line.ts";
import { emptyView, foldView } from "../../src/log/run-view.ts";
import { callIn } from "../cli/here.ts";
import { verifies } from "../verifies.ts";
import { act, answers, slugify } from "./turns.ts";
import { countersOf, driveWatched, promptsOf, untilComplete } from "./watched.ts";
import {
  createWorld,
  demoFiles,
  eventsOf,
  golden,
  phasesEntered,
  answerAll,
  type CassetteFile,
  type DriveResult,
  type TurnFile,
  type World,
} from "./world.ts";

const path = "test/slugify.test.js";
const shared = "/tmp/test_output.txt";
const issue = "FR2 is tested with one separator only";
const fields = "VERDICT: APPROVED\nCOVERAGE_CHECK: YES\nRED_PHASE_CHECK: YES\nISSUES: none";

function head(test: string): string {
  return `import assert from "node:assert/strict";\nimport { test } from "node:test";\n\n${test}\n`;
}

const passing = head('test("FR1 is one", () => assert.equal(1, 1));');

interface CopiedFiles {
  /** Where the second reviewer and the coder copy their test output to. */
  readonly copy: string;
}

function withCopies({ roles, ...rest }: CassetteFile, { copy }: CopiedFiles): CassetteFile {
  const shell = (name: string) => ({ shell: `cp .claude/temp/test_output.txt ${copy}-${name}` });
  const [plan, tests, ...others] = roles.claude;
  const seeing = (turn: TurnFile | undefined): TurnFile => ({
    ...turn,
    does: [shell("claude"), ...(turn?.does ?? [])],
  });
  return {
    ...rest,
    roles: {
      ...roles,
      claude: [plan ?? {}, seeing(tests), seeing(tests), ...others],
      coder: [
        {
          does: [shell("coder"), { write: { path: "src/slugify.js", content: slugify.right } }],
          report: { status: "GC" },
        },
      ],
    },
  };
}

async function refusedOnce(): Promise<CassetteFile> {
  const { roles, ...rest } = await golden();
  const [honest = {}] = roles.tester;
  const more = { shell: `sed -i 's/Hello,  big world/Hello, - big world/' ${path}` };
  return {
    ...rest,
    roles: {
      ...roles,
      tester: [
        act("RC", { write: { [path]: passing } }),
        { ...honest, expects: ["tests wrong, rewrite", `${path}::FR1 is one`] },
        { does: [more], report: { status: "RC" }, expects: [issue] },
      ],
      gemini: [
        ...roles.gemini.slice(0, 1),
        answers(`VERDICT: NEEDS_WORK\nCOVERAGE_CHECK: YES\nRED_PHASE_CHECK: YES\nISSUES:\n- ${issue}`),
        answers(fields),
      ],
    },
  };
}

async function neighbour(): Promise<CassetteFile> {
  const { roles, ...rest } = await golden();
  const text = JSON.stringify(roles.tester).replaceAll("makes letters lower case", "never shouts");
  return { ...rest, roles: { ...roles, tester: JSON.parse(text) as TurnFile[] } };
}

const readers = ["planner", "claude", "tester"] as const;
const names = ["spec", "architecture", "plan-review"] as const;

/** Adds a word to every document; each reader records, below `log`, what it reads first. */
function documented(plain: CassetteFile, word: string, log: string): CassetteFile {
  const cassette = JSON.parse(
    JSON.stringify(plain)
      .replaceAll("# slugify\\n", `# slugify ${word}\\n`)
      .replaceAll("# Architecture\\n", `# Architecture ${word}\\n`),
  ) as CassetteFile;
  const [review] = cassette.roles.claude;
  for (const step of review?.does ?? []) {
    const write = step["write"] as { content: string } | undefined;
    if (write) write.content = write.content.replace("SUGGESTIONS: none", `SUGGESTIONS:\n- ${word}`);
  }
  for (const role of readers)
    cassette.roles[role][0]?.does?.unshift({
      shell: `cd .claude/temp && sha256sum *.md > ${log}-${role}.log`,
    });
  return cassette;
}

async function filesSeenBy(log: string, role: string): Promise<readonly string[]> {
  const lines = (await readFile(`${log}-${role}.log`, "utf8")).trimEnd().split("\n");
  return lines.map((line) => line.replace(/^(\w+) +(.*)$/u, "$2 sha256:$1"));
}

/** Five ways to fail RED. */
async function hopeless(): Promise<CassetteFile> {
  const { roles, ...rest } = await golden();
  const tester = [
    act("RC", { write: { [path]: passing } }),
    act("RC", { write: { "package.json": '{ "name": "words", "type": "module", "scripts": {} }\n' } }),
    act("RC", {
      write: { [path]: head('test("FR1", () => {') },
      shell: "git checkout --quiet HEAD^ -- package.json",
    }),
    act("RC", { write: { [path]: head("") } }),
    act("RC", { write: { [path]: head('test.skip("FR1 FR2 EC1 EC2 ERR1", () => assert.equal(1, 2));') } }),
  ];
  return { ...rest, roles: { ...roles, tester } };
}

describe("three runs at once", () => {
  let world: World;
  let first: DriveResult;
  let second: DriveResult;
  let third: DriveResult;
  let before: boolean;
  beforeAll(async () => {
    before = existsSync(shared);
    world = await createWorld(await demoFiles());
    const log = (name: string) => join(world.home, name);
    const plans = [
      documented(withCopies(await refusedOnce(), { copy: log("first") }), "one", log("first")),
      documented(withCopies(await neighbour(), { copy: log("second") }), "two", log("second")),
    ];
    // Both choose a folder at the same moment.
    const planned = await Promise.all(plans.map((plan) => world.start(plan)));
    for (const phase of ["1 INTAKE", "2 PLANNING", "3 PLAN_DUAL_REVIEW"])
      for (const run of planned) await driveWatched(world, run, { on: untilComplete(phase) });
    const runs = [...planned, await world.start(await hopeless())];
    const on = (event: Recorded) =>
      event.type === "commit.made" && event.kind === "green" ? "stop" : undefined;
    const driven = await Promise.all(runs.map((run) => driveWatched(world, run, { answer: answerAll, on })));
    [first, second, third] = driven as [DriveResult, DriveResult, DriveResult];
  }, 180_000);

  verifies(
    "ORC-93",
    "two runs do not mix: each shows its documents in its own folder, and its agents read those",
    async () => {
      const both = [first, second];
      const folders = both.map(({ context }) => context.started.folder);
      const plain = folders.indexOf(".claude/temp");
      expect([0, 1]).toContain(plain);
      expect(folders[1 - plain]).toBe(`.claude/temp/${both[1 - plain]?.run}`);

      const known = both.map(({ context }) => names.map((name) => context.session.view.documents[name]?.ref));
      expect(new Set(known.flat()).size).toBe(6);
      for (const [index, folder] of folders.entries()) {
        const shown = names.map((name) => readFile(join(world.repository.dir, folder, `${name}.md`)));
        expect((await Promise.all(shown)).map((bytes) => sha256(bytes))).toEqual(known[index]);
      }

      for (const [index, name] of ["first", "second"].entries()) {
        const [spec, architecture] = known[index] ?? [];
        const log = join(world.home, name);
        expect(await filesSeenBy(log, "planner")).toEqual([`spec.md ${spec}`]);
        for (const role of ["claude", "tester"])
          expect(await filesSeenBy(log, role)).toEqual([
            `architecture.md ${architecture}`,
            `spec.md ${spec}`,
          ]);
      }
    },
  );

  verifies(
    "ORC-21",
    "tests that pass are answered with their ids, and the failing rewrite is accepted at iteration 2",
    async () => {
      const judged = eventsOf(first.events, "gate.judged").filter(({ gate }) => gate === "red");
      expect(judged.map(({ verdict }) => verdict)).toEqual(["fail", "pass", "pass"]);
      expect(judged[0]?.reasons.join("\n")).toContain(
        `tests wrong, rewrite: 1 test passes before implementation: rewrite ${path}::FR1 is one`,
      );
      const prompts = await promptsOf(world, first.events, "tester");
      expect(prompts[1]).toContain("You have at most 5 refused attempts; this is attempt 2.");
    },
  );

  verifies(
    "ORC-18",
    "NEEDS_WORK at gate 2 leads to the test writer, a new RED record, and two new reviews",
    () => {
      expect(phasesEntered(first.events).slice(4)).toEqual([
        "5 TDD_RED",
        "6 TEST_DUAL_REVIEW",
        "5 TDD_RED",
        "6 TEST_DUAL_REVIEW",
        "7 TDD_GREEN",
      ]);
      const reviews = eventsOf(first.events, "review.given").filter(({ gate }) => gate === 2);
      const records = eventsOf(first.events, "record.written").filter(
        ({ purpose, verdict }) => purpose === "red" && verdict === "pass",
      );
      expect(reviews.map(({ reviewer, verdict }) => `${reviewer} ${verdict}`).toSorted()).toEqual([
        "claude APPROVED",
        "claude APPROVED",
        "gemini APPROVED",
        "gemini NEEDS_WORK",
      ]);
      expect(records.map(({ commit }) => commit)).toEqual([
        ...new Set(reviews.map(({ reviewed }) => reviewed["commit"])),
      ]);
      const rounds = reviews.slice(0, 2).every(({ seq }) => seq < (records[1]?.seq ?? 0));
      expect([records.length, rounds]).toEqual([2, true]);
      const view = foldView(
        emptyView(first.run),
        first.events.filter(({ seq }) => seq <= (reviews[3]?.seq ?? 0)),
      );
      expect(stateLineOf(view)).toContain("[Orc.Phase6_TEST_DUAL_REVIEW] [Gemini: 2/3] [Claude: 2/3]");
      expect(countersOf(first.events)).toMatchObject({ gate2: "2/3", red: "1/5" });
    },
  );

  verifies("CORE-27", "`mettle show` lists the frozen files with the hashes of their content", async () => {
    const frozen = eventsOf(first.events, "files.frozen").at(-1)?.files ?? {};
    expect(Object.keys(frozen)).toEqual(expect.arrayContaining([path, "package.json", "test/words.test.js"]));
    const { stdout } = await callIn(world, ["show", first.run]);
    const listed = stdout.split("\n").filter((line) => line.startsWith("  frozen "));
    expect(listed).toEqual(Object.entries(frozen).map(([file, hash]) => `  frozen    ${file}  ${hash}`));
    const json = await callIn(world, ["show", first.run, "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ frozen });
  });

  verifies(
    "ORC-27",
    "gate 2 gives the first reviewer spec, every test file and the RED output, and reads four fields",
    async () => {
      const prompt = (await promptsOf(world, first.events, "gemini")).at(-1) ?? "";
      const commit = eventsOf(first.events, "files.frozen").at(-1)?.commit ?? "";
      const names = (await world.repository.git("ls-tree", "-r", "--name-only", commit, "test")).split("\n");
      expect(names).toEqual([path, "test/words.test.js"]);
      for (const name of names) {
        const text = await world.repository.git("show", `${commit}:${name}`);
        expect(prompt).toContain(`--- ${name} ---\n${text}\n`);
      }
      const { documents } = first.context.session.view;
      for (const name of ["spec", "test-output"])
        expect(prompt).toContain(await world.host.payloads.text(documents[name]?.ref ?? ""));
      expect(prompt).toContain(`Validate:
1. Tests cover all requirements from spec
2. Tests cover edge cases from spec
3. Tests are meaningful (not trivial/always-pass)
4. Tests FAIL correctly (deliberate RED phase)
5. Test assertions are specific, not vague
`);
      const format = reviewFormats["tests-gemini"];
      const given = eventsOf(first.events, "review.given").findLast(({ reviewer }) => reviewer === "gemini");
      expect(Object.keys(given?.fields ?? {})).toEqual(["COVERAGE_CHECK", "RED_PHASE_CHECK", "ISSUES"]);
      const read = (answer: string) => readReview({ answer }, format).type;
      for (const name of ["VERDICT", "COVERAGE_CHECK", "RED_PHASE_CHECK", "ISSUES"])
        expect(read(fields.replace(`${name}:`, "OTHER:"))).toBe("inconclusive");
      expect([fields, fields.replace("COVERAGE_CHECK: YES", "COVERAGE_CHECK: NO - EC2")].map(read)).toEqual([
        "verdict",
        "verdict",
      ]);
      for (const [right, wrong] of [
        ["VERDICT: APPROVED", "VERDICT: FINE"],
        ["COVERAGE_CHECK: YES", "COVERAGE_CHECK: mostly"],
        ["RED_PHASE_CHECK: YES", "RED_PHASE_CHECK: NO - one passes"],
      ] as const)
        expect([wrong, read(fields.replace(right, wrong))]).toEqual([wrong, "inconclusive"]);
    },
  );

  verifies(
    "ORC-47",
    "each run's output reaches its own reviewers and coder only, and no shared file is used",
    async () => {
      const own = ["makes letters lower case", "never shouts"];
      for (const [index, { events, run }] of [first, second].entries()) {
        const name = index === 0 ? "first" : "second";
        const prompt = (await promptsOf(world, events, "gemini")).at(-1) ?? "";
        const copies = await Promise.all(
          ["claude", "coder"].map((role) => readFile(join(world.home, `${name}-${role}`), "utf8")),
        );
        const ref =
          eventsOf(events, "document.written").findLast((event) => event.name === "test-output")?.ref ?? "";
        const output = await world.host.payloads.text(ref);
        expect([run, copies]).toEqual([run, [output, output]]);
        for (const text of [prompt, output]) {
          expect(text).toContain(`FR1 ${own[index]}`);
          expect(text).not.toContain(`FR1 ${own[1 - index]}`);
        }
      }
      expect(existsSync(shared)).toBe(before);
    },
  );

  verifies("ORC-74", "the fifth refused RED stops the run with the reasons of all five", async () => {
    expect(third.end).toMatchObject({ type: "waiting", asks: [{ state: "red_loop", as: "escalated" }] });
    expect(eventsOf(third.events, "dispatch.started").filter(({ role }) => role === "tester").length).toBe(5);
    const trip = eventsOf(third.events, "breaker.tripped").at(-1);
    expect(trip).toMatchObject({ attempts: 5, max: 5 });
    const reasons = trip?.lastError.split("\n") ?? [];
    const told = [
      /^attempt 1: fails: tests wrong, rewrite: .*FR1 is one/,
      /^attempt 2: .*only tests and fixtures .* also changed: package\.json/,
      /^attempt 3: .*does not load/,
      /^attempt 4: .*holds no test/,
      /^attempt 5: .*no test may be hidden/,
    ];
    expect(reasons.map((line, index) => [line, told[index]?.test(line)])).toEqual(
      reasons.map((line) => [line, true]),
    );
    expect(reasons.length).toBe(5);
    const { text } = eventsOf(third.events, "ask.shown").at(-1) ?? { text: "" };
    for (const reason of reasons) expect(text).toContain(reason);
    const again = await callIn(world, ["resume", third.run]);
    expect([again.code, again.stdout.includes("Attempts: 5/5")]).toEqual([4, true]);
  });
});
