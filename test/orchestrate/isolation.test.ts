/** One whole run: what every isolated agent could read, a reviewer that changes files, and deleted documents. */
import { rmSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect } from "vitest";
import type { Recorded, RunEvent } from "../../src/log/run-event.ts";
import { answerAsk } from "../../src/engine/asks/answer.ts";
import { askKind } from "../../src/views/asks.ts";
import { verifies } from "../verifies.ts";
import { driveWatched, promptsOf } from "./watched.ts";
import {
  createWorld,
  untestedFiles,
  eventsOf,
  golden,
  phasesEntered,
  answerAll,
  type Answer,
  type CassetteFile,
  type DriveResult,
  type TurnFile,
  type World,
} from "./world.ts";

const phrase = "octarine-heron-57";
const isolated = ["gemini", "claude", "tester", "coder"] as const;
const documents = ["spec", "architecture", "plan-review", "test-review", "code-review"] as const;

/** Repeats the phrase in every answer to the analyst, and approves. */
const leakingAnswer: Answer = async (context, ask) => {
  if (askKind(ask) !== "questions") return answerAll(context, ask);
  const by = { answeredBy: "file", authenticated: false, who: "a person" } as const;
  const facts = context.session.view.questions.map(({ id }): RunEvent => ({
    type: "question.answered",
    id,
    text: `not like ${phrase}`,
    by,
  }));
  return { ...(await answerAsk(context, { ask, outcome: "answered", by })), facts };
};

