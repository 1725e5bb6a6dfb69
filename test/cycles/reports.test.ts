/** How an agent of riper ends its dispatch, and what happens to one that does not. */
import { beforeAll, describe, expect } from "vitest";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { answerAsk } from "../../src/engine/asks/answer.ts";
import { runDispatch } from "../../src/dispatch/dispatch.ts";
import type { DispatchCommand } from "../../src/kernel/command.ts";
import { openRun } from "../../src/families/open-run.ts";
import { eventsOf, type Answer, type DriveResult, type TurnFile, type World } from "../orchestrate/world.ts";
import { verifies } from "../verifies.ts";
import { byCodes, design, issues, plan } from "./by-codes.ts";
import { createCyclesWorld, dispatchLines, goCycles, oneCycle } from "./world.ts";

let world: World;
beforeAll(async () => void (world = await createCyclesWorld()));

const by = { answeredBy: "tty", authenticated: true, who: "the test" } as const;
/** As often as a person would. */
const again =
  (times: number): Answer =>
  async (context, ask) => {
    if (times-- <= 0) return null;
    return answerAsk(context, { ask, outcome: "context", text: "once more", by });
  };

const { tech_stack: _, ...incomplete } = design;
const designReport = { status: "PC", message: "designed", payload: design };
const json = (payload: unknown) => `\`\`\`json\n${JSON.stringify(payload)}\n\`\`\``;

