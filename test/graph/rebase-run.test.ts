/**
 * A whole tree whose children add to one file: a Rebaser puts the second on the first, and the result has both.
 * @module-tag ci
 */
import { openRun } from "../../src/families/open-run.ts";
import { beforeAll, expect, test } from "vitest";
import type { DispatchCommand } from "../../src/kernel/command.ts";
import type { EventOf, Recorded } from "../../src/log/run-event.ts";
import { landRun } from "../../src/verify/land-run.ts";
import type { DriveResult, World } from "../orchestrate/world.ts";
import { newFolder } from "../support/folder.ts";
import { verifies } from "../verifies.ts";
import { adaptations, bothAdded, conflictCassette } from "./conflict-story.ts";
import { createTreeWorld, runGraph } from "./world.ts";

const parse = "receipt--parse";

let world: World;
let driven: DriveResult;
let folder: string;

beforeAll(async () => {
  folder = newFolder();
  world = await createTreeWorld();
  driven = await runGraph(world, {
    cassette: await conflictCassette({ repository: world.repository.dir, folder }),
  });
}, 300_000);

verifies(
  "V3-62",
  "a rebase waits for the running dispatch, the node is halted from the rebase to the Rebaser's exit, and then is based on the head of its parent's branch",
  async () => {
    expect(driven.end).toEqual({ type: "ended", outcome: "complete" });
    const commands = driven.events.flatMap((event) => (isCommandOf(event, parse) ? [event.command] : []));
    const names = commands.map(({ state }) => state);
    const from = names.indexOf("rebase");
    expect(names.slice(from, from + 4)).toEqual(["rebase", "rebaser", "rebase_gate", "candidate"]);
    const publish = indexOf((event) => event.type === "node.merged" && event.child === "receipt--money");
    const review = indexOf((event) => event.type === "result" && event.key === commands[from - 1]?.key);
    expect([commands[from - 1]?.role, publish < review, review < at(commands[from]?.key)]).toEqual([
      "reviewer",
      true,
      true,
    ]);
    const others = (until: number) => {
      const [begin, end] = [at(commands[from]?.key), until];
      return driven.events.slice(begin, end).filter((event) => isWorkOf(event, parse));
    };
    const exit = indexOf((event) => event.type === "result" && event.key === commands[from + 2]?.key);
    expect(others(exit).map((event) => event.type)).toEqual(["commit.made"]);
    const { nodes } = driven.context.session.view;
    const merged = nodes["receipt"]?.merged.map(({ child, commit }) => [child, commit]);
    expect(merged?.map(([child]) => child)).toEqual(["receipt--money", parse]);
    expect(nodes[parse]?.base).toBe(merged?.[0]?.[1]);
    const ref = nodes[parse]?.accepted.RebaseAdapted ?? "";
    expect(JSON.parse(await driven.context.payloads.text(ref))).toEqual({
      newBase: merged?.[0]?.[1],
      adaptations,
    });
    const { git } = world.repository;
    expect(await git("remote")).toBe("");
    expect(await git("show", `mettle/${driven.run}/result:src/shop.js`)).toBe(bothAdded.trimEnd());
  },
);

test("the result is one commit ahead of the base branch, which only landing moves, and never over uncommitted changes", async () => {
  const { git, write } = world.repository;
  const base = await git("rev-parse", "main");
  const result = await git("rev-parse", `mettle/${driven.run}/result`);
  expect([base, await git("log", "--format=%s", `main..${result}`)]).toEqual([
    driven.context.started.base,
    "feat(receipt): implement",
  ]);
  await write({ "src/shop.js": "mine\n" });
  await expect(landRun(await openRun(world.host, { run: driven.run }))).rejects.toMatchObject({
    code: "land_refused",
  });
  expect([await git("rev-parse", "main"), await git("rev-parse", `mettle/${driven.run}/result`)]).toEqual([
    base,
    result,
  ]);
  await git("checkout", "--quiet", "--", "src/shop.js");
  expect(await landRun(await openRun(world.host, { run: driven.run }))).toEqual({
    branch: "main",
    commit: result,
    unsigned: null,
  });
  expect(await git("rev-parse", "main")).toBe(result);
  expect(await git("status", "--porcelain")).toBe("");
});

function at(key: string | undefined): number {
  return indexOf((event) => event.type === "command.issued" && event.key === key);
}

function indexOf(test: (event: Recorded) => boolean): number {
  return driven.events.findIndex(test);
}

type IssuedDispatch = Recorded<EventOf<"command.issued">> & { readonly command: DispatchCommand };

function isCommandOf(event: Recorded, node: string): event is IssuedDispatch {
  if (event.type !== "command.issued") return false;
  const command = event.command as DispatchCommand;
  return command.type !== ("spawn" as string) && command.frame.endsWith(node.split("--").at(-1) ?? "");
}

/** A dispatch or a commit of the node, without the Rebaser's own dispatch. */
function isWorkOf(event: Recorded, node: string): boolean {
  if (event.type === "commit.made") return event.node === node;
  return isCommandOf(event, node) && event.command.type === "dispatch" && event.command.role !== "rebaser";
}
