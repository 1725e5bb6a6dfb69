/**
 * One run of riper in which every role once writes forbidden files, by a tool and by a shell: they are found, kept and
 * never committed. σ₆ protects `db/`, which the settings call source.
 * @module-tag ci
 */
import { join } from "node:path";
import { access, readFile, rm, writeFile } from "node:fs/promises";
import { beforeAll, describe, expect } from "vitest";
import { parseRecord } from "../../src/evidence/record.ts";
import type { Recorded } from "../../src/log/run-event.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { openRun } from "../../src/families/open-run.ts";
import { callIn } from "../cli/here.ts";
import {
  eventsOf,
  type CliResult,
  type CassetteFile,
  type TurnFile,
  type World,
} from "../orchestrate/world.ts";
import { payloadFile } from "../orchestrate/tamper.ts";
import { verifies } from "../verifies.ts";
import { wide } from "../wide.ts";
import { byHand, failing } from "./by-hand.ts";
import { add, honest } from "./sums.ts";
import { createCyclesWorld, dispatchLines, goCycles, oneCycle, type CyclesCassette } from "./world.ts";

const settings = "version: 1\nrunner: node-test\npaths: { source: [src/, db/] }\n";
const sql = { write: { path: "db/x.sql", content: "drop table users;\n" } };

/** Its work, and one forbidden file by each way. */
function forbidden(role: string, turn: TurnFile = {}): TurnFile {
  return {
    ...turn,
    does: [
      ...(turn.does ?? []),
      { write: { path: `src/${role}-tool.js`, content: "1;\n" } },
      { shell: `echo 2 > src/${role}-shell.js` },
    ],
  };
}

async function cassetteOf(): Promise<CyclesCassette> {
  const cassette = await oneCycle();
  const { designer, arch_critic, planner, plan_critic, qa, de, reviewer } = cassette.roles;
  const once = (role: string, turns: readonly TurnFile[]) => [
    forbidden(role, { ...turns[0], repeat: false }),
    ...turns,
  ];
  const [red = {}, ...qaRest] = qa;
  const [green = {}, ...deRest] = de;
  cassette.roles = {
    designer: once("designer", designer),
    arch_critic: once("arch_critic", arch_critic),
    planner: once("planner", planner),
    plan_critic: once("plan_critic", plan_critic),
    // Its tests are valid but it touches the source; afterwards it is right until its review.
    qa: [forbidden("qa", red), red, red, ...qaRest.slice(0, -1), forbidden("qa_review", qaRest.at(-1))],
    // First σ₆, then valid work.
    de: [{ ...green, does: [...(green.does ?? []), sql] }, green, ...deRest],
    reviewer: once("reviewer", reviewer),
  };
  return cassette;
}

let world: World;
let run = "";
let events: readonly Recorded[] = [];
const resumed: CliResult[] = [];
const spoilt: CliResult[] = [];
/** What the run waited for before each answer. */
const waits: string[] = [];

async function waiting(): Promise<string> {
  const { runs } = (await callIn(world, ["status", run, "--json"])).json() as {
    runs: { waiting: { text: string; kind: string }[] }[];
  };
  return runs[0]?.waiting.map(({ kind, text }) => `${kind}: ${text}`).join() ?? "nothing";
}

beforeAll(async () => {
  world = await createCyclesWorld({
    "mettle.yaml": settings,
    "memory-bank/protection.md": "# ours\ndb/**\n",
  });
  ({ run } = await goCycles(world, "riper", await cassetteOf()));
  for (let index = 0; index < 8; index++) {
    waits.push(await waiting());
    if (index === 2) await withoutDesign();
    resumed.push(
      await callIn(world, ["resume", run, ...(index === 2 ? [] : ["--context", "write nothing else"])]),
    );
  }
  events = (await world.host.journal.read(run)).map(recorded);
}, 240_000);

/** Before the planner is dispatched again, its design is deleted, then changed, then restored. */
async function withoutDesign(): Promise<void> {
  const { view } = (await openRun(world.host, { run })).session;
  const file = payloadFile(world.host.home.root, view.documents["design"]?.ref ?? "");
  const design = await readFile(file);
  await rm(file);
  spoilt.push(await callIn(world, ["resume", run, "--context", "write nothing else"]));
  await writeFile(file, design.toString().replace("hyphens", "Hyphens"));
  spoilt.push(await callIn(world, ["resume", run]));
  await writeFile(file, design);
}

verifies(
  "CORE-68",
  "a missing or changed design stops the dispatch that needs it, which continues once it is restored",
  () => {
    expect(spoilt.map(({ code, stderr }) => [code, /^error\[(\w+)\]/mu.exec(stderr)?.[1]])).toEqual([
      [5, "payload_missing"],
      [5, "payload_corrupt"],
    ]);
    expect([resumed[2]?.code, outcomes("Ω₃ᴾ[")]).toEqual([4, ["EX", "PC"]]);
  },
);

/** The outcome of the first dispatch in a mode or phase. */
function outcomes(line: string): readonly string[] {
  const keys = eventsOf(events, "command.issued").flatMap((event) =>
    event.line?.includes(line) === true ? [event.key] : [],
  );
  return eventsOf(events, "result").flatMap(({ key, outcome }) => (keys.includes(key) ? [outcome] : []));
}

async function holds(ref: string, path: string): Promise<boolean> {
  return (await world.repository.git("ls-tree", "-r", "--name-only", ref)).split("\n").includes(path);
}

