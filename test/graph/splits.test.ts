// @module-tag ci
/** One tree, root > (a, b > (b1)): splits, inputs, waiting, and the effect of a merge on the other nodes. */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { beforeAll, expect } from "vitest";
import type { Command } from "../../src/kernel/command.ts";
import { ParentContext } from "../../src/protocol/graph-types/scaffold.ts";
import { openRun } from "../../src/families/open-run.ts";
import { nodeName } from "../../src/families/graph/node.ts";
import { treeStatus } from "../../src/families/graph/view/tree-status.ts";
import { verifyRun } from "../../src/verify/verify-run.ts";
import { flattenNodes, type NodeStatus } from "../../src/views/tree/tree-status.ts";
import { eventsOf, type DriveResult, type World } from "../orchestrate/world.ts";
import { onCopy, payloadFile, rewriteEvent, verifyIn } from "../orchestrate/tamper.ts";
import { newFolder } from "../support/folder.ts";
import { verifies } from "../verifies.ts";
import { createTreeWorld, logText } from "./world.ts";
import { dispatchOf } from "./threads-world.ts";
import { childSpec, files, refusalsIn, signals, runTree } from "./story.ts";
import { b1, ids, refused, rejection, shop, splitStory, top } from "./splits-world.ts";

let world: World;
let folder: string;
let driven: DriveResult;
let before: readonly string[];
let seen: { readonly nodes: readonly NodeStatus[]; readonly worktrees: string };

/** State of the user's checkout: head, index, changes, stash. */
async function checkout(): Promise<readonly string[]> {
  const { git } = world.repository;
  return [
    await git("rev-parse", "HEAD"),
    await git("symbolic-ref", "HEAD"),
    await git("ls-files", "--stage"),
    await git("status", "--porcelain"),
    await git("stash", "list"),
  ];
}

async function look(run: string): Promise<void> {
  const { fileOf } = signals(folder);
  for (let n = 0; n < 2400 && !existsSync(fileOf("b1-is-reviewed")); n++)
    await new Promise((done) => setTimeout(done, 100));
  const context = await openRun(world.host, { run });
  const { nodes } = await treeStatus(context, process.pid);
  seen = { nodes: flattenNodes(nodes), worktrees: await world.repository.git("worktree", "list") };
  await writeFile(fileOf("seen"), "");
}

beforeAll(async () => {
  folder = newFolder();
  world = await createTreeWorld({ ...files, "src/shop.js": shop });
  before = await checkout();
  driven = await runTree(world, { plant: top, nodes: splitStory(world, folder), meanwhile: look });
  if (process.env["SHOW"]) console.log(logText(driven.events));
}, 400_000);

const at = (node: string, state: string, nth?: number) => dispatchOf(driven, node, state, nth);
const indexOf = (found: (event: (typeof driven.events)[number]) => boolean) => driven.events.findIndex(found);
const stored = async (ref: string | null | undefined): Promise<unknown> =>
  JSON.parse(await driven.context.payloads.text(ref ?? ""));
const entry = (id: string) => {
  const found = driven.context.session.view.nodes[id];
  if (found === undefined) throw new Error(`there is no node ${id}`);
  return found;
};
const isDispatchOf = (command: Command, role: string) => command.type === "dispatch" && command.role === role;

verifies(
  "V3-04",
  "a child is a graph of its own, and gets its spec, the text of its parent's interfaces and its own criteria",
  async () => {
    expect(driven.end).toEqual({ type: "ended", outcome: "complete" });
    expect(Object.keys(driven.context.session.view.nodes).toSorted()).toEqual(ids);
    for (const node of ids)
      for (const state of ["scaffold", "write_tests", "impl", "review", "merger"])
        expect((await at(node, state)).node).toBe(node);
    const spec = childSpec(b1, "AC-b.b1");
    expect(await stored(entry("top--b--b1").spec)).toEqual(spec);
    const api = 'src/b-api.js:\nexport { b } from "./b.js";';
    const shapes = 'src/b-shapes.js:\nexport const bShape = "b(b1)";';
    const parent = ParentContext.parse(await stored(entry("top--b--b1").parentContext));
    expect(parent).toEqual({
      interface: `${api}\n\n${shapes}`,
      assignedCriteria: "AC-b.b1: b1() gives its name",
    });
    const { text } = await at("top--b--b1", "scaffold");
    expect(text).toContain(parent.interface);
    expect(text).toContain(`You must satisfy: ${parent.assignedCriteria}`);
    expect(text).not.toContain("Complexity Constraints");
  },
);

