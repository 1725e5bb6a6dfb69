/**
 * Questions of a tree: from the root to a person, and from a grandchild up to the person and back.
 * @module-tag ci
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect } from "vitest";
import { stringify } from "yaml";
import type { Command } from "../../src/kernel/command.ts";
import { openRun } from "../../src/families/open-run.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { eventsOf, type CliResult, type DriveResult, type World } from "../orchestrate/world.ts";
import { verifies } from "../verifies.ts";
import { dispatchOf } from "./threads-world.ts";
import { createTreeWorld, logText, type NodeRoles } from "./world.ts";
import {
  files,
  initWork,
  scaffoldSteps,
  nodesOf,
  report,
  signals,
  specOf,
  type TreeNode,
  type Step,
} from "./story.ts";
import { callIn } from "../cli/here.ts";

type Call = (args: readonly string[]) => Promise<CliResult>;

async function run(
  { world, call }: { readonly world: World; readonly call: Call },
  plant: TreeNode,
  nodes: Record<string, NodeRoles>,
): Promise<CliResult> {
  const spec = join(world.home, `${plant.id}.yaml`);
  const cassette = join(world.home, `${plant.id}-cassette.yaml`);
  await writeFile(spec, stringify(specOf(plant)));
  await writeFile(cassette, stringify({ version: 1, kind: "cassette", nodes }));
  return call(["run", "--protocol", "graph", "--spec", spec, "--agent", `scripted:${cassette}`]);
}

async function driveResultOf(world: World, called: CliResult): Promise<Omit<DriveResult, "end">> {
  const [, id = ""] = /\brun ([a-z0-9]+), first node/u.exec(`${called.stdout}${called.stderr}`) ?? [];
  expect(id, `${called.stdout}${called.stderr}`).not.toBe("");
  const context = await openRun(world.host, { run: id });
  return { run: id, context, events: (await world.host.journal.read(id)).map(recorded) };
}

const fieldsOf = (id: string) => ({
  question: `what is a name of ${id}?`,
  ambiguityReference: "AC-1",
  specSentence: `${id}() gives its name`,
});
const asks = (id: string) => report("ClarificationNeeded", fieldsOf(id));
const text = "a name is a word";

describe("the root's question", () => {
  const solo: TreeNode = { id: "solo" };
  let world: World;
  let first: CliResult;
  let answered: CliResult;
  let after: Omit<DriveResult, "end">;

  beforeAll(async () => {
    world = await createTreeWorld(files);
    const nodes = nodesOf(solo);
    const [lays] = nodes["solo"]?.["scaffold"] ?? [];
    nodes["solo"] = {
      ...nodes["solo"],
      scaffold: [{ report: asks("solo") }, { expects: [text], ...lays }],
    };
    // With the program, as a person would.
    first = await run({ world, call: (args) => world.cli(args) }, solo, nodes);
    const { run: id } = await driveResultOf(world, first);
    answered = await world.cli(["answer", id, text]);
    after = await driveResultOf(world, first);
  }, 300_000);

  verifies(
    "V3-67",
    "waits for a person with every field, and continues in the same conversation with the answer, which all later roles get",
    async () => {
      expect(first.code).toBe(3);
      for (const field of Object.values(fieldsOf("solo"))) expect(first.stdout).toContain(field);
      expect([answered.code, answered.stderr]).toEqual([0, expect.any(String)]);
      const driven = { ...after, end: { type: "ended", outcome: "complete" } } as DriveResult;
      const at = (state: string, nth?: number) => dispatchOf(driven, "solo", state, nth);
      const [before, next] = [await at("scaffold"), await at("scaffold", 2)];
      expect(next.conversation).toBe(before.conversation);
      for (const state of ["write_tests", "impl", "merger"]) expect((await at(state)).text).toContain(text);
      const result = eventsOf(after.events, "result").find(({ outcome }) => outcome === "answer");
      expect(result).toMatchObject({ text });
      const second = await world.cli(["answer", after.run, text]);
      expect([second.code === 0, second.stderr]).toEqual([
        false,
        expect.stringContaining("nothing_to_answer"),
      ]);
    },
  );
});

describe("a grandchild's question", () => {
  const tax: TreeNode = { id: "tax" };
  const cart: TreeNode = { id: "cart", children: [tax] };
  const shop: TreeNode = { id: "shop", children: [cart, { id: "note" }] };
  let world: World;
  let first: CliResult;
  let before: Omit<DriveResult, "end">;
  let after: Omit<DriveResult, "end">;

  beforeAll(async () => {
    world = await createTreeWorld(files);
    const nodes = nodesOf(shop);
    const { until } = signals(world.home);
    const set = (node: string, role: string, turns: NodeRoles[string]) => {
      nodes[node] = { ...nodes[node], [role]: turns };
    };
    const givesUp = report("EN", null, "enough");
    const heard = ["shop--cart--tax", ...Object.values(fieldsOf("tax"))];
    const again = (plant: TreeNode, own: string) => report("InitWork", initWork(plant, own).payload);
    set("shop", "scaffold", [
      { does: scaffoldSteps(shop), report: initWork(shop, "AC-1") },
      { expects: ["shop--cart", fieldsOf("cart").question], report: asks("shop") },
      { expects: [text], report: again(shop, "AC-1") },
      { report: givesUp },
    ]);
    set("shop--cart", "scaffold", [
      { does: scaffoldSteps(cart), report: initWork(cart, "AC-cart") },
      { expects: heard, report: asks("cart") },
      { expects: [text], report: again(cart, "AC-cart") },
      { report: givesUp },
    ]);
    set("shop--cart--tax", "scaffold", [{ report: asks("tax") }, { expects: [text], report: givesUp }]);
    const { tdd: [tested] = [] } = nodes["shop"] ?? {};
    set("shop", "tdd", [{ ...tested, repeat: true }]);
    // The sibling works until the person is asked.
    const isAsked: Step = until(`[ -e '${join(world.home, "asked")}' ]`);
    const { impl: [built] = [] } = nodes["shop--note"] ?? {};
    set("shop--note", "impl", [{ ...built, does: [isAsked, ...(built?.does ?? [])] }]);
    const [, passes] = nodes["shop"]?.["scaffold"] ?? [];
    if (passes) passes.does = [{ shell: `touch '${join(world.home, "asked")}'` }, { sleep: 500 }];
    first = await run({ world, call: (args) => callIn(world, args) }, shop, nodes);
    before = await driveResultOf(world, first);
    await callIn(world, ["answer", before.run, text]);
    after = await driveResultOf(world, first);
    if (process.env["SHOW"]) console.log(logText(after.events));
  }, 400_000);

  verifies(
    ["V3-68", "V3-72"],
    "becomes one question to a person that names it, while its sibling works on to its merge, and the answer comes back down",
    async () => {
      expect(first.code).toBe(3);
      expect(first.stdout).toContain("shop--cart--tax");
      const isAsk = (event: (typeof before.events)[number]) =>
        event.type === "command.issued" && (event.command as Command).type === "ask";
      const clarify = before.events.findIndex(
        (event) =>
          isAsk(event) && event.type === "command.issued" && (event.command as Command).path === "clarify",
      );
      const merged = before.events.findIndex(
        (event) => event.type === "node.merged" && event.child === "shop--note",
      );
      expect(clarify).toBeGreaterThan(0);
      expect(merged).toBeGreaterThan(clarify);
      const open = before.context.session.state.open.flatMap((command) =>
        command.type === "ask" && command.to === "person" ? [command.path] : [],
      );
      expect(open).toEqual(["clarify"]);
      const driven = { ...after, end: { type: "ended", outcome: "x" } } as DriveResult;
      const up = await dispatchOf(driven, "shop--cart", "scaffold", 2);
      expect(up.text).toContain("- childId: shop--cart--tax");
      const down = await dispatchOf(driven, "shop--cart--tax", "scaffold", 2);
      expect(down.text).toContain(text);
      expect(down.seq).toBeGreaterThan(
        eventsOf(after.events, "result").find(({ outcome }) => outcome === "answer")?.seq ?? Infinity,
      );
    },
  );
});
