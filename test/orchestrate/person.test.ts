/** A person at the command line: one run from its questions to the waiting code, command by command. */
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect } from "vitest";
import type { Recorded } from "../../src/log/run-event.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { readRecord } from "../../src/run/blocks.ts";
import { openRun } from "../../src/families/open-run.ts";
import { parseExecutionBlock } from "../support/parse-block.ts";
import { stateLineOf } from "../../src/views/run/run-state-line.ts";
import { emptyView, foldView } from "../../src/log/run-view.ts";
import type { WaitingAsk } from "../../src/views/run/status.ts";
import { callIn } from "../cli/here.ts";
import { verifies } from "../verifies.ts";
import { promptsOf } from "./watched.ts";
import {
  createWorld,
  untestedFiles,
  eventsOf,
  golden,
  type CliResult,
  type CassetteFile,
  type World,
} from "./world.ts";

const planReason = "Say in the plan which file is new";
const codeReason = "Say in a comment what a slug is";
const remark = "A word of the person's own.";
const issue = "an accent is no letter here";

describe("one run as its person sees it", () => {
  let world: World;
  let run = "";
  let events: readonly Recorded[];
  /** The outputs of the program, in order. */
  let asked: CliResult;
  let unknown: CliResult;
  let answeredOne: CliResult;
  let planned: CliResult;
  let stale: CliResult;
  let again: CliResult;
  let unreasoned: CliResult;
  let rejected: CliResult;
  let built: CliResult;
  let moved: CliResult;
  let reworked: CliResult;
  let afterFirstAnswer: readonly Recorded[];
  let whilePlanWaits: readonly Recorded[];
  beforeAll(async () => {
    world = await createWorld({ ...(await untestedFiles()), ".gitignore": "mettle.yaml\n" });
    const kill = join(world.home, "kill");
    await world.repository.write({
      // Kills the program between question and answer, if a test requests it.
      "mettle.yaml": `version: 1\nnotify: { command: "test ! -e ${kill} || { rm ${kill}; kill -9 $PPID; }" }\n`,
    });
    const agent = await world.agent(withExtraTurns(await golden()));
    asked = await callIn(world, ["run", '@orchestrate "Add slugify"', "--json", "--agent", agent]);
    run = String(asked.json()["run"]);
    unknown = await callIn(world, ["answer", run, "Q9=nine", "--json"]);
    answeredOne = await world.cli(["answer", run, "Q2=two", "--json"]);
    afterFirstAnswer = await eventsNow();
    planned = await callIn(world, ["answer", run, "Q1=one", "Q3=three", "Q4=four", "Q5=five", "--json"]);
    whilePlanWaits = await eventsNow();

    const spec = join(world.repository.dir, ".claude/temp/spec.md");
    await writeFile(spec, (await readFile(spec, "utf8")).replace("All tests pass.", "All tests pass!"));
    stale = await callIn(world, ["approve", run, "--json"]);
    again = await callIn(world, ["resume", run, "--json"]);

    unreasoned = await callIn(world, ["reject", run, "--reason", " "]);
    await appendFile(join(world.repository.dir, ".claude/temp/architecture.md"), `\n${remark}\n`);
    await writeFile(kill, "");
    rejected = await world.cli(["reject", run, "--reason", planReason]);
    // Another process, in another folder, after the one that showed the plan was killed.
    built = await world.cli(["approve", run], { cwd: join(world.repository.dir, "src") });

    const branch = `refs/heads/mettle/${run}/work`;
    const shown = await world.repository.git("rev-parse", branch);
    const other = await world.repository.git(
      "commit-tree",
      `${shown}^{tree}`,
      "-p",
      shown,
      "-m",
      "Another commit",
    );
    await world.repository.git("update-ref", branch, other);
    moved = await callIn(world, ["approve", run, "--json"]);
    await world.repository.git("update-ref", branch, shown);
    reworked = await callIn(world, ["reject", run, "--reason", codeReason, "--json"]);
    events = await eventsNow();
  }, 180_000);

  verifies(
    "ORC-70",
    "without a terminal questions are listed with their ids, and Phase 1 continues only when all are answered",
    () => {
      expect(asked.code).toBe(3);
      expect(waitingOf(asked)).toMatchObject({
        kind: "questions",
        questions: [{ id: "Q1", topic: "inputs" }, {}, {}, {}, {}],
      });
      expect([unknown.code, unknown.json()["error"]]).toMatchObject([2, { code: "question_unknown" }]);
      expect(answeredOne.code).toBe(3);
      expect(waitingOf(answeredOne)?.questions.map(({ id }) => id)).toEqual(["Q1", "Q3", "Q4", "Q5"]);
      expect(dispatchesOf(afterFirstAnswer, "intake")).toEqual(["intake#1"]);
      expect(dispatchesOf(whilePlanWaits, "intake")).toEqual(["intake#1", "intake#2"]);
      const shown = eventsOf(events, "ask.shown").filter(({ key }) => key.startsWith("questions"));
      expect(shown).toHaveLength(1);
    },
  );

  verifies("ORC-88", "with --json the state line is a field of its own", () => {
    for (const called of [asked, answeredOne, planned, again, reworked])
      expect(called.json()["state_line"]).toMatch(
        /^\[Orc\.Phase\d+_\w+\] \[Gemini: \d\/3\] \[Claude: \d\/3\] \[Exec: (?:UN)?PROVEN\] \[Exit: (?:\d+|PENDING)\] \[Status: (?:in_progress|blocked)\]$/u,
      );
  });

  verifies("ORC-66", "presents the plan with both verdicts, exits 3, and starts no test writer", () => {
    expect(planned.code).toBe(3);
    const waiting = waitingOf(planned);
    expect(waiting).toMatchObject({ kind: "plan", hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/u) });
    const folder = join(world.repository.dir, ".claude/temp");
    const shown = waiting?.shown ?? "";
    for (const part of [
      "PLAN SUMMARY",
      "FR2: words are joined by one hyphen, punctuation is dropped",
      "src/slugify.js",
      'EC1: "EC1 gives an empty slug for an empty text"',
      `${folder}/spec.md`,
      `${folder}/architecture.md`,
      "Gemini review (scripted): APPROVED\nISSUES: none",
      `Claude review (scripted): APPROVED\nISSUES: - ${issue}`,
    ])
      expect(shown).toContain(part);
    expect(dispatchesOf(whilePlanWaits, "tester")).toEqual([]);
  });

  verifies(
    ["ORC-68", "ORC-71"],
    "a person's edit of the plan makes an approval stale and goes through gate 1 again",
    () => {
      expect([stale.code, stale.json()["error"]]).toMatchObject([
        1,
        { code: "approval_stale", message: expect.stringContaining("spec.md changed after it was shown") },
      ]);
      const revision = eventsOf(events, "document.written").find(({ by }) => by === "person");
      expect(revision).toMatchObject({ name: "spec" });
      const asksAgain = eventsOf(events, "ask.shown").find(({ key }) => key === "user_gate_plan#2");
      const between = eventsOf(events, "review.given").filter(
        ({ seq }) => seq > (revision?.seq ?? Infinity) && seq < (asksAgain?.seq ?? 0),
      );
      expect(between.map(({ label }) => label).sort()).toEqual(["Claude", "Gemini"]);
      for (const { reviewed } of between) expect(reviewed["spec"]).toBe(revision?.ref);
      expect(again.code).toBe(3);
      expect(waitingOf(again)?.kind).toBe("plan");
      expect(waitingOf(again)?.hash).not.toBe(waitingOf(planned)?.hash);
      expect(waitingOf(again)?.shown).not.toBe(null);
    },
  );

  verifies(
    "ORC-71",
    "a rejection includes the person's edits, for the planner to continue from",
    async () => {
      const edits = eventsOf(events, "document.written").filter(({ by }) => by === "person");
      expect(edits.map(({ name, key }) => ({ name, key }))).toEqual([
        { name: "spec", key: "user_gate_plan#1" },
        { name: "architecture", key: "user_gate_plan#2" },
      ]);
      expect(await world.host.payloads.text(edits[1]?.ref ?? "")).toContain(remark);
    },
  );

  verifies("ORC-68", "an approval survives a killed process, and one of another commit is refused", () => {
    // SIGKILL: it printed nothing more and has no exit code.
    expect(rejected.code).toBe(-1);
    const asks = eventsOf(events, "ask.shown").filter(({ key }) => key.startsWith("user_gate_plan"));
    const approved = eventsOf(events, "result").find(
      ({ outcome, key }) => outcome === "approve" && key === asks.at(-1)?.key,
    );
    expect(approved).toMatchObject({ by: { answeredBy: "file", authenticated: false } });
    expect(asks.map(({ key }) => key)).toEqual(["user_gate_plan#1", "user_gate_plan#2", "user_gate_plan#3"]);
    const code = eventsOf(events, "ask.shown").find(({ key }) => key.startsWith("user_gate_code"));
    const green = eventsOf(events, "head.moved").find(({ kind }) => kind === "green");
    expect(code?.shown["commit"]).toBe(green?.commit);
    expect([moved.code, moved.json()["error"]]).toMatchObject([1, { code: "approval_stale" }]);
  });

  verifies(
    "CORE-73",
    "answers are bound to what was shown, accepted from any process, asked once and journaled",
    () => {
      const answers = eventsOf(events, "result").filter(({ by }) => by !== undefined);
      expect(answers.map(({ key, outcome }) => `${key} ${outcome}`)).toEqual([
        "questions#1 answered",
        "user_gate_plan#1 changed",
        "user_gate_plan#2 reject",
        "user_gate_plan#3 approve",
        "user_gate_code#1 reject",
      ]);
      for (const { by, at } of answers) {
        expect(by?.who).not.toBe("");
        expect(Number.isNaN(Date.parse(at))).toBe(false);
      }
      const shown = eventsOf(events, "ask.shown").map(({ key }) => key);
      expect(shown).toEqual([...new Set(shown)]);
      expect(
        eventsOf(events, "question.answered").map(({ id, text, by }) => [id, text, by.answeredBy]),
      ).toEqual([
        ["Q2", "two", "file"],
        ["Q1", "one", "file"],
        ["Q3", "three", "file"],
        ["Q4", "four", "file"],
        ["Q5", "five", "file"],
      ]);
    },
  );

  verifies(
    "ORC-22",
    "a rejection goes back with its reason, the gates restart, and an empty one is refused",
    async () => {
      expect([unreasoned.code, unreasoned.stderr.split(":")[0]]).toEqual([2, "error[reason_required]"]);
      for (const [role, state, reason] of [
        ["planner", "planning", planReason],
        ["coder", "green", codeReason],
      ] as const) {
        const [first, second] = await promptsOf(world, events, role);
        expect(first).not.toContain(reason);
        expect(second).toContain(`A PERSON REJECTED THE LAST RESULT with these words:\n${reason}\n`);
        const issued = eventsOf(events, "command.issued").find(({ key }) => key === `${state}#2`);
        expect(lineAt(issued?.seq ?? 0)).toContain("[Gemini: 0/3] [Claude: 0/3]");
        expect(issued?.command).toMatchObject({
          counters: { gate1: { value: 1 }, gate2: { value: 1 }, gate3: { value: 1 } },
        });
      }
      expect(reworked.code).toBe(3);
      expect(reworked.json()["state_line"]).toMatch(
        /^\[Orc\.Phase9_USER_GATE_CODE\] \[Gemini: 1\/3\] \[Claude: 1\/3\]/u,
      );
      expect(waitingOf(reworked)?.kind).toBe("code");
    },
  );

  verifies(
    "ORC-67",
    "presents the code with both reviews and the actual block, then the waiting line, and exits 3",
    async () => {
      expect(built.code).toBe(3);
      const text = built.stdout.slice(built.stdout.lastIndexOf("IMPLEMENTATION SUMMARY"));
      const places = [
        "IMPLEMENTATION SUMMARY",
        "Gemini review (scripted): APPROVED\nEXECUTION_CHECK: YES",
        "Claude review (scripted): APPROVED\nEXIT_CODE: 0",
        "│ EXECUTION_BLOCK",
        "\n--- WAITING FOR CODE APPROVAL ---\n",
      ].map((part) => text.indexOf(part));
      expect(places).not.toContain(-1);
      expect(places).toEqual(places.toSorted((one, other) => one - other));

      const id = eventsOf(events, "record.written").find(({ purpose }) => purpose === "green")?.id ?? "";
      const context = await openRun(world.host, { run });
      const record = await readRecord(context, id);
      const inner = await Promise.all((record?.inner ?? []).map((one) => readRecord(context, one)));
      const tests = inner.find((one) => one?.purpose === "green.tests");
      const block = parseExecutionBlock(text);
      expect(block?.exit).toBe(String(record?.exitCode));
      const shown = block?.lines ?? [];
      expect(shown.length).toBeGreaterThanOrEqual(10);
      expect(shown).toEqual(record?.lastLines.slice(-shown.length).map((line) => line.trimEnd()));
      expect(block?.inner[0]?.lines).toEqual(tests?.lastLines.slice(-10).map((line) => line.trimEnd()));
      expect([record?.exitCode, tests?.exitCode]).toEqual([0, 0]);
    },
  );

  async function eventsNow(): Promise<readonly Recorded[]> {
    return (await world.host.journal.read(run)).map(recorded);
  }

  function lineAt(seq: number): string | null {
    return stateLineOf(
      foldView(
        emptyView(run),
        events.filter((event) => event.seq <= seq),
      ),
    );
  }
});

