// @module-tag ci
/** What the pictures of a page draw, compared with the journal and the records, without looking at pixels. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect } from "vitest";
import type { Command } from "../../src/kernel/command.ts";
import { pageFile } from "../../src/page/file/page-file.tsx";
import { runModel } from "../../src/views/model/build-model.ts";
import { newFolder } from "../support/folder.ts";
import { largeRun } from "./large-run.ts";
import { durationText } from "../../src/page/parts/words.ts";
import { eventsOf } from "../orchestrate/world.ts";
import { verifiesWhen } from "../verifies.ts";
import { chromiumPath, noChromium, openFile } from "./chromium.ts";
import { attributesOf, drawnBars, tableOf } from "./drawn.ts";
import { keepRun, type KeptRun } from "./kept-runs.ts";

const has = chromiumPath !== null;

describe("the pictures of a run of phases", () => {
  let kept: KeptRun;
  beforeAll(async () => {
    kept = await keepRun();
  }, 180_000);

  verifiesWhen(has, noChromium, "SEE-08", "time by phase and role is that of the journal", async () => {
    const { page } = await openFile(kept.file);
    const spent = new Map<string, Record<string, number>>();
    const roles = new Map<string, number>();
    for (const { key, phase, kind, ms } of stepsOf(kept)) {
      const of = spent.get(phase) ?? {};
      spent.set(phase, { ...of, [kind]: (of[kind] ?? 0) + ms });
      const role = eventsOf(kept.events, "dispatch.started").find((one) => one.key === key)?.role;
      if (role !== undefined) roles.set(role, (roles.get(role) ?? 0) + ms);
    }
    const bars = await drawnBars(page, "time-by-phase");
    expect(bars.map(({ id }) => id)).toEqual([...spent.keys()]);
    const longest = Math.max(...[...spent.values()].map(sumOf));
    for (const { id, parts, widths } of bars) {
      const wanted = spent.get(id) ?? {};
      expect({ id, agent: 0, gate: 0, person: 0, ...parts }).toEqual({
        id,
        agent: 0,
        gate: 0,
        person: 0,
        ...wanted,
      });
      for (const [kind, share] of Object.entries(widths))
        expect(share).toBeCloseTo((wanted[kind] ?? 0) / longest, 2);
    }
    const table = await tableOf(page, "Time and cost by phase");
    expect(table.map((row) => [row["Agents"], row["Gates"], row["People"]])).toEqual(
      [...spent.values()].map(({ agent = 0, gate = 0, person = 0 }) =>
        [agent, gate, person].map(durationText),
      ),
    );
    const byRole = await drawnBars(page, "time-by-role");
    // An agent's time ends with its last turn, a little before its result.
    for (const { id, parts } of byRole) expect(parts["agent"]).toBeLessThanOrEqual(roles.get(id) ?? 0);
    // Two reviewers work at the same time, and either may end first.
    expect(byRole.map(({ id }) => id).toSorted()).toEqual([...roles.keys()].toSorted());
    expect((await tableOf(page, "Use by role")).map((row) => row["Worked"])).toEqual(
      byRole.map(({ parts }) => durationText(parts["agent"] ?? 0)),
    );
  });

  verifiesWhen(has, noChromium, "SEE-08", "attempts by gate are those of the journal", async () => {
    const { page } = await openFile(kept.file);
    const judged = eventsOf(kept.events, "gate.judged");
    const marks = await attributesOf(
      page,
      "[data-picture='attempts-by-gate'] [data-attempt]",
      "data-attempt",
      "data-value",
    );
    expect(marks).toEqual(judged.map(({ key, verdict }) => ({ "data-attempt": key, "data-value": verdict })));
    const table = await tableOf(page, "Attempts by gate");
    const gates = [...new Set(judged.map(({ gate }) => gate))];
    const count = (gate: string, wanted: string) =>
      String(judged.filter((one) => one.gate === gate && one.verdict === wanted).length);
    expect(table.map((row) => [row["Passed"], row["Refused"], row["Not judged"]])).toEqual(
      gates.map((gate) => [count(gate, "pass"), count(gate, "fail"), count(gate, "inconclusive")]),
    );
  });

  verifiesWhen(
    has,
    noChromium,
    "SEE-08",
    "tests over time and mutants by file are those of the records",
    async () => {
      const { page } = await openFile(kept.file);
      const runs = [...kept.records.values()].filter(({ purpose }) => /^baseline$|[.]tests$/u.test(purpose));
      const drawn = await attributesOf(
        page,
        "svg[data-picture='tests-over-time'] [data-bar]",
        "data-bar",
        "data-passed",
        "data-failed",
      );
      const countsOf = (tests: (typeof runs)[number]["tests"], wanted: string) =>
        String(tests.filter(({ status }) => status === wanted).length);
      const wanted = runs.map(({ id, tests }) => [id, countsOf(tests, "passed"), countsOf(tests, "failed")]);
      expect(drawn.map((bar) => [bar["data-bar"], bar["data-passed"], bar["data-failed"]])).toEqual(wanted);
      expect(
        (await tableOf(page, "Runs of the tests")).map((row) => [
          row["Record"],
          row["Passed"],
          row["Failed"],
        ]),
      ).toEqual(wanted);

      const measured = [...kept.records.values()].findLast(({ controls }) => "mutants_by_file" in controls);
      const [, noticed = "", all = "", path = ""] =
        /^(\d+) of (\d+) (.+)$/u.exec(measured?.controls["mutants_by_file"] ?? "") ?? [];
      expect(path).toBe("src/slugify.js");
      const unnoticed = Number(all) - Number(noticed);
      expect((await drawnBars(page, "mutants-by-file")).map(({ id, parts }) => ({ id, parts }))).toEqual([
        { id: path, parts: { noticed: Number(noticed), unnoticed } },
      ]);
      expect(await tableOf(page, "Mutants by file")).toMatchObject([
        { File: path, Noticed: noticed, "Not noticed": String(unnoticed) },
      ]);
    },
  );
});

verifiesWhen(has, noChromium, "SEE-08", "cost by phase, role and agent is that of the journal", async () => {
  const facts = largeRun(4, 2);
  const file = join(newFolder(), "page.html");
  await writeFile(file, pageFile(runModel(facts), { documents: {}, prompts: {}, outputs: {} }));
  const { page } = await openFile(file);
  const cost = eventsOf(facts.events, "agent.used").reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0);
  expect(cost).toBeCloseTo(0.04, 9);
  for (const [picture, id] of [
    ["cost-by-phase", "Impl"],
    ["cost-by-role", "impl"],
    ["cost-by-agent", "scripted"],
  ] as const)
    expect((await drawnBars(page, picture)).map(({ id: bar, parts }) => ({ bar, ...parts }))).toEqual([
      { bar: id, cost },
    ]);
  for (const caption of ["Time and cost by phase", "Use by role", "Use by agent"])
    expect((await tableOf(page, caption)).map((row) => row["Cost"])).toEqual(["$0.04"]);
});

describe("the pictures of a graph", () => {
  let kept: KeptRun;
  beforeAll(async () => {
    kept = await keepRun("--protocol", "graph");
  }, 180_000);

  verifiesWhen(
    has,
    noChromium,
    "SEE-08",
    "the tree and its critical path are those of the journal",
    async () => {
      const { page } = await openFile(kept.file, { width: 390 });
      const began = eventsOf(kept.events, "node.began").map(({ node }) => node);
      const merged = eventsOf(kept.events, "node.merged").map(({ child }) => child);
      const [root = ""] = began;
      const last = merged.findLast((node) => node !== root) ?? "";
      const boxes = await attributesOf(page, "[data-node]", "data-node", "data-parent", "data-critical");
      const wanted = [...new Set(began)].map((node) => ({
        "data-node": node,
        "data-parent": node === root ? "" : node.slice(0, node.lastIndexOf("--")),
        "data-critical": String(node === root || node === last),
      }));
      expect(boxes).toHaveLength(3);
      expect(boxes.toSorted(byNode)).toEqual(wanted.toSorted(byNode));
      const edges = await attributesOf(page, "[data-edge]", "data-edge", "class");
      expect(edges.map((edge) => [edge["data-edge"], edge.class.includes("critical")]).toSorted()).toEqual(
        began
          .slice(1)
          .map((node) => [`${root} ${node}`, node === last])
          .toSorted(),
      );
      const rows = await tableOf(page, "Nodes of the tree");
      expect(rows.map((row) => [row["Node"], row["Critical"]])).toEqual(
        boxes.map((box) => [box["data-node"], box["data-critical"] === "true" ? "yes" : "no"]),
      );
    },
  );
});

interface Step {
  readonly key: string;
  readonly phase: string;
  readonly kind: "agent" | "gate" | "person";
  readonly ms: number;
}

/** From when an agent started, or a command was issued, until its result. */
function stepsOf({ events }: KeptRun): readonly Step[] {
  const results = new Map(eventsOf(events, "result").map(({ key, at }) => [key, at]));
  const started = new Map(eventsOf(events, "dispatch.started").map(({ key, at }) => [key, at]));
  return eventsOf(events, "command.issued").flatMap(({ key, command: issued, at }) => {
    const command = issued as Command;
    const end = results.get(key);
    const kind = command.type === "dispatch" ? "agent" : command.type === "ask" ? "person" : "gate";
    if (end === undefined || command.phase === undefined) return [];
    return [{ key, phase: command.phase, kind, ms: Date.parse(end) - Date.parse(started.get(key) ?? at) }];
  });
}

function sumOf(parts: Readonly<Record<string, number>>): number {
  return Object.values(parts).reduce((sum, value) => sum + value, 0);
}

function byNode(one: { readonly "data-node": string }, other: { readonly "data-node": string }): number {
  return one["data-node"].localeCompare(other["data-node"]);
}