describe("a whole run among isolated agents", () => {
  let world: World;
  let cassette: CassetteFile;
  let driven: DriveResult;
  let deleted: string[];
  beforeAll(async () => {
    world = await createWorld();
    cassette = await golden();
    const run = await world.start(spied(cassette));
    deleted = [];
    driven = await driveWatched(world, run, { answer: leakingAnswer, on: deleteDocuments });
  });

  // Covers workspace, prompt, home and environment. The rest of the machine is tested with the sandbox.
  verifies(
    "ORC-58",
    "nothing that only the planning discussion mentioned reaches an isolated agent",
    async () => {
      expect(driven.end).toEqual({ type: "ended", outcome: "complete" });
      expect((await promptsOf(world, driven.events, "intake"))[1]).toContain(phrase);
      const captured = await readdir(spyAgent(world));
      expect(captured.sort()).toEqual([
        "claude-1",
        "claude-2",
        "claude-3",
        "claude-4",
        "coder-1",
        "gemini-1",
        "gemini-2",
        "gemini-3",
        "tester-1",
      ]);
      const seen = new Map<string, string>();
      for (const path of await filesBelow(spyAgent(world)))
        seen.set(path, (await readFile(join(spyAgent(world), path))).toString("latin1"));
      for (const role of isolated)
        for (const [index, prompt] of (await promptsOf(world, driven.events, role)).entries())
          seen.set(`${role}-${index + 1}/prompt`, prompt);
      expect([...seen.keys()].filter((path) => path.endsWith("/prompt"))).toHaveLength(9);
      expect([...seen.keys()].filter((path) => path.endsWith("/env"))).toHaveLength(9);
      expect([...seen].flatMap(([path, text]) => (text.includes(phrase) ? [path] : []))).toEqual([]);

      const coded = await filesBelow(join(spyAgent(world), "claude-4", "workspace"));
      expect(coded.sort()).toEqual(
        [".git", ...Object.keys(await untestedFiles()), "src/slugify.js", "test/slugify.test.js"].sort(),
      );
    },
  );

  verifies("ORC-62", "a reviewer that changes a test and approves gives no valid review", async () => {
    const given = eventsOf(driven.events, "review.given").filter(
      ({ gate, label }) => gate === 2 && label === "Claude",
    );
    expect(given.map(({ verdict, reason }) => ({ verdict, reason }))).toEqual([
      { verdict: "inconclusive", reason: "outside_write: src/more.js, test/slugify.test.js" },
      { verdict: "APPROVED", reason: "" },
    ]);
    expect(eventsOf(driven.events, "outside.write")).toMatchObject([
      { key: given[0]?.key, place: "workspace", paths: ["src/more.js", "test/slugify.test.js"] },
    ]);
    const judged = eventsOf(driven.events, "gate.judged").filter(({ gate }) => gate === "gate2");
    expect(judged.map(({ verdict }) => verdict)).toEqual(["pass"]);
    expect(judged[0]?.seq).toBeGreaterThan(given[1]?.seq ?? Infinity);
    const { frozen, head } = driven.context.session.view;
    const tests = written(cassette.roles.tester[0], "test/slugify.test.js");
    for (const commit of [frozen?.commit, head.green])
      expect(`${await world.repository.git("show", `${commit}:test/slugify.test.js`)}\n`).toBe(tests);
    const paths = await world.repository.git("ls-tree", "-r", "--name-only", String(head.green));
    expect(paths.split("\n")).not.toContain("src/more.js");
  });

  verifies(
    "ORC-92",
    "documents that are deleted after every phase are written again, and nothing is lost",
    async () => {
      expect(deleted).toHaveLength(10);
      expect(phasesEntered(driven.events)).toEqual(deleted);
      expect(driven.end).toEqual({ type: "ended", outcome: "complete" });
      const { roles } = cassette;
      const expected = {
        spec: written(roles.intake[1], ".claude/temp/spec.md"),
        architecture: written(roles.planner[0], ".claude/temp/architecture.md"),
        "plan-review": written(roles.claude[0], ".claude/temp/plan-review.md"),
        "test-review": written(roles.claude[1], ".claude/temp/test-review.md"),
        "code-review": written(roles.claude[2], ".claude/temp/code-review.md"),
      };
      const folder = join(world.repository.dir, ".claude/temp");
      const shown = await Promise.all(documents.map((name) => readFile(join(folder, `${name}.md`), "utf8")));
      expect(Object.fromEntries(documents.map((name, index) => [name, shown[index]]))).toEqual(expected);
      // No agent was dispatched twice for it, except the reviewer that wrote a forbidden file.
      const counts = new Map<string, number>();
      for (const { role } of eventsOf(driven.events, "dispatch.started"))
        counts.set(role, (counts.get(role) ?? 0) + 1);
      expect(Object.fromEntries(counts)).toEqual({
        intake: 2,
        planner: 1,
        gemini: 3,
        claude: 4,
        tester: 1,
        coder: 1,
      });
      const answers = eventsOf(driven.events, "result").filter(({ by }) => by !== undefined);
      expect(answers.map(({ outcome }) => outcome)).toEqual(["answered", "approve", "approve"]);
      expect(await world.repository.git("status", "--porcelain")).toBe("");
    },
  );

  function deleteDocuments(event: Recorded): void {
    if (event.type !== "phase.completed") return;
    deleted.push(event.phase);
    rmSync(join(world.repository.dir, ".claude/temp"), { recursive: true });
  }

  /** Every isolated agent first copies all that it can read; the second test reviewer tampers with it once. */
  function spied(plain: CassetteFile): CassetteFile {
    const roles = structuredClone(plain.roles);
    const [plan, tests, code] = roles.claude;
    const tampering: TurnFile = structuredClone(tests ?? {});
    tampering.does?.push(
      { write: { path: "src/more.js", content: "export const more = 1;\n" } },
      { shell: "echo '// looks good' >> test/slugify.test.js" },
    );
    roles.claude = [plan, tampering, tests, code].flatMap((turn) => (turn ? [structuredClone(turn)] : []));
    for (const role of isolated)
      for (const [index, turn] of roles[role].entries()) {
        const to = join(spyAgent(world), `${role}-${index + 1}`);
        turn.does?.unshift({
          shell: `mkdir -p ${to} && cp -R . ${to}/workspace && cp -R "$HOME" ${to}/home && env > ${to}/env`,
        });
      }
    return { ...plain, roles };
  }
});

function spyAgent(world: World): string {
  return join(world.home, "spies");
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

function written(turn: TurnFile | undefined, path: string): string {
  const step = turn?.does?.find((one) => (one["write"] as { path?: string } | undefined)?.path === path);
  return (step?.["write"] as { content: string }).content;
}