function waitingOf(called: CliResult): WaitingAsk | null {
  return called.json()["waiting"] as WaitingAsk | null;
}

function dispatchesOf(events: readonly Recorded[], role: string): readonly string[] {
  return eventsOf(events, "dispatch.started").flatMap((event) => (event.role === role ? [event.key] : []));
}

/** The golden cassette with enough turns for an edit and a rejection of the plan, and one of the code. */
function withExtraTurns(cassette: CassetteFile): CassetteFile {
  const { planner, coder, gemini, claude } = cassette.roles;
  const [planGemini, testGemini, codeGemini] = gemini;
  const [planClaude, testClaude, codeClaude] = claude;
  const listed = JSON.parse(
    JSON.stringify(planClaude).replace("ISSUES: none", `ISSUES:\\n- ${issue}`),
  ) as typeof planClaude;
  const turns = <T>(...list: readonly (T | undefined)[]): T[] => list.filter((turn) => turn !== undefined);
  return {
    ...cassette,
    roles: {
      ...cassette.roles,
      planner: [...planner, ...planner],
      coder: [...coder, ...coder],
      gemini: turns(planGemini, planGemini, planGemini, testGemini, codeGemini, codeGemini),
      claude: turns(listed, listed, listed, testClaude, codeClaude, codeClaude),
    },
  };
}
