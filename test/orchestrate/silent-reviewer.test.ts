/**
 * Reviewers that time out, crash or stay silent at gate 1, on the built program.
 * @module-tag ci
 */
import { beforeAll, describe, expect, test } from "vitest";
import type { Recorded } from "../../src/log/run-event.ts";
import { changeSettings } from "../../src/engine/start/change-settings.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { openRun } from "../../src/families/open-run.ts";
import { runResult } from "../../src/cli/run-result.ts";
import { callIn } from "../cli/here.ts";
import { verifies } from "../verifies.ts";
import { answers, reviews } from "./turns.ts";
import {
  answerNone,
  createWorld,
  eventsOf,
  golden,
  type CliResult,
  type CassetteFile,
  type World,
} from "./world.ts";

const approved = "VERDICT: APPROVED\nISSUES: none\nSUGGESTIONS: none";
const silence = { does: [] };
const five = ["Q1", "Q2", "Q3", "Q4", "Q5"].map((id) => `${id}=as the task says`);
const by = { answeredBy: "file", authenticated: false, who: "a person" } as const;

describe("reviewers that give no review", () => {
  let world: World;
  beforeAll(async () => void (world = await createWorld()));

  const start = async (cassette: CassetteFile): Promise<string> => {
    const run = await world.start(cassette);
    await world.drive(run, answerNone);
    return run;
  };
  const eventsNow = async (run: string): Promise<readonly Recorded[]> =>
    (await world.host.journal.read(run)).map(recorded);

  describe("once each", () => {
    let run = "";
    let called: CliResult;
    let events: readonly Recorded[];
    beforeAll(async () => {
      const cassette = await golden();
      run = await start({
        ...cassette,
        vendors: { gemini: "one", claude: "one" },
        roles: {
          ...cassette.roles,
          gemini: [{ does: [{ hang: true }] }, answers(approved)],
          claude: [{ does: [{ crash: 3 }] }, reviews("plan-review.md", "APPROVED", approved)],
        },
      });
      await changeSettings(world.host, await openRun(world.host, { run }), {
        set: ["deadlines.idleMs=3000"],
        agents: {},
        by,
      });
      called = await callIn(world, ["answer", run, ...five]);
      events = await eventsNow(run);
    });

    verifies(
      "ORC-36",
      "are reported prominently, charge no iteration and leave the gate to the next attempt",
      () => {
        expect(called.code).toBe(3);
        const given = eventsOf(events, "review.given").map(({ label, verdict, reason }) => ({
          label,
          verdict,
          reason,
        }));
        expect(given.filter(({ label }) => label === "Gemini")).toEqual([
          { label: "Gemini", verdict: "empty", reason: "timeout: did not finish before the deadline" },
          { label: "Gemini", verdict: "APPROVED", reason: "" },
        ]);
        expect(given.filter(({ label }) => label === "Claude")).toEqual([
          { label: "Claude", verdict: "empty", reason: "unreachable: ended with exit code 3" },
          { label: "Claude", verdict: "APPROVED", reason: "" },
        ]);
        expect(called.stdout).toContain(
          "gate 1: Gemini gave no review (timeout: did not finish before the deadline)",
        );
        expect(called.stdout).toContain(
          "gate 1: Claude gave no review (unreachable: ended with exit code 3)",
        );
        expect(called.stdout).toContain("[Orc.Phase4_USER_GATE_PLAN] [Gemini: 1/3] [Claude: 1/3]");
        expect(eventsOf(events, "gate.judged").filter(({ gate }) => gate === "gate1")).toMatchObject([
          { verdict: "pass" },
        ]);
        const { counters } = eventsOf(events, "command.issued").at(-1)?.command as {
          counters: Record<string, unknown>;
        };
        expect(counters["gate1"]).toEqual({ value: 1, limit: 3 });
      },
    );

    test("of one vendor are marked at the gate, in the record of the gate and in the summary", async () => {
      expect(called.stdout).toContain("⚠️ same-vendor review");
      const judged = eventsOf(events, "gate.judged").find(({ gate }) => gate === "gate1");
      expect(JSON.parse(await world.host.payloads.text(judged?.ref ?? ""))).toMatchObject({
        findings: [{ code: "same_vendor", message: "same-vendor review: both reviewers are from one" }],
      });
      const context = await openRun(world.host, { run });
      expect((await runResult(context, { type: "ended", outcome: "" })).text).toContain(
        "gate 1 (plan): Gemini 1/3, Claude 1/3 [same-vendor review]",
      );
    });
  });

  describe("twice in a row", () => {
    let run = "";
    let both: CliResult;
    let resumed: CliResult;
    let events: readonly Recorded[];
    beforeAll(async () => {
      const cassette = await golden();
      const { roles } = cassette;
      const needsWork = approved
        .replace("APPROVED", "NEEDS_WORK")
        .replace("ISSUES: none", "ISSUES:\n- too vague");
      run = await start({
        ...cassette,
        roles: {
          ...roles,
          planner: [...roles.planner, ...roles.planner],
          gemini: [silence, answers("\u200b \n\u00a0"), silence, silence],
          claude: [
            silence,
            silence,
            reviews("plan-review.md", "NEEDS_WORK", needsWork),
            reviews("plan-review.md", "APPROVED", approved),
          ],
        },
      });
      both = await callIn(world, ["answer", run, ...five]);
      resumed = await callIn(world, ["resume", run, "--json"]);
      events = await eventsNow(run);
    });

    verifies(
      "ORC-78",
      "are never both skipped: the second one's silence stops with exit 5 and its name",
      () => {
        expect(both.code).toBe(5);
        expect(both.stdout).toContain(
          "error[reviewer_unreachable]: Claude gave no review 2 times in a row: the answer is empty",
        );
        expect(both.stderr).toContain(`hint: fix it, then \`mettle resume ${run}\``);
        expect(both.stdout).not.toContain("Phase4_USER_GATE_PLAN");
        const silent = eventsOf(events, "review.given").filter(({ verdict }) => verdict === "empty");
        expect(silent.map(({ label, reason }) => `${label}: ${reason}`).sort()).toEqual([
          ...Array.from({ length: 2 }, () => "Claude: the answer is empty"),
          ...Array.from({ length: 4 }, () => "Gemini: the answer is empty"),
        ]);
      },
    );

    verifies(
      "ORC-77",
      "let the run continue without Gemini, marked and with a warning, if Claude approves",
      async () => {
        // The first round needed Claude's approval and did not get it; the second did.
        const gates = eventsOf(events, "gate.judged").filter(({ gate }) => gate === "gate1");
        expect(gates).toHaveLength(1);
        const planned = eventsOf(events, "command.issued").filter(({ key }) => key.startsWith("planning#"));
        expect(planned.map(({ key }) => key)).toEqual(["planning#1", "planning#2"]);
        expect(JSON.parse(await world.host.payloads.text(gates[0]?.ref ?? ""))).toMatchObject({
          verdict: "pass",
          findings: [{ code: "single_reviewer" }],
        });
        expect(resumed.code).toBe(3);
        const { waiting, warnings } = resumed.json() as {
          waiting: { kind: string; shown: string };
          warnings: string[];
        };
        expect(waiting.kind).toBe("plan");
        expect(waiting.shown).toContain("⚠️ Gemini stayed silent twice; one reviewer has judged");
        expect(waiting.shown).toContain("⚠️ single-reviewer");
        expect(warnings).toContain("Gemini: the answer is empty");
        const context = await openRun(world.host, { run });
        expect((await runResult(context, { type: "ended", outcome: "" })).text).toContain(
          "gate 1 (plan): Gemini 0/3, Claude 2/3 [single-reviewer]",
        );
      },
    );
  });
});