async function rescuedWith(path: string): Promise<boolean> {
  const found = await Promise.all(eventsOf(events, "work.rescued").map(({ ref }) => holds(ref, path)));
  return found.includes(true);
}

describe("a role that writes nothing", () => {
  const readers = {
    designer: "Ω₁ᴾ[]",
    arch_critic: "Ω₂ᴬ[CTX:Λ₁]",
    planner: "Ω₃ᴾ[",
    plan_critic: "Ω₄ᶜ[",
    qa_review: "P:review_impl",
    reviewer: "Ω₆ⱽ[]",
  };
  for (const [role, line] of Object.entries(readers))
    verifies(
      "TDP-43",
      `${role}: the dispatch counts as EX, the journal names the paths, and the work is kept`,
      async () => {
        expect(outcomes(line)[0]).toBe("EX");
        const paths = [`src/${role}-shell.js`, `src/${role}-tool.js`];
        expect(eventsOf(events, "outside.write").map((event) => [...event.paths].toSorted())).toContainEqual(
          paths,
        );
        for (const path of paths) expect([path, await rescuedWith(path)]).toEqual([path, true]);
      },
    );
});

verifies(
  "TDP-43",
  "QA that writes source fails its gate in the row for it, and its work is kept",
  async () => {
    const judged = eventsOf(events, "gate.judged").find(({ gate }) => gate === "cycle_red");
    expect(judged?.findings).toContain("row: Tests written");
    expect(judged?.reasons.join()).toContain("src/qa-shell.js, src/qa-tool.js");
    expect(await rescuedWith("src/qa-tool.js")).toBe(true);
  },
);

verifies(
  "TDP-43",
  "no branch and no checkout has forbidden files, and the records say that nothing was isolated",
  async () => {
    const refs = (await world.repository.git("for-each-ref", "refs/heads", "--format=%(refname)")).split(
      "\n",
    );
    expect(refs).toContain(`refs/heads/mettle/${run}/work`);
    for (const ref of refs) {
      const names = await world.repository.git("log", ref, "--name-only", "--format=");
      expect([ref, /-(?:tool|shell)\.js|x\.sql/u.test(names)]).toEqual([ref, false]);
    }
    await expect(access(join(world.repository.dir, "db"))).rejects.toThrow("ENOENT");
    const [record] = eventsOf(events, "record.written");
    expect(parseRecord(JSON.parse(await world.host.payloads.text(record?.ref ?? ""))).isolation).toBe("none");
    for (const { isolation } of eventsOf(events, "dispatch.started")) expect(isolation).toBe("none");
  },
);

verifies("RIP-03", "DE that writes what σ₆ protects fails, and its work is kept and not used", async () => {
  const failed = eventsOf(events, "cycle.failed")[1];
  expect(failed).toMatchObject({ cycle: 1, phase: "ℜᴳ", kind: "quality", what: "σ₆ protection" });
  expect(failed?.why).toContain("memory-bank/protection.md forbids writing db/x.sql");
  expect(await rescuedWith("db/x.sql")).toBe(true);
});

verifies("RIP-03", "an invalid pattern stops the run before it starts, with file and line", async () => {
  const before = await world.host.journal.runs();
  await world.repository.write({ "memory-bank/protection.md": "db/**\n[\n" });
  const agent = await world.agent((await oneCycle()) as unknown as CassetteFile);
  const called = await callIn(world, ["run", "Add slugify(text)", "--protocol", "riper", "--agent", agent]);
  expect([called.code, called.stderr]).toEqual([
    2,
    expect.stringMatching(/^error\[bad_pattern\]: memory-bank\/protection\.md:2\b/u),
  ]);
  expect(await world.host.journal.runs()).toEqual(before);
});

if (wide)
  verifies("RIP-03", "under dptr nothing is protected", async () => {
    const files = { "src/old.js": "1;\n", "mettle.yaml": settings, "memory-bank/protection.md": "db/**\n" };
    const cycle = {
      method: "add()",
      task: "Add",
      tests: ["test/add.test.js"],
      criteria: [{ id: "Q1", text: "1 and 2 are 3" }],
      files: ["src/add.js"],
    };
    const hand = await byHand({ files, cycles: [cycle] });

    await hand.work("red", "RC", honest);
    expect(failing(await hand.gate())).toEqual([]);
    await hand.work("green", "GC", { ...add, "db/x.sql": "1;\n" });
    expect(failing(await hand.gate())).toEqual([]);
  });

verifies(
  "TDP-60",
  "each failure waited for a person, and each answer repeated the cycle from ℜ, with all failures kept",
  async () => {
    expect(waits).toEqual([
      "breaker: An agent could not finish",
      "breaker: An agent could not finish",
      "breaker: An agent could not finish",
      "breaker: An agent could not finish",
      "question: A quality gate failed",
      "question: A quality gate failed",
      "breaker: An agent could not finish",
      "failed: The run failed",
    ]);
    expect(resumed.map(({ code }) => code).slice(0, 7)).toEqual([4, 4, 4, 3, 3, 4, 1]);
    const reds = dispatchLines(events).filter((line) => line.includes("P:ℜ]"));
    expect(reds.slice(0, 3)).toEqual(Array.from({ length: 3 }, () => "QA[S{sid},R0,C1,P:ℜ]"));
    expect(
      eventsOf(events, "cycle.failed")
        .map(({ kind, what }) => [kind, what])
        .slice(0, 3),
    ).toEqual([
      ["quality", "Tests written"],
      ["quality", "σ₆ protection"],
      ["agent", "EX"],
    ]);
  },
);