verifies(
  ["V3-07", "V3-08"],
  "children that collide, or with unknown or shared criteria, are refused with their values, and nothing is spawned",
  () => {
    const said = refusalsIn(driven.events);
    expect(said).toEqual(refused.map(([, why]) => expect.stringMatching(why)));
    const taken = indexOf((event) => event.type === "result" && event.outcome === "InitWork");
    const earlier = driven.events.slice(0, taken);
    expect(earlier.filter(({ type }) => type === "report.refused")).toHaveLength(refused.length);
    expect(eventsOf(earlier, "node.began").map(({ node }) => node)).toEqual(["top"]);
    expect(
      eventsOf(earlier, "command.issued").filter(({ command }) => (command as Command).type === "spawn"),
    ).toEqual([]);
    // b1 has a part of AC-b, and the root keeps what no child has.
    expect(entry("top--b--b1").publication?.required.join("\n")).toContain("AC-b.b1: gives its name");
    expect(entry("top").publication?.required.join("\n")).toContain("AC-1: gives its name");
  },
);

verifies(
  "V3-15",
  "Impl starts after tests and children in either order, at once where there are no children, and status says what it waits for",
  () => {
    const begins = (node: string) =>
      indexOf((event) => event.type === "dispatch.started" && event.node === node && event.role === "impl");
    const issued = (node: string) =>
      indexOf(
        (event) =>
          event.type === "command.issued" &&
          isDispatchOf(event.command as Command, "impl") &&
          eventsOf(driven.events, "dispatch.started").some(
            (started) => started.key === event.key && started.node === node,
          ),
      );
    const accepted = (node: string) =>
      indexOf(
        (event) => event.type === "node.accepted" && event.node === node && event.exit === "TestsReady",
      );
    const merged = (child: string) =>
      indexOf((event) => event.type === "node.merged" && event.child === child);
    // For the root the children finish first, for b the tests.
    expect(merged("top--a")).toBeLessThan(merged("top--b"));
    expect(merged("top--b")).toBeLessThan(accepted("top"));
    expect(accepted("top")).toBeLessThan(issued("top"));
    expect(accepted("top--b")).toBeLessThan(merged("top--b--b1"));
    expect(merged("top--b--b1")).toBeLessThan(issued("top--b"));
    for (const node of ids) expect(issued(node)).toBeLessThan(begins(node));
    for (const leaf of ["top--a", "top--b--b1"]) {
      const gate = indexOf(({ seq }) => seq > (driven.events[accepted(leaf)]?.seq ?? 0));
      const next = driven.events
        .slice(gate)
        .find((event) => event.type === "command.issued" && (event.command as Command).state !== "rebase");
      expect(next).toMatchObject({ command: { type: "dispatch", role: "impl" } });
    }
    const waits = Object.fromEntries(seen.nodes.map(({ nodeId, waitsFor }) => [nodeId, waitsFor]));
    expect(waits).toMatchObject({
      top: ["TDD.TestsReady", "child a", "child b"],
      "top--b": ["child b1"],
    });
    const open = eventsOf(driven.events, "dispatch.started").filter(({ workspace }) =>
      seen.worktrees.includes(workspace),
    );
    expect(open.map(({ node, role }) => `${node} ${role}`)).not.toContain("top impl");
  },
);

verifies(
  ["V3-12", "V3-21"],
  "a merge goes once to the parent, and once, without its commit, to each working sibling, but not to its author or a cousin; a rejected one goes to Impl",
  async () => {
    const again = await at("top--a", "impl", 2);
    expect(again.text).toContain(`reason: ${rejection.reason}`);
    expect(again.text).toContain(`details: ${rejection.details}`);
    // The failing tests are those that the runtime executed before the Merger: none.
    expect(again.text).toMatch(/^- failingTests: ?$/mu);
    expect(eventsOf(driven.events, "claim.unverified").map(({ excerpt }) => excerpt)).toContain(
      `failingTests: ${rejection.failingTests[0]}`,
    );
    const merges = eventsOf(driven.events, "node.merged").filter(({ child }) => child === "top--a");
    expect(merges.map(({ node }) => node)).toEqual(["top"]);
    const rebases = eventsOf(driven.events, "command.issued").flatMap(({ command }) => {
      const { type, path } = command as Command;
      return type === "rebase" ? [path.replaceAll("work/children/children/", "")] : [];
    });
    expect(rebases).toEqual(["b/sibling_merged/rebase", "b/b1/sibling_merged/rebase"]);
    const ended = indexOf((event) => event.type === "node.merged" && event.child === "top--a");
    expect(
      eventsOf(driven.events.slice(ended), "dispatch.started").filter(({ node }) => node === "top--a"),
    ).toEqual([]);
    const { text } = await at("top--b--b1", "rebaser");
    expect(text).toContain("**Author:** top--a\n**Impact:** Additive\n\n- a (NewExport):");
    expect(text).not.toContain(merges[0]?.commit);
  },
);

