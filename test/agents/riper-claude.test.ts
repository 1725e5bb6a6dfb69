/** The demo's slugify() in riper with the real Claude Code in every role and a scripted model: once honest, once cheating. */
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { Recorded } from "../../src/log/run-event.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { createCyclesWorld, dispatchLines, observations, type CyclesCassette } from "../cycles/world.ts";
import { eventsOf, type CliResult, type CassetteFile, type World } from "../orchestrate/world.ts";
import { cassetteModel } from "../support/cassette-model.ts";
import { answersIn, userTextsIn } from "../support/conversation.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { withRealClaude } from "../support/real-agents.ts";
import { verifies } from "../verifies.ts";
import { messages, withCheat, withDialogue } from "../cycles/dialogue-cassettes.ts";

withRealClaude("riper by the real Claude Code", (file) => {
  let world: World;
  let server: ModelServer;
  let ended: CliResult;
  let events: readonly Recorded[];
  beforeAll(async () => {
    world = await createCyclesWorld();
    server = await startModelServer();
    ended = await run(await withDialogue());
    events = await eventsOfRun();
  }, 240_000);

  const run = async (cassette: CyclesCassette): Promise<CliResult> => {
    server.scriptWith(cassetteModel(cassette as unknown as CassetteFile, "tool"));
    return world.cli(
      ["run", "Add slugify(text)", "--protocol", "riper", "--agent", "default=claude", "--json"],
      {
        timeoutMs: 230_000,
        env: {
          PATH: `${dirname(file)}:${process.env["PATH"] ?? ""}`,
          ANTHROPIC_BASE_URL: server.url,
          ANTHROPIC_API_KEY: "dummy-key-of-the-test",
        },
      },
    );
  };
  const eventsOfRun = async (): Promise<readonly Recorded[]> => {
    const newest = (await world.host.journal.runs()).at(-1) ?? "";
    return (await world.host.journal.read(newest)).map(recorded);
  };

  test("a plan in two rounds, one cycle and the review reach a proven end", () => {
    expect(ended.code, `${ended.stdout}\n${ended.stderr}`).toBe(0);
    expect(ended.json()).toMatchObject({ status: "complete", proof: { verdict: "pass", exit: "0" } });
    expect(dispatchLines(events)).toEqual([
      "Ω₁ᴾ[]",
      "Ω₂ᴬ[CTX:Λ₁]",
      "Ω₂ᴬ[CTX:Λ₂:slugify]",
      "Ω₂ᴬ[CTX:Λ₂:initials]",
      "Ω₃ᴾ[S{sid},R0]",
      "Ω₄ᶜ[S{sid},R0]",
      "Ω₃ᴾ[S{sid},R1,CTX:revise]",
      "Ω₄ᶜ[S{sid},R1]",
      "QA[S{sid},R0,C1,P:ℜ]",
      "DE[S{sid},R0,C1,P:ℜᴳ]",
      "QA[S{sid},R1,C1,P:ℜᶠᵗ]",
      "DE[S{sid},R2,C1,P:ℜᶠⁱ]",
      "DE[S{sid},R3,C1,P:review_tests,CTX:review_qa_work]",
      "QA[S{sid},R4,C1,P:review_impl,CTX:review_de_work]",
      "Ω₆ⱽ[]",
    ]);
  });

  test("every decision came over MCP, without denials or reminders", () => {
    const started = new Set(eventsOf(events, "dispatch.started").map(({ key }) => key));
    const channels = eventsOf(events, "result").flatMap(({ key, channel }) =>
      started.has(key) ? [channel] : [],
    );
    expect(channels).toEqual(Array.from({ length: 15 }, () => "mcp"));
    expect(events.filter(({ type }) => troubles.includes(type))).toEqual([]);
  });

  test("their messages are in the dialogue, with round and author", () => {
    expect(observations(events)).toEqual(
      expect.arrayContaining([
        `R0 Ω₃ᴾ: ${messages.plan}`,
        `R0 Ω₄ᶜ: ${messages.doubt}`,
        `R1 Ω₃ᴾ: ${messages.answer}`,
        `R0 QA: ${messages.tests}`,
      ]),
    );
  });

  verifies("TDP-40", "prompts contain no text of the dialogue, which the tool query returns", async () => {
    const prompts = await Promise.all(
      eventsOf(events, "dispatch.started").map(({ prompt }) => shown(prompt)),
    );
    expect(prompts).toHaveLength(15);
    for (const text of Object.values(messages)) {
      expect(prompts.filter((prompt) => prompt.includes(text))).toEqual([]);
      expect(server.requests.filter(({ body }) => userTextOf(body).includes(text))).toEqual([]);
    }
    expect(read("Ω₃ᴾ", "R1,CTX:revise]")).toEqual([[messages.plan, messages.doubt]]);
    expect(read("Ω₄ᶜ", "R0]")).toEqual([[messages.plan]]);
    expect(read("Ω₄ᶜ", "R1]")).toEqual([[messages.answer]]);
    expect(read("DE", "P:ℜᴳ]")).toEqual([[messages.tests]]);
  });

  test("a DE that edits a frozen test and claims that all pass is refused: QUALITY_FAILURE", async () => {
    const refused = await run(await withCheat());
    expect(refused.code, `${refused.stdout}\n${refused.stderr}`).toBe(3);
    expect(refused.json()).toMatchObject({
      status: "waiting",
      mode: "Ω₆ⱽ",
      waiting: { kind: "question", text: "A quality gate failed" },
      failing: { gate: "cycle_green", why: expect.stringContaining("changed test/slugify.test.js") },
      cycles: [{ cycle: 1, method: "slugify()", status: "failed" }],
    });
    const progress = join(world.repository.dir, "memory-bank/progress.md");
    expect(await readFile(progress, "utf8")).toContain("QUALITY_FAILURE");
  }, 240_000);

  const shown = async (ref: string): Promise<string> => (await world.cli(["show", ref])).stdout;
  const userTextOf = (body: string) => userTextsIn({ body }).join("\n");

  /** The dialogue texts in the query results of a dispatch. */
  const read = (agent: string, end: string): readonly (readonly string[])[] => {
    const own = server.requests.filter((request) => {
      const [first = ""] = (userTextsIn(request).findLast((text) => /^\S+\[/u.test(text)) ?? "").split("\n");
      return first.startsWith(agent) && first.endsWith(end);
    });
    const answers = own.flatMap((request, index) => (index === own.length - 1 ? answersIn(request) : []));
    const queries = answers.filter(({ tool }) => tool === "mcp__mettle__query");
    return queries.map(({ text }) => Object.values(messages).filter((each) => text.includes(each)));
  };
});

/** Events that an honest run of an agent with MCP does not have. */
const troubles: readonly Recorded["type"][] = [
  "agent.nudged",
  "agent.denied",
  "report.refused",
  "outside.write",
  "work.rescued",
];
