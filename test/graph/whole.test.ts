// @module-tag ci
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { EvidenceRecord } from "../../src/evidence/record.ts";
import { commitTree } from "../../src/git/objects/commit.ts";
import { deleteRef, updateRef } from "../../src/git/refs.ts";
import { trailersOf } from "../../src/git/trailers.ts";
import { listFiles, treeOf } from "../../src/git/objects/tree.ts";
import { verifyRun } from "../../src/verify/verify-run.ts";
import { verifies } from "../verifies.ts";
import { eventsOf, type DriveResult, type World } from "../orchestrate/world.ts";
import { dispatchOf } from "./threads-world.ts";
import { createTreeWorld, demoCassette, runGraph, rolesOf, logText } from "./world.ts";

let world: World;
let driven: DriveResult;

beforeAll(async () => {
  world = await createTreeWorld();
  const cassette = await demoCassette();
  // Both children's test writers work at the same time and save their inputs.
  for (const child of children)
    for (const turn of rolesOf(cassette, child)["tdd"] ?? [])
      turn.does?.unshift(
        { shell: `env > ${world.home}/${child}.env; date +%s%N >> ${world.home}/${child}.times` },
        { sleep: 3000 },
      );
  for (const child of children)
    for (const turn of rolesOf(cassette, child)["tdd"] ?? [])
      turn.does?.push({ shell: `date +%s%N >> ${world.home}/${child}.times` });
  driven = await runGraph(world, { cassette });
  if (process.env["SHOW"]) console.log(logText(driven.events));
});

const children = ["receipt--parse", "receipt--money"];

test("a root with two children ends complete", () => {
  const { view } = driven.context.session;
  expect(driven.end).toEqual({ type: "ended", outcome: "complete" });
  expect(Object.keys(view.nodes)).toEqual(["receipt", "receipt--parse", "receipt--money"]);
});

test("accepted work is on the branches and none of it is rescued; the refused attempt is rescued", () => {
  const { rescued } = driven.context.session.view;
  expect(rescued.map(({ reason }) => reason)).toEqual([expect.stringContaining("required tests: 1 failed")]);
});

test("each commit message names its record, and verify finds one that does not (fault P8)", async () => {
  const { context } = driven;
  const { repository, run } = context;
  const { records, commits } = context.session.view;
  const heads = Object.values(context.session.view.nodes).map(({ head }) => head);
  const made = new Set([...commits.map(({ commit }) => commit), ...merges(), ...heads]);
  let naming = 0;
  for (const commit of made) {
    const named = (await trailersOf(repository, commit)).get("Mettle-Record");
    // Work that its gate judges as another commit, and copies on a new base, name no record.
    if (named === undefined) continue;
    naming += 1;
    expect([commit, records.find(({ id }) => id === named)?.commit]).toEqual([commit, commit]);
  }
  expect(naming).toBeGreaterThan(8);
  expect(await verifyRun(context)).toMatchObject({ verdict: "pass" });

  const tree = await treeOf(repository, context.started.base);
  const wrong = await commitTree(repository, {
    tree,
    parents: [context.started.base],
    subject: "Something else",
    trailers: { "Mettle-Run": run, "Mettle-Record": records.at(-1)?.id ?? "" },
    dateMs: 0,
  });
  const ref = `refs/mettle/runs/${run}/wrong`;
  await updateRef(repository, { ref, to: wrong, from: null });
  expect(await verifyRun(context)).toMatchObject({
    verdict: "fail",
    why: `commit ${wrong} names record ${records.at(-1)?.id} in its message, which is about commit ${records.at(-1)?.commit}`,
  });
  await deleteRef(repository, { ref, from: wrong });
});

function merges(): readonly string[] {
  const { nodes } = driven.context.session.view;
  return Object.values(nodes).flatMap(({ merged }) => merged.map(({ commit }) => commit));
}

test("no honest report of an agent is marked UNVERIFIED (fault E16)", () => {
  expect(eventsOf(driven.events, "claim.unverified")).toEqual([]);
});

test("a Merger and a reviewer see what they judge, and why a passed run had another exit code (fault E16)", async () => {
  const merger = (await dispatchOf(driven, "receipt--money", "merger")).text;
  for (const word of [
    "## The Change\n\n```diff\ndiff --git a/src/money.js",
    "+  return (cents / 100).toFixed(2);",
    "- [x] contract suite: ",
    "- [x] integration tests: ",
  ])
    expect(merger).toContain(word);
  const review = (await dispatchOf(driven, "receipt--money", "review")).text;
  expect(review).toMatch(
    /- \[x\] tests: .* ended with exit code 1, .*; what failed did so before this work too, and need not pass here: .*test\/contract\/receipt\.test\.js::a receipt ends/u,
  );
});

verifies(
  "CORE-63",
  "agents that work at the same time have their own folders and ports, and each proof has only the tests of its commit",
  async () => {
    const given = await Promise.all(
      children.map((child) => readFile(join(world.home, `${child}.env`), "utf8")),
    );
    const [one, other] = given.map((text) => Object.fromEntries(text.trim().split("\n").map(pair)));
    const names = ["HOME", "TMPDIR", "XDG_CACHE_HOME", "METTLE_PORT_BASE"];
    for (const name of names) expect([name, one?.[name] === other?.[name]]).toEqual([name, false]);
    for (const name of names) expect([name, typeof one?.[name]]).toEqual([name, "string"]);
    const ports = [one, other].map((env) => Number(env?.["METTLE_PORT_BASE"]));
    expect(Math.abs((ports[0] ?? 0) - (ports[1] ?? 0))).toBeGreaterThanOrEqual(100);

    const times = await Promise.all(
      children.map((child) => readFile(join(world.home, `${child}.times`), "utf8")),
    );
    const [a = [], b = []] = times.map((text) => text.trim().split("\n").map(Number));
    expect(Math.max(a[0] ?? 0, b[0] ?? 0)).toBeLessThan(Math.min(a[1] ?? 0, b[1] ?? 0));

    const { context } = driven;
    let seen = 0;
    for (const { ref } of context.session.view.records) {
      const record = EvidenceRecord.parse(JSON.parse(await context.payloads.text(ref)));
      // The runtime adds copies of the tests in the controls of RED and GREEN.
      if (record.commit === null || /\.(?:canary|repeat)$/u.test(record.purpose)) continue;
      const files = new Set((await listFiles(context.repository, record.commit)).map(({ path }) => path));
      const strange = record.tests.filter(({ id }) => !files.has(id.split("::")[0] ?? ""));
      expect([record.id, strange]).toEqual([record.id, []]);
      seen += record.tests.length;
    }
    expect(seen).toBeGreaterThan(20);
  },
);

function pair(line: string): readonly [string, string] {
  const at = line.indexOf("=");
  return [line.slice(0, at), line.slice(at + 1)];
}
