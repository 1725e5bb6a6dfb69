/**
 * One long run with much rework: frozen tests, paths, test issues and code issues of gate 3, a moved branch, and
 * finally a result that fails only the last verification.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect } from "vitest";
import { readReview } from "../../src/gates/review/review.ts";
import { reviewFormats } from "../../src/gates/review/review-formats.ts";
import type { Recorded } from "../../src/log/run-event.ts";
import { retractClaims } from "../../src/hook/session-claims.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { answerAsk } from "../../src/engine/asks/answer.ts";
import { openRun } from "../../src/families/open-run.ts";
import { verifyTree } from "../../src/verify/verify-tree.ts";
import { stateLineOf } from "../../src/views/run/run-state-line.ts";
import { emptyView, foldView } from "../../src/log/run-view.ts";
import { callIn } from "../cli/here.ts";
import { verifies, verifiesInCi } from "../verifies.ts";
import { cassette, codeFields, codeIssue, testIssue, title } from "./rework-cassette.ts";
import { slugify } from "./turns.ts";
import { promptsOf, startsOf } from "./watched.ts";
import {
  createWorld,
  untestedFiles,
  eventsOf,
  phasesEntered,
  answerOnly,
  type CliResult,
  type DriveResult,
  type World,
} from "./world.ts";

describe("a run with much rework", () => {
  let world: World;
  let driven: DriveResult;
  let events: readonly Recorded[];
  let outside: string;
  /** The approval whose last verification fails. */
  let blocked: CliResult;
  beforeAll(async () => {
    world = await createWorld({ ...(await untestedFiles()), "src/large.js": `// ${"x".repeat(410_000)}\n` });
    outside = join(world.home, "outside.txt");
    writeFileSync(outside, "here\n");
    driven = await world.go(await cassette(outside), answerOnly("questions", "user_gate_plan"));
    events = driven.events;
  }, 180_000);

  const judged = (key: string) => eventsOf(events, "gate.judged").find((event) => event.key === key);
  const pathsOf = async (commit: string) =>
    (await world.repository.git("diff", "--name-only", `${commit}^`, commit)).split("\n");

  verifies(
    "ORC-39",
    "a coder that edits a test is rejected, its work kept, and a new one spawned from the frozen commit",
    async () => {
      const [first, second, third] = startsOf(events, "coder");
      expect(judged("green_check#1")?.reasons[0]).toContain("changed test/slugify.test.js");
      const rescued = eventsOf(events, "work.rescued").find(({ key }) => key === "green#1");
      const kept = await world.repository.git("show", `${rescued?.ref}:test/slugify.test.js`);
      expect(rescued?.ref).toBe(`refs/mettle/rescue/${driven.run}/green-1`);
      expect(kept).toContain("// changed");
      expect([second?.resumed, second?.conversation === first?.conversation]).toEqual([false, false]);
      expect([third?.resumed, third?.conversation]).toEqual([true, second?.conversation]);
      const frozen = eventsOf(events, "files.frozen")[0]?.commit;
      expect(eventsOf(events, "commit.made").find(({ key }) => key === "green#2")?.from).toBe(frozen);
      // The cassette's second turn expects ITERATION 2 of 5: the attempt counts.
      expect((await promptsOf(world, events, "coder"))[1]).toContain("ITERATION 2 of 5");
    },
  );

  verifies(
    "ORC-40",
    "a change outside the source is rejected with its paths, which the coder gets, and nothing reaches the branch",
    async () => {
      const outside =
        "only source may change in GREEN, no test, fixture or configuration; also changed: package.json";
      expect(judged("green_check#2")).toMatchObject({ verdict: "fail" });
      expect(judged("green_check#2")?.reasons.join("\n")).toContain(outside);
      expect((await promptsOf(world, events, "coder"))[2]).toContain(outside);
      const branch = `mettle/${driven.run}/work`;
      expect(await world.repository.git("show", `${branch}:package.json`)).toContain("node --test");
      expect(await world.repository.git("log", "--format=%H", branch)).not.toContain(
        eventsOf(events, "commit.made").find(({ key }) => key === "green#2")?.commit,
      );
    },
  );

  verifies(
    "ORC-19",
    "a test issue and a code issue of gate 3 go to their writers, the tests first, and the gate keeps counting",
    async () => {
      expect(phasesEntered(events).slice(7, 12)).toEqual([
        "8 CODE_DUAL_REVIEW",
        "5 TDD_RED",
        "6 TEST_DUAL_REVIEW",
        "7 TDD_GREEN",
        "8 CODE_DUAL_REVIEW",
      ]);
      const [tester, coder] = [
        await promptsOf(world, events, "tester"),
        await promptsOf(world, events, "coder"),
      ];
      expect([tester[1]?.includes(testIssue), tester[1]?.includes(codeIssue)]).toEqual([true, false]);
      expect([coder[3]?.includes(testIssue), coder[3]?.includes(codeIssue)]).toEqual([false, true]);
      // The new test was RED on the base's source, although an implementation existed.
      expect(await pathsOf(eventsOf(events, "files.frozen")[1]?.commit ?? "")).toEqual([
        "test/separators.test.js",
      ]);
      const atSecond = events.findLastIndex(
        (event) => event.type === "review.given" && event.gate === 3 && event.key.endsWith("#2"),
      );
      const view = foldView(emptyView(driven.run), events.slice(0, atSecond + 1));
      expect(stateLineOf(view)).toContain("[Orc.Phase8_CODE_DUAL_REVIEW] [Gemini: 2/3] [Claude: 2/3]");
    },
  );

  verifies(
    "ORC-34",
    "APPROVED with a critical issue is NEEDS_WORK; the rest of an approving review is shown word for word",
    () => {
      const given = eventsOf(events, "review.given").filter(
        ({ gate, reviewer }) => gate === 3 && reviewer === "claude",
      );
      expect(given.map(({ verdict, reason }) => `${verdict} ${reason}`)).toEqual([
        "NEEDS_WORK contradiction",
        "NEEDS_WORK contradiction",
        "APPROVED ",
      ]);
      expect(phasesEntered(events).slice(11)).toEqual([
        "8 CODE_DUAL_REVIEW",
        "7 TDD_GREEN",
        "8 CODE_DUAL_REVIEW",
        "9 USER_GATE_CODE",
      ]);
      const text = eventsOf(events, "ask.shown").at(-1)?.text;
      expect(text).toContain(
        "WARNINGS: - letters with accents  stay as they are\nSUGGESTIONS: - name the module `slug`",
      );
      expect(text).toContain("SECURITY_ISSUES: - slugs of two titles may collide");
    },
  );

  verifies(
    "ORC-31",
    "gate 3 shows everything to the first reviewer, names what is too large, and reads five fields",
    async () => {
      const [prompt = ""] = (await promptsOf(world, events, "gemini")).slice(-1);
      const { documents } = driven.context.session.view;
      for (const name of ["spec", "architecture", "test-output"])
        expect(prompt).toContain(await world.host.payloads.text(documents[name]?.ref ?? ""));
      expect(prompt).toContain(`--- src/slugify.js ---\n${slugify.right}`);
      expect(prompt).toContain("too large for you:\nsrc/large.js\nsrc/words.js\n");
      expect(prompt).not.toContain("xxxx");
      const review = eventsOf(events, "review.given").findLast(({ reviewer }) => reviewer === "gemini");
      expect(review?.omitted).toEqual(["src/large.js", "src/words.js"]);
      const format = reviewFormats["code-gemini"];
      expect(Object.keys(review?.fields ?? {})).toEqual(format.fields.map(({ name }) => name));
      expect(readReview({ answer: codeFields }, format).type).toBe("verdict");
      for (const name of ["VERDICT", ...Object.keys(review?.fields ?? {})])
        expect(
          readReview({ answer: codeFields.replace(new RegExp(`^${name}:`, "m"), "OTHER:") }, format).type,
        ).toBe("inconclusive");
    },
  );

  verifies(
    "ORC-41",
    "the coder is instructed to be minimal; the number of files per iteration and unexecuted lines are reported",
    async () => {
      const [prompt = ""] = await promptsOf(world, events, "coder");
      expect(prompt).toContain(
        "Write MINIMAL code to make the tests pass, and edit one source file for each iteration.",
      );
      expect(judged("green_check#3")).toMatchObject({
        verdict: "pass",
        findings: [
          "files_changed: source files changed in this iteration: 2 (src/case.js, src/slugify.js)",
          "unexecuted_lines: changed lines that no test executed: none",
          "mutants: mutants of changed lines: not measured (switched off in the settings)",
        ],
      });
      // Counted from the coder's start, not from RED.
      expect(judged("green_check#4")?.findings[0]).toBe(
        "files_changed: source files changed in this iteration: 1 (src/slugify.js)",
      );
    },
  );

  verifies("ORC-49", "a claim about a proven tree is not doubted, an agent's or a session's", async () => {
    const claims = [{ phrase: "Done", excerpt: "Done." }];
    expect(await retractClaims(world.host, { run: driven.run, claims })).toEqual([]);
    const now = (await world.host.journal.read(driven.run)).map(recorded);
    expect(eventsOf(now, "claim.unverified")).toEqual([]);
  });

  verifies(
    "ORC-52",
    "no answer approves a commit whose newest run failed, whatever an older one says",
    async () => {
      const { run } = driven;
      const [ask] = driven.end.type === "waiting" ? driven.end.asks : [];
      const commit = eventsOf(events, "head.moved").findLast(({ kind }) => kind === "green")?.commit ?? "";
      const context = await openRun(world.host, { run });
      const prove = async () => context.session.prove("session", await verifyTree(context, commit), []);
      rmSync(outside);
      await prove();
      if (ask === undefined) throw new Error("nothing waits");
      for (const answeredBy of ["tty", "file", "session", "preapproved"] as const) {
        const by = { answeredBy, authenticated: true, who: "a test" };
        await expect(answerAsk(context, { ask, outcome: "approve", by })).rejects.toMatchObject({
          code: "approval_unproven",
          detail: { failing: [`test/slugify.test.js::${title}`] },
        });
      }
      writeFileSync(outside, "here\n");
      await prove();
    },
  );

  verifies("ORC-52", "an approval turns no failed run into success", async () => {
    const branch = `refs/heads/mettle/${driven.run}/work`;
    const failing = eventsOf(events, "commit.made").find(({ key }) => key === "green#1")?.commit ?? "";
    const shown = await world.repository.git("rev-parse", branch);
    await world.repository.git("update-ref", branch, failing);
    const refused = await callIn(world, ["approve", driven.run, "--json"]);
    const ids = ["EC2 drops separators at both ends", "ERR1 refuses anything but a string"].map(
      (title) => `test/slugify.test.js::${title}`,
    );
    expect([refused.code, refused.json()["error"]]).toMatchObject([
      1,
      { code: "approval_unproven", detail: { failing: ids } },
    ]);
    const { runs } = (await callIn(world, ["status", driven.run, "--json"])).json() as {
      runs: { status: string; phase: string; state_line: string }[];
    };
    expect(runs[0]).toMatchObject({ status: "waiting", phase: "9 USER_GATE_CODE" });
    expect(runs[0]?.state_line).toContain("[Exec: UNPROVEN] [Exit: 1] [Status: in_progress]");

    await world.repository.git("update-ref", branch, shown);
    rmSync(outside);
    blocked = await callIn(world, ["approve", driven.run]);
    expect(blocked.code).toBe(4);
    expect(blocked.stdout).not.toContain("ORCHESTRATION COMPLETE");
  });

  verifiesInCi(
    "CORE-42",
    "a proof that would now end differently is named with the test that differs",
    async () => {
      const replayed = await callIn(world, ["verify", driven.run, "--replay", "--json"]);
      expect([replayed.code, replayed.json()]).toMatchObject([
        1,
        {
          verdict: "fail",
          phase: "7 TDD_GREEN",
          why: expect.stringContaining(`test/slugify.test.js::${title}`),
        },
      ]);
    },
  );

  verifies(
    ["ORC-83", "ORC-84"],
    "trips the breaker of the final verification with its failing tests, and nothing approved is lost",
    async () => {
      const { run } = driven;
      const tripped = (await world.host.journal.read(run)).map(recorded);
      expect(eventsOf(tripped, "breaker.tripped").map(({ trigger }) => trigger)).toEqual([
        "final verification failed",
      ]);
      const [, breaker = ""] = blocked.stdout.split("Trigger: final verification failed\n");
      expect(breaker).toContain(`test/slugify.test.js::${title}\n`);
      const green = eventsOf(tripped, "head.moved").findLast(({ kind }) => kind === "green")?.commit;
      expect(await world.repository.git("rev-parse", `mettle/${run}/work`)).toBe(green);
      expect((await world.repository.git("branch", "--list", `mettle/${run}/result`)).trim()).toBe("");
      for (const option of ["--reset", "--context", "--approach"])
        expect(breaker).toContain(`mettle resume ${run} ${option}`);

      writeFileSync(outside, "here\n");
      const resumed = await callIn(world, ["resume", run, "--context", "the file is back"]);
      expect(resumed.code).toBe(3);
      const all = (await world.host.journal.read(run)).map(recorded);
      const since = phasesEntered(all.filter(({ seq }) => seq > (tripped.at(-1)?.seq ?? 0)));
      expect(since).toEqual(["7 TDD_GREEN", "8 CODE_DUAL_REVIEW", "9 USER_GATE_CODE"]);
    },
  );
});
