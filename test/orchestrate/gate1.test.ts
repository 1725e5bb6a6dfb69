/** Gate 1: issues of both reviewers, an unreadable review, an edit after it, and a usage limit. */
import { appendFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Agent } from "../../src/agents/agent.ts";
import { exitOfAsks } from "../../src/cli/exit.ts";
import { readReview } from "../../src/gates/review/review.ts";
import { reviewFormats } from "../../src/gates/review/review-formats.ts";
import { waitingAsks } from "../../src/kernel/inspect.ts";
import type { Recorded } from "../../src/log/run-event.ts";
import { answerAsk } from "../../src/engine/asks/answer.ts";
import { drive } from "../../src/engine/drive.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { openRun } from "../../src/families/open-run.ts";
import { stateLineOf } from "../../src/views/run/run-state-line.ts";
import { verifies } from "../verifies.ts";
import { act, answers, reviews } from "./turns.ts";
import { driveWatched, promptsOf } from "./watched.ts";
import {
  createWorld,
  eventsOf,
  golden,
  answerOnly,
  type CassetteFile,
  type DriveResult,
  type World,
} from "./world.ts";

const approved = "VERDICT: APPROVED\nISSUES: none\nSUGGESTIONS: none";
const issue = "FR2 does not say what joins words";
const advice = "name the module in the spec";
const otherAdvice = "show an example of an accent";
const revised = "\n## Notes\nWords are joined by one hyphen.\n";
/** Long, with blanks at its end: documents are passed on byte for byte. */
const remark = `\n## Remark\n${"Said by a person. ".repeat(100)}\n \n\n`;
const documents = ["spec", "architecture"] as const;