verifies(
  "V3-22",
  "a rebased node passes the event on to its children with its own head, before they may merge",
  async () => {
    const moved = eventsOf(driven.events, "node.moved").filter(({ by }) => by === "rebase");
    expect(moved.map(({ node }) => node)).toEqual(["top--b", "top--b--b1"]);
    const [ofB, ofB1] = moved;
    const { text } = await at("top--b--b1", "rebaser");
    expect(text).toContain(`New Parent HEAD: \`${ofB?.commit}\``);
    expect(text).toContain("**Author:** top--a");
    expect(ofB1?.base).toBe(ofB?.commit);
    const [commit] = eventsOf(driven.events, "node.merged")
      .filter(({ child }) => child === "top--a")
      .map((event) => event.commit);
    const { git } = world.repository;
    const branch = `mettle/${driven.run}/top--b--b1`;
    expect(await git("merge-base", commit ?? "", branch)).toBe(commit);
    const merged = indexOf((event) => event.type === "node.merged" && event.child === "top--b--b1");
    expect(ofB1?.seq).toBeLessThan(driven.events[merged]?.seq ?? 0);
  },
);

verifies(
  "V3-26",
  "the parent's TDD judges a verified squash by its diff, its criteria and what siblings merged, before anyone sees it",
  async () => {
    const { text, key, role } = await at("top--b", "judge");
    expect([role, text.includes("the judge of your child `top--b`")]).toEqual(["reviewer", true]);
    expect(text).toContain("AC-b: b() gives its name");
    expect(text).toMatch(/\+ {2}return "b\(" \+ \[b1\(\)\]/u);
    expect(text).toMatch(/## Siblings merged so far\n\n- top--a: .*\ba\b/u);
    expect(text).toContain("Does it fit with what the siblings have merged?");
    expect(text).toContain("Does the implementation really satisfy each criterion");
    const candidate = indexOf((event) => event.type === "node.candidate" && event.node === "top--b");
    const verdict = indexOf((event) => event.type === "result" && event.key === key);
    const between = driven.events.slice(candidate, verdict);
    expect(candidate).toBeGreaterThan(0);
    expect(between.filter((event) => event.type === "node.merged" || event.type === "node.moved")).toEqual(
      [],
    );
    const published = indexOf((event) => event.type === "node.merged" && event.child === "top--b");
    expect(published).toBeGreaterThan(verdict);
  },
);

verifies(
  "V3-82",
  "the Merger gets two nodes with their branches, with the base branch as the root's parent, and the child's contract suite",
  async () => {
    const { run, context } = driven;
    const { text } = await at("top--b--b1", "merger");
    expect(text).toContain(`Parent: \`top--b\` on \`mettle/${run}/top--b\``);
    expect(text).toContain(`Child: \`top--b--b1\` on \`mettle/${run}/top--b--b1\``);
    expect((await at("top", "merger")).text).toContain("Parent: `base` on `main`");
    expect(await stored(context.session.view.nodes["top--b--b1"]?.accepted.InitWork)).toMatchObject({
      contractSuite: "test/contract/b1.test.js",
    });
  },
);

verifies(
  "V3-58",
  "every dispatch has its own worktree outside the repository, every node has a branch, and the user's checkout is unchanged",
  async () => {
    const started = eventsOf(driven.events, "dispatch.started");
    const open = new Map<string, string>();
    for (const event of driven.events) {
      if (event.type === "dispatch.started") {
        expect([...open.values()]).not.toContain(event.workspace);
        expect(event.workspace.startsWith(world.repository.dir)).toBe(false);
        open.set(event.key, event.workspace);
      }
      if (event.type === "result") open.delete(event.key);
    }
    const folders = (role: string) =>
      new Set(started.filter((one) => one.role === role).map(({ workspace }) => workspace));
    for (const folder of folders("tdd")) expect(folders("impl").has(folder)).toBe(false);
    for (const node of ids)
      expect(await world.repository.git("rev-parse", `mettle/${driven.run}/${node}`)).toBe(entry(node).head);
    expect(await checkout()).toEqual(before);
    const long = Array.from({ length: 9 }, (_, n) => `${n}${"x".repeat(39)}`).join("--");
    expect(nodeName(long)).toMatch(/^0x{39}--1.*-[0-9a-f]{12}$/u);
    expect([nodeName(long).length, nodeName(`${long}y`) === nodeName(long), nodeName(ids[3] ?? "")]).toEqual([
      200,
      false,
      ids[3],
    ]);
  },
);

verifies(
  "V3-59",
  "Impl starts from the node's branch, which has all tests and all merged children",
  async () => {
    for (const [node, children] of [
      ["top", ["a", "b"]],
      ["top--b", ["b1"]],
    ] as const) {
      const { key } = await at(node, "impl");
      const [commit] = eventsOf(driven.events, "commit.made").filter((event) => event.key === key);
      const list = (await world.repository.git("ls-tree", "-r", "--name-only", commit?.from ?? "")).split(
        "\n",
      );
      const id = node.split("--").at(-1) ?? "";
      expect(list).toEqual(
        expect.arrayContaining([`test/${id}/${id}.test.js`, ...children.map((child) => `src/${child}.js`)]),
      );
      const stub = await world.repository.git("show", `${commit?.from}:src/${children[0]}.js`);
      expect(stub).not.toContain("not implemented");
      expect(commit?.parent).toBe(commit?.from);
    }
  },
);

verifies(
  "V3-44",
  "every gate of every node leaves a record, and verify names the record, commit or locked test of a grandchild that was altered",
  async () => {
    const { run, context, events } = driven;
    const verified = await verifyRun(context);
    expect(verified).toMatchObject({ verdict: "pass" });
    // The judge gets the squash that its record is about.
    const purposes = Object.fromEntries(
      (verified.nodes ?? []).map(({ node, records }) => [node, records.map(({ purpose }) => purpose)]),
    );
    const all = ["scaffold", "red", "green", "squash"];
    expect(purposes).toEqual({
      top: expect.arrayContaining([...all, "contracts"]),
      "top--a": expect.arrayContaining(all),
      "top--b": expect.arrayContaining([...all, "contracts", "rebase"]),
      "top--b--b1": expect.arrayContaining([...all, "rebase"]),
    });
    const own = (verified.nodes ?? []).find(({ node }) => node === "top--b--b1")?.records ?? [];
    for (const { id } of own) {
      const written = eventsOf(events, "record.written").find((event) => event.id === id);
      const { controls } = (await stored(written?.ref)) as { readonly controls: object };
      expect(controls).toMatchObject({ node: "top--b--b1", criteria: "AC-b.b1", exit: expect.any(String) });
    }

    const some = eventsOf(events, "record.written").find(({ id }) => id === own[1]?.id);
    const inCopy = (tamper: (root: string) => Promise<void>) =>
      onCopy(world, tamper, (home) => verifyIn(world, home, run));
    expect(await inCopy((root) => writeFile(payloadFile(root, some?.envelope ?? ""), "{}"))).toMatchObject({
      verdict: "fail",
      record: some?.id,
    });
    const lock = eventsOf(events, "node.locked").findLast(({ node }) => node === "top--b--b1");
    const [merge] = eventsOf(events, "node.merged").filter(({ child }) => child === "top--b--b1");
    if (!lock || !merge) throw new Error("b1 was locked and merged");
    const altered = [
      { ...lock, files: Object.fromEntries(Object.keys(lock.files).map((path) => [path, "sha256:0"])) },
      { ...merge, commit: entry("top").base },
    ];
    for (const { seq, at: _at, type, ...data } of altered)
      expect(await inCopy((root) => rewriteEvent(root, { run, seq, type, data }))).toMatchObject({
        verdict: "fail",
        why: expect.stringMatching(/^top--b--b1: .* is not as it was locked$/u),
      });
  },
);