describe("the reports of one run", () => {
  let driven: DriveResult;
  let banks: Readonly<Record<string, string>>;
  beforeAll(async () => {
    const cassette = await oneCycle();
    const bank = join(world.repository.dir, "memory-bank/systemPatterns.md");
    const keep = (name: string) => ({ shell: `cp '${bank}' '${world.home}/${name}.md'` });
    const silent: TurnFile = { does: [{ say: "hm" }] };
    cassette.roles.designer = [
      silent,
      { does: [{ say: `→PC: designed\n${json(design)}\nThat is all.` }] },
      {
        does: [keep("before"), { channel: { status: "PC", payload: incomplete } }, keep("refused")],
        nudges: [{ does: [{ say: `${json(design)}\n→PC: by the line` }] }],
      },
      { does: [{ channel: { ...designReport, message: "the second design" } }] },
    ];
    cassette.roles.arch_critic = [
      {
        does: [
          keep("written"),
          { channel: { status: "REVISE", message: "no issue", payload: { issues: [] } } },
          { channel: { status: "REVISE", message: "first", payload: issues } },
          { channel: { status: "ACCEPT", message: "second" } },
        ],
        report: { status: "REJECT", message: "third" },
      },
      { report: { status: "REJECT", message: "enough" } },
    ];
    driven = await goCycles(world, "riper", cassette, { answer: again(2) });
    banks = Object.fromEntries(
      await Promise.all(
        ["before", "refused", "written"].map(async (name) => [
          name,
          await readFile(join(world.home, `${name}.md`), "utf8"),
        ]),
      ),
    ) as Record<string, string>;
  });

  const results = () =>
    eventsOf(driven.events, "result").map(({ key, outcome, text, channel }) =>
      [key, outcome, text, channel ?? ""].join(" "),
    );

  verifies(
    ["TDP-41", "TDP-05"],
    "the first allowed report counts, a last line counts too, and silence or a code in the middle is reminded once, then EX",
    () => {
      expect(driven.end).toEqual({ type: "ended", outcome: "halted" });
      expect(results().filter((result) => !result.includes(" context "))).toEqual([
        "design#1 EX the agent gave no decision ",
        "design#2 EX the agent gave no decision ",
        "design#3 PC by the line line",
        "arch#1 REVISE first mcp",
        "design#4 PC the second design mcp",
        "arch#2 REJECT enough stream",
      ]);
      expect(eventsOf(driven.events, "agent.nudged").map(({ key }) => key)).toEqual([
        "design#1",
        "design#2",
        "design#3",
      ]);
      expect(eventsOf(driven.events, "report.refused").map(({ key, why }) => `${key} ${why}`)).toEqual([
        expect.stringMatching(/^design#3 payload\.tech_stack: /u),
        expect.stringMatching(/^arch#1 payload\.issues: /u),
        "arch#1 a later decision ACCEPT; REVISE counts",
        "arch#1 a later decision REJECT; REVISE counts",
      ]);
      expect(dispatchLines(driven.events)).toEqual([
        "Ω₁ᴾ[]",
        "Ω₁ᴾ[]",
        "Ω₁ᴾ[]",
        "Ω₂ᴬ[CTX:Λ₁]",
        "Ω₁ᴾ[]",
        "Ω₂ᴬ[CTX:Λ₁]",
      ]);
    },
  );

  verifies(
    "TDP-05",
    "a design is written to the three sections of σ₂ when it is complete, and not before",
    () => {
      expect(banks["refused"]).toBe(banks["before"]);
      expect(banks["before"]).not.toContain(design.architecture_design);
      const { architecture_design, module_specifications, tech_stack } = design;
      for (const text of [
        architecture_design,
        tech_stack,
        ...module_specifications.map(({ name, specification }) => `### ${name}\n\n${specification}`),
      ])
        expect(banks["written"]).toContain(text);
      for (const field of ["Architecture Design", "Module Specifications", "Tech Stack"])
        expect(banks["written"]).toMatch(new RegExp(`^#+ .*${field}`, "imu"));
    },
  );

  verifies("TDP-12", "the second design dispatch gets the critic's two issues", async () => {
    const prompts = eventsOf(driven.events, "dispatch.started").filter(({ role }) => role === "designer");
    const last = await world.host.payloads.text(prompts.at(-1)?.prompt ?? "");
    for (const { problem, suggestion } of issues.issues)
      expect(last).toContain(`- ${problem}\n  Suggestion: ${suggestion}`);
  });
});

describe("a reviewer that gives no code", () => {
  const silences = {
    nothing: { does: [] },
    "JSON without a code": { does: [{ say: json({ message: "approved" }) }] },
    prose: { does: [{ say: "looks good, approved" }] },
  } as const;

  verifies(
    "TDP-44",
    "is reminded once, recorded as inconclusive and routed as EX: never as an approval",
    async () => {
      const run = await byCodes(world, "riper");
      const reviewing = async (role: string) => {
        const command = run.open() as DispatchCommand;
        expect(command.role).toBe(role);
        for (const [name, turn] of Object.entries(silences)) {
          const cassette = await oneCycle();
          const roles = { ...cassette.roles, [role]: [{ ...turn, repeat: true }] };
          const start = await world.start({ ...cassette, roles } as never, { protocol: "riper" });
          const { agentOf, family } = await openRun(world.host, { run: start });
          const settlement = await runDispatch(
            { ...run.context, agentOf, family },
            command,
            new AbortController().signal,
          );
          expect([name, settlement?.outcome]).toEqual([name, "EX"]);
          const facts = settlement?.facts ?? [];
          expect(facts.filter(({ type }) => type === "agent.nudged")).toHaveLength(1);
          expect(facts).toContainEqual(
            expect.objectContaining({ type: "warned", code: "review_inconclusive" }),
          );
        }
      };
      await run.say("PC", "designed", design);
      await reviewing("arch_critic");
      await run.say("EX");
      expect(run.open().state).toBe("trouble");
      await run.answer("context", "again");
      while (run.open().mode === "Ω₂ᴬ") await run.say("ACCEPT");
      await run.say("PC", "", plan);
      await reviewing("plan_critic");
      await run.say("EX");
      expect(run.open().state).toBe("trouble");
      expect((await run.state()).plan_approved).toBe(false);
      await run.answer("context", "again");
      await run.say("PA");
      for (let reviews = 0; run.context.session.view.ended === null;) {
        const command = run.open();
        const own = command.type === "dispatch" ? command.reports : [];
        if (command.type === "dispatch" && own.includes("APPROVED") && ++reviews !== 3 && reviews !== 4)
          await reviewing(command.role);
        await run.say(command.type === "dispatch" ? (own[0] ?? "") : "pass");
      }
      expect(run.context.session.view.ended).toMatchObject({ outcome: "complete" });
    },
  );
});