describe("a plan that both reviewers see three times", () => {
  let world: World;
  /** Up to the usage limit, up to the unreadable review, and to the waiting plan. */
  let limited: DriveResult;
  let unread: DriveResult;
  let waiting: DriveResult;
  /** The person edits the waiting plan and resumes the run. */
  let edited: DriveResult;
  beforeAll(async () => {
    world = await createWorld();
    const run = await world.start(withReviews(await golden()));
    limited = await driveLimited(run);
    await rm(join(world.home, "limits"), { recursive: true });
    unread = await world.drive(run, answerOnly("questions"));
    await answer(unread, "resume");
    waiting = await driveWatched(world, run, {
      answer: answerOnly("questions"),
      on: (event) => (isSecondApproval(event) ? edit("architecture") : undefined),
    });
    edit("spec");
    edited = await world.drive(run, answerOnly("questions"));
  });

  verifies(
    "ORC-17",
    "passes issues and suggestions of both to the planner, and both review the revision",
    async () => {
      const round = await keysFrom("planning#1");
      expect(round).toEqual([
        "planning#1",
        "plan_check#1",
        "plan_review/gemini/gemini#1",
        "plan_review/claude/claude#1",
        "planning#2",
        "plan_check#2",
        "plan_review/gemini/gemini#2",
        "plan_review/claude/claude#2",
        "plan_review/gemini/unreadable#1",
        "plan_review/gemini/gemini#3",
        "plan_gate#1",
        "plan_check#3",
        "plan_review/gemini/gemini#4",
        "plan_review/claude/claude#3",
        "plan_gate#2",
        "user_gate_plan#1",
      ]);
      const [, second] = await promptsOf(world, waiting.events, "planner");
      expect(second).toContain(`- Gemini: ${issue}\n- Gemini suggests: ${advice}`);
      expect(second).toContain(`- Claude suggests: ${otherAdvice}`);
      const given = eventsOf(waiting.events, "review.given").filter(({ verdict }) => verdict !== "empty");
      const [first, other, , again, last] = given.map(({ reviewed }) =>
        documents.map((name) => reviewed[name]),
      );
      expect(other).toEqual(first);
      expect(again).toEqual(last);
      for (const [index] of documents.entries()) expect(last?.[index]).not.toBe(first?.[index]);
    },
  );

  verifies(
    "ORC-24",
    "asks Gemini with both documents byte for byte, and takes exactly three fields",
    async () => {
      const prompts = await promptsOf(world, edited.events, "gemini");
      const versions = edited.context.session.view.versions;
      const last = await Promise.all(
        documents.map((name) => world.host.payloads.text(versions[name]?.at(-1) ?? "")),
      );
      expect(prompts.at(-1)).toContain("Review this software plan for completeness and feasibility.");
      for (const text of last) expect(text.endsWith(remark)).toBe(true);
      expect(prompts.at(-1)).toContain(
        `\nSPEC:\n${last[0]}\n\nARCHITECTURE:\n${last[1]}\n\nEND OF THE MATERIAL.\n`,
      );
      expect(prompts.at(-1)).toContain("\nVERDICT: [APPROVED|NEEDS_WORK]\nISSUES: [");
      expect(prompts.at(-1)).toMatch(/\nISSUES: \[.*\]\nSUGGESTIONS: \[.*\]\n/u);
      const unreadable = eventsOf(unread.events, "review.given").find(
        ({ verdict }) => verdict === "inconclusive",
      );
      expect(unreadable).toMatchObject({
        label: "Gemini",
        reason: "unparsable: the field ISSUES is missing",
        fields: {},
      });
      expect(eventsOf(unread.events, "agent.nudged")).toMatchObject([{ key: "plan_review/gemini/gemini#2" }]);
      const format = reviewFormats["plan-gemini"];
      expect(format.fields.map(({ name }) => name)).toEqual(["ISSUES", "SUGGESTIONS"]);
      const answer = "VERDICT: APPROVED\nISSUES: none\nSUGGESTIONS: none";
      const read = (text: string) => readReview({ answer: text }, format).type;
      expect(read(answer)).toBe("verdict");
      for (const wrong of [
        answer.replace("APPROVED", "LATER"),
        answer.replace("ISSUES: none\n", ""),
        answer.replace("SUGGESTIONS: none", ""),
        `${answer}\nISSUES: none`,
      ])
        expect([wrong, read(wrong)]).toEqual([wrong, "inconclusive"]);
    },
  );

  verifies("ORC-26", "is open again if a document changes after both have approved it", () => {
    const [voided, passed] = eventsOf(waiting.events, "gate.judged").filter(({ gate }) => gate === "gate1");
    expect(voided).toMatchObject({ verdict: "fail" });
    expect(voided?.reasons.join()).toContain("architecture changed since Gemini's review");
    expect(voided?.reasons.join()).toContain("architecture changed since Claude's review");
    const taken = eventsOf(waiting.events, "document.written").find(({ by }) => by === "person");
    expect(taken).toMatchObject({ name: "architecture", key: "plan_gate#1" });
    const asked = waiting.events.find(
      (event) => event.type === "command.issued" && event.key.startsWith("user_gate_plan"),
    );
    expect(asked?.seq).toBeGreaterThan(passed?.seq ?? Infinity);
    expect(passed).toMatchObject({ verdict: "pass" });
    const after = eventsOf(waiting.events, "review.given").slice(-2);
    for (const { reviewed } of after) expect(reviewed["architecture"]).toBe(taken?.ref);
  });

  verifies(
    ["ORC-36", "ORC-78"],
    "waits for a person at a text without a verdict, and pauses at a usage limit",
    () => {
      expect(limited.end).toMatchObject({ type: "limited", pauses: [{ why: "come back at noon" }] });
      // The other reviewer may have started meanwhile; then the run notes once more that it waits.
      const spent = eventsOf(limited.events, "account.paused").filter(({ reachedBy }) => reachedBy !== null);
      expect(spent).toMatchObject([{ reachedBy: "plan_review/gemini/gemini#1" }]);
      expect(eventsOf(limited.events, "warned")).toEqual([]);
      const [ask] = unread.end.type === "waiting" ? unread.end.asks : [];
      expect(ask).toMatchObject({ as: "inconclusive", text: "A review cannot be read" });
      const told = unread.context.session.view.asks[ask?.key ?? ""]?.text;
      expect(told).toContain("Gemini: unparsable");
      expect(told).toContain("  Gemini wrote:\n    ");
      expect(exitOfAsks(ask ? [ask] : [])).toBe(5);
      // Neither counts as silence: nothing is skipped, and the gate has two reviewers.
      expect(eventsOf(waiting.events, "review.given").some(({ verdict }) => verdict === "empty")).toBe(false);
      expect(waiting.context.session.view.asks[askKey(waiting)]?.text).not.toContain("single-reviewer");
      // Three verdicts of each in two counted attempts: an edited plan is reviewed again in the same attempt.
      expect(stateLineOf(waiting.context.session.view)).toMatch(/\[Gemini: 2\/3\] \[Claude: 2\/3\]/u);
    },
  );

  test("a plan that was edited while it waits is reviewed again as soon as the run continues", () => {
    const changed = eventsOf(edited.events, "result").find(({ key }) => key === "user_gate_plan#1");
    expect(changed?.outcome).toBe("changed");
    const taken = eventsOf(edited.events, "document.written").findLast(({ by }) => by === "person");
    expect(taken).toMatchObject({ name: "spec", key: "user_gate_plan#1" });
    const again = eventsOf(edited.events, "review.given").filter(
      ({ seq }) => seq > (changed?.seq ?? Infinity),
    );
    expect(again.map(({ reviewed }) => reviewed["spec"])).toEqual([taken?.ref, taken?.ref]);
    expect(edited.end).toMatchObject({ type: "waiting", asks: [{ key: "user_gate_plan#2" }] });
  });

  function withReviews(cassette: CassetteFile): CassetteFile {
    const { roles } = cassette;
    const [plan] = roles.planner;
    return {
      ...cassette,
      roles: {
        ...roles,
        planner: [
          plan ?? {},
          act("WRITTEN", {
            shell: `for name in spec architecture; do printf '%s' '${revised}' >> .claude/temp/$name.md; done`,
          }),
        ],
        gemini: [
          answers("never played: the agent that is started first is limited"),
          answers(`VERDICT: NEEDS_WORK\nISSUES:\n- ${issue}\nSUGGESTIONS:\n- ${advice}`),
          {
            ...answers("VERDICT: APPROVED\nSUGGESTIONS: none"),
            nudges: [answers("VERDICT: APPROVED\nSUGGESTIONS: none")],
          },
          answers(approved),
          answers(approved),
          answers(approved),
        ],
        claude: [
          reviews(
            "plan-review.md",
            "APPROVED",
            approved.replace("SUGGESTIONS: none", `SUGGESTIONS:\n- ${otherAdvice}\n`),
          ),
          reviews("plan-review.md", "APPROVED", approved),
          reviews("plan-review.md", "APPROVED", approved),
          reviews("plan-review.md", "APPROVED", approved),
        ],
      },
    };
  }

  /** Drives with a first reviewer whose account has reached its limit, which no cassette can play. */
  async function driveLimited(run: string): Promise<DriveResult> {
    const context = await openRun(world.host, { run });
    const real = context.agentOf;
    const spent = async (command: Parameters<typeof real>[0]): Promise<Agent> => {
      const agent = await real(command);
      if (command.role !== "gemini") return agent;
      return { ...agent, start: async () => ({ type: "rate_limited", text: "", why: "come back at noon" }) };
    };
    const end = await drive(
      { ...context, agentOf: spent },
      {
        signal: new AbortController().signal,
        waits: false,
        answer: (ask) => answerOnly("questions")(context, ask),
      },
    );
    return { run, end, context, events: (await world.host.journal.read(run)).map(recorded) };
  }

  async function answer({ context }: DriveResult, outcome: string): Promise<void> {
    const fresh = await openRun(world.host, { run: context.run });
    const ask = waitingAsks(fresh.session.state).find((one) => one.answers.includes(outcome));
    if (!ask) throw new Error(`nothing waits for ${outcome}`);
    const by = { answeredBy: "file", authenticated: false, who: "a person" } as const;
    await fresh.session.settle(ask.key, await answerAsk(fresh, { ask, outcome, by }));
  }

  let approvals = 0;
  function isSecondApproval(event: Recorded): boolean {
    if (event.type !== "review.given" || event.verdict !== "APPROVED") return false;
    approvals += 1;
    return approvals === 1;
  }

  function edit(name: string): void {
    appendFileSync(join(world.repository.dir, `.claude/temp/${name}.md`), remark);
  }

  async function keysFrom(from: string): Promise<readonly string[]> {
    const keys = eventsOf(waiting.events, "command.issued").map(({ key }) => key);
    return keys.slice(keys.indexOf(from)).filter((key) => !key.startsWith("cancel"));
  }

  function askKey({ end }: DriveResult): string {
    return end.type === "waiting" ? (end.asks[0]?.key ?? "") : "";
  }
});
