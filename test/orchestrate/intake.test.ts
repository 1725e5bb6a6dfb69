/** One run whose analyst and planner get everything wrong once, up to the plan that waits for a person. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { EvidenceRecord } from "../../src/evidence/record.ts";
import type { Recorded } from "../../src/log/run-event.ts";
import { waitingAsks } from "../../src/kernel/inspect.ts";
import { answerAsk } from "../../src/engine/asks/answer.ts";
import { readRecord } from "../../src/run/blocks.ts";
import { stateLineOf } from "../../src/views/run/run-state-line.ts";
import { emptyView, foldView } from "../../src/log/run-view.ts";
import { runStatus } from "../../src/views/run/status.ts";
import { exitOfAsks } from "../../src/cli/exit.ts";
import { verifies } from "../verifies.ts";
import { act } from "./turns.ts";
import { countersOf, promptsOf } from "./watched.ts";
import { createWorld, eventsOf, golden, answerOnly, type DriveResult, type World } from "./world.ts";

const topics = ["inputs", "outputs", "edge cases", "constraints", "success criteria"];
const questions = (asked: readonly string[]) => ({
  questions: asked.map((topic, index) => ({ id: `Q${index + 1}`, topic, text: `Which ${topic}?` })),
});
const reply = "→BL: I don't know which hash is wanted";
const foreign = "# A spec of another day\n";
const answer = "The hash is SHA-256.";

describe("a run whose documents are refused until they are complete", () => {
  let world: World;
  let spec = "";
  let architecture = "";
  /** Up to the question of the analyst, and from its answer on. */
  let first: DriveResult;
  let rest: DriveResult;
  beforeAll(async () => {
    world = await createWorld();
    // Left there by somebody: it must not count as a document of this run.
    await world.repository.write({ ".claude/temp/spec.md": foreign });
    const cassette = await golden();
    const { roles } = cassette;
    spec = written(roles.intake[1], ".claude/temp/spec.md");
    architecture = written(roles.planner[0], ".claude/temp/architecture.md");
    const writes = (text: string) => act("WRITTEN", { write: { ".claude/temp/spec.md": text } });
    const plans = (text: string) => act("WRITTEN", { write: { ".claude/temp/architecture.md": text } });
    const run = await world.start(
      {
        ...cassette,
        roles: {
          ...roles,
          intake: [
            act("QUESTIONS", { payload: questions(topics.filter((topic) => topic !== "constraints")) }),
            act("QUESTIONS", { payload: questions(topics) }),
            act("WRITTEN"),
            writes(spec.replace(/## Outputs\n.*\n/u, "")),
            writes(spec.replace(/(## Constraints\n).*\n/u, "$1")),
            writes(spec.replace("- FR2:", "- FR1:")),
            { does: [{ say: reply }] },
            { ...act("QUESTIONS", { payload: questions(topics) }), expects: [answer] },
            writes(spec),
          ],
          planner: [
            act("WRITTEN"),
            plans(architecture.replace(/- EC2: .*\n/u, "")),
            act("WRITTEN", {
              write: { ".claude/temp/architecture.md": architecture, "src/a.js": "export const a = 1;\n" },
              shell: "echo '// mine' >> src/words.js",
            }),
          ],
        },
      },
      { limits: { documents: 12 } },
    );
    first = await world.drive(run, answerOnly("questions"));
    await answerQuestion(first);
    // A person works in the main checkout meanwhile.
    await writeFile(join(world.repository.dir, "src/words.js"), "// saved by a person\n");
    rest = await world.drive(run, answerOnly("questions"));
  });

  verifies(
    "ORC-09",
    "asks again for the missing topic, by its name, before anything is written",
    async () => {
      const [refused, asked] = eventsOf(first.events, "gate.judged");
      expect(refused).toMatchObject({ gate: "topics", verdict: "fail" });
      expect(refused?.reasons).toEqual(["questions: no question about: constraints"]);
      expect(asked).toMatchObject({ gate: "topics", verdict: "pass" });
      expect(lineAfter(first.events, refused)).toMatch(/^\[Orc\.Phase1_INTAKE\] .*\[Status: in_progress\]$/u);
      const prompts = await promptsOf(world, first.events, "intake");
      expect(prompts[0]).not.toContain("no question about");
      expect(prompts[1]).toContain("no question about: constraints");
      expect(
        eventsOf(first.events, "questions.asked").flatMap((event) =>
          event.questions.map(({ topic }) => topic),
        ),
      ).toEqual(topics);
      const written = first.events.findIndex((event) => event.type === "document.written");
      const asking = first.events.findIndex((event) => event.type === "questions.asked");
      expect(written).toBeGreaterThan(asking);
    },
  );

  verifies(
    "ORC-10",
    "keeps Phase 1 open for each fault of the spec and names the section or id",
    async () => {
      const judged = eventsOf(rest.events, "gate.judged").filter(({ gate }) => gate === "spec");
      expect(judged.map(({ verdict, reasons }) => [verdict, ...reasons])).toEqual([
        ["fail", "spec.md: there is no .claude/temp/spec.md"],
        ["fail", "spec.md: missing section: Outputs"],
        ["fail", "spec.md: empty section without the word none: Constraints"],
        ["fail", "spec.md: duplicate id: FR1"],
        ["pass"],
      ]);
      const prompts = await promptsOf(world, rest.events, "intake");
      expect(prompts[4]).toContain("missing section: Outputs");
      expect(prompts[5]).toContain("empty section without the word none: Constraints");
      expect(prompts[6]).toContain("duplicate id: FR1");
      const complete = eventsOf(rest.events, "phase.completed").filter(({ phase }) => phase === "1 INTAKE");
      expect(complete).toHaveLength(1);
      expect(complete[0]?.seq).toBeGreaterThan(judged.at(-1)?.seq ?? Infinity);
    },
  );

  verifies("ORC-11", "keeps Phase 2 open while a requirement has no planned test", async () => {
    const judged = eventsOf(rest.events, "gate.judged").filter(({ gate }) => gate === "architecture");
    expect(judged.map(({ verdict, reasons }) => [verdict, ...reasons])).toEqual([
      ["fail", "architecture.md: there is no .claude/temp/architecture.md"],
      ["fail", "architecture.md: unplanned: EC2"],
      ["pass"],
    ]);
    expect(lineAfter(rest.events, judged[1])).toMatch(
      /^\[Orc\.Phase2_PLANNING\] .*\[Status: in_progress\]$/u,
    );
    expect((await promptsOf(world, rest.events, "planner"))[2]).toContain("unplanned: EC2");
  });

  verifies(
    "ORC-12",
    "shows the head of each document, and an exit code other than 0 if there is none",
    async () => {
      for (const [phase, name, text] of [
        ["1 INTAKE", "spec.md", spec],
        ["2 PLANNING", "architecture.md", architecture],
      ] as const) {
        const records = await recordsOf(rest, phase);
        const [missing] = records;
        const shown = records.at(-1);
        for (const record of records)
          expect(record.argv).toEqual(["head", "-n", "20", `.claude/temp/${name}`]);
        expect(missing?.exitCode).toBe(1);
        expect(shown?.exitCode).toBe(0);
        expect(await world.host.payloads.text(shown?.output ?? "")).toBe(
          `${text.split("\n").slice(0, 20).join("\n")}\n`.replace(/\n\n$/u, "\n"),
        );
        const [event] = eventsOf(rest.events, "record.written").filter((record) => record.phase === phase);
        expect(lineAfter(rest.events, event)).toMatch(/\[Exit: 1\] \[Status: in_progress\]$/u);
        const complete = eventsOf(rest.events, "phase.completed").find((event) => event.phase === phase);
        expect(complete?.record).toBe(shown?.id);
      }
    },
  );

  verifies("ORC-53", "forwards `I don't know` to the person, and charges nothing for it", async () => {
    const asks = first.end.type === "waiting" ? first.end.asks : [];
    expect(asks.map(({ text, answers }) => ({ text, answers }))).toEqual([
      { text: "The agent does not know", answers: ["answer"] },
    ]);
    expect(exitOfAsks(asks)).toBe(3);
    expect(first.context.session.view.asks[asks[0]?.key ?? ""]?.text).toContain(
      "I don't know which hash is wanted",
    );
    // Three documents were refused before; the next refusal is charged as the fourth of the specs.
    expect(countersOf(first.events)["documents"]).toBe("6/12");
    const before = eventsOf(first.events, "command.issued").filter(({ key }) => key.startsWith("intake"));
    expect(before).toHaveLength(7);
    const next = eventsOf(rest.events, "command.issued").find(({ key }) => key === "intake#8");
    expect(next?.command).toMatchObject({ counters: { documents: { value: 6, limit: 12 } } });
    expect((await promptsOf(world, rest.events, "intake"))[7]).toContain(answer);
  });

  test("already answered questions are refused, so that no one is asked for nothing", () => {
    const judged = eventsOf(rest.events, "gate.judged").filter(({ gate }) => gate === "topics");
    expect(judged.map(({ verdict }) => verdict)).toEqual(["fail", "pass", "fail"]);
    expect(judged[2]?.reasons[0]).toContain("all questions are answered");
  });

  test("an existing document is put aside and can be read again", async () => {
    const [warning] = eventsOf(first.events, "warned");
    expect(warning).toMatchObject({ code: "document_put_aside" });
    expect(warning?.message).toContain(join(world.repository.dir, ".claude/temp/spec.md"));
    const address = /sha256:[0-9a-f]+/u.exec(warning?.message ?? "")?.[0] ?? "";
    expect(await world.host.payloads.text(address)).toBe(foreign);
  });

  verifies(
    "ORC-07",
    "plan mode: the planner's files in its workspace are kept aside, a person's files are only noted",
    async () => {
      const { view } = rest.context.session;
      const { repository } = world;
      expect(eventsOf(rest.events, "outside.write").map(({ place, paths }) => ({ place, paths }))).toEqual([
        { place: "checkout", paths: ["src/words.js"] },
        { place: "workspace", paths: ["src/a.js", "src/words.js"] },
      ]);
      expect(view.commits).toEqual([]);
      expect(await repository.git("rev-list", "--count", "main")).toBe("1");
      expect(await repository.git("for-each-ref", "--format=%(refname)", "refs/heads")).toBe(
        "refs/heads/main",
      );
      expect(await repository.git("show", `${view.rescued[0]?.ref ?? ""}:src/a.js`)).toBe(
        "export const a = 1;",
      );
      expect(await repository.git("status", "--porcelain")).toBe(" M src/words.js");
      expect(await repository.git("diff", "--", "src/words.js")).toContain("+// saved by a person");
      expect(runStatus(view, { owner: null }).warnings.slice(1)).toEqual([
        "written outside what the role may write, not used: src/a.js, src/words.js",
        "changed in the main checkout, no part of the run: src/words.js",
      ]);
      expect(rest.end).toMatchObject({ type: "waiting", asks: [{ state: "user_gate_plan" }] });
    },
  );

  async function answerQuestion({ context }: DriveResult): Promise<void> {
    const [ask] = waitingAsks(context.session.state);
    if (!ask) throw new Error("nothing waits");
    const by = { answeredBy: "file", authenticated: false, who: "a person" } as const;
    await context.session.settle(
      ask.key,
      await answerAsk(context, { ask, outcome: "answer", text: answer, by }),
    );
  }

  /** Records of a phase, in order. */
  async function recordsOf({ context }: DriveResult, phase: string): Promise<readonly EvidenceRecord[]> {
    const events = context.session.view.records.filter((record) => record.phase === phase);
    const records = await Promise.all(events.map(({ id }) => readRecord(context, id)));
    return records.filter((record) => record !== null);
  }
});

function written(turn: { does?: Record<string, unknown>[] } | undefined, path: string): string {
  const step = turn?.does?.find((one) => (one["write"] as { path?: string } | undefined)?.path === path);
  return (step?.["write"] as { content: string }).content;
}

/** The state line right after an event. */
function lineAfter(events: readonly Recorded[], event: { readonly seq: number } | undefined): string | null {
  const seen = events.filter(({ seq }) => seq <= (event?.seq ?? 0));
  return stateLineOf(foldView(emptyView("run"), seen));
}
