/**
 * Which agent plays which role of a tree: settings in `mettle.yaml`, one agent per role, or one for all.
 * @module-tag ci
 */
import { stringify } from "yaml";
import { beforeAll, describe, expect, test } from "vitest";
import type { DispatchCommand } from "../../src/kernel/command.ts";
import { emptyPlace } from "../cli/empty-place.ts";
import { callIn } from "../cli/here.ts";
import type { CallResult } from "../cli/stage.ts";
import {
  eventsOf,
  type CliResult as CalledHere,
  type DriveResult,
  type World,
} from "../orchestrate/world.ts";
import { newFolder } from "../support/folder.ts";
import { verifies } from "../verifies.ts";
import { wide } from "../wide.ts";
import { conflictCassette } from "./conflict-story.ts";
import { createTreeWorld, demoSpec, runGraph, type TreeCassette } from "./world.ts";

const roles = ["scaffold", "tdd", "impl", "reviewer", "merger", "rebaser"];

let world: World;
let refused: Record<"role" | "meant" | "others" | "agent" | "foreign", CalledHere>;
let left: readonly unknown[];

beforeAll(async () => {
  world = await createTreeWorld();
  await world.repository.write({ "spec.yaml": stringify(await demoSpec()) });
  const run = async (agents: object, ...more: readonly string[]): Promise<CalledHere> => {
    await world.repository.write({ "mettle.yaml": stringify({ version: 1, agents }) });
    return callIn(world, ["run", "--protocol", "graph", "--spec", "spec.yaml", ...more]);
  };
  refused = {
    role: await run({ roles: { jugde: "claude" } }),
    meant: await run({ roles: { scafold: "claude" } }),
    others: await run({}, "--agent", "coder=claude"),
    agent: await run({ roles: { merger: "cluade" } }),
    foreign: await run({ default: "scripted:x.yaml", roles: { coder: "nobody" } }),
  };
  const { git } = world.repository;
  left = [
    await world.host.journal.runs(),
    await git("for-each-ref", "--format=%(refname)"),
    await git("worktree", "list", "--porcelain").then((text) => text.match(/^worktree /gmu)?.length),
  ];
  await world.repository.write({ "mettle.yaml": null });
});

function refusesUnknown(): void {
  const said = Object.values(refused).map(({ code, stderr }) => [code, stderr.split("\n")]);
  const known = expect.stringMatching(`graph: ${roles.join(", ")}; .*orchestrate: intake, planner,`);
  expect(said).toEqual([
    [2, expect.arrayContaining([known])],
    [2, expect.arrayContaining([known])],
    [
      2,
      [
        "error[usage]: graph has no role coder",
        `hint: it is a role of orchestrate; its roles: ${roles.join(", ")}`,
        "",
      ],
    ],
    [
      2,
      [
        "error[agent_unknown]: no agent is called cluade (for the role merger)",
        expect.stringMatching(/^hint: did you mean claude\? known: claude, claude:MODEL, codex,/u),
        "",
      ],
    ],
    [2, ["error[agent_unknown]: no agent is called nobody (for the role coder)", expect.any(String), ""]],
  ]);
  expect(refused.role.stderr).toMatch(
    /^error\[config_invalid\]: mettle\.yaml:4:5: no protocol has a role jugde, did you mean reviewer\? \(/u,
  );
  expect(refused.meant.stderr).toContain("no protocol has a role scafold, did you mean scaffold? (");
  expect(left).toEqual([[], "refs/heads/main", 1]);
}

test("an unknown role, a role of another protocol, and an unknown agent are refused before anything starts", () => {
  refusesUnknown();
});

describe.skipIf(!wide)("whole trees", () => {
  let folder: string;
  let mapped: DriveResult;
  let demo: CallResult;

  beforeAll(async () => {
    folder = newFolder();
    const whole = await conflictCassette({ repository: world.repository.dir, folder });
    const own = await Promise.all(roles.map(async (role) => [role, await agentOf(whole, role)] as const));
    // The same file may also name roles of other protocols.
    const agents = { roles: { ...Object.fromEntries(own), coder: "claude" } };
    await world.repository.write({ "mettle.yaml": stringify({ version: 1, agents }) });
    // A role without a named agent would get an agent without any turns.
    mapped = await runGraph(world, { cassette: { ...whole, nodes: {} } });
    const place = await emptyPlace();
    demo = await place.call(["demo", "--protocol", "graph"], { env: { METTLE_SANDBOX: "off" } });
  }, 300_000);

  verifies(
    "V3-52",
    "each role is played by the agent that mettle.yaml names, else by the default; an unknown one is refused with the roles, and the demo grows a tree of scripted agents offline",
    () => {
      refusesUnknown();

      expect(mapped.end).toEqual({ type: "ended", outcome: "complete" });
      const dispatches = eventsOf(mapped.events, "command.issued").flatMap(({ command }) => {
        const { type, role, state, mode } = command as DispatchCommand;
        return type === "dispatch" ? [{ role, state, mode }] : [];
      });
      expect([...new Set(dispatches.map(({ role }) => role))].toSorted()).toEqual(roles.toSorted());
      const reviews = dispatches.filter(({ mode }) => mode === "ReviewImpl");
      expect([...new Set(reviews.map(({ role, state }) => `${role} ${state}`))].toSorted()).toEqual([
        "reviewer judge",
        "reviewer review",
      ]);

      // Only the default is named there. Stderr reports that no agent is confined (fault L5).
      expect([demo.code, demo.stderr]).toEqual([
        0,
        "note: sandbox: off, so no agent is confined; records say isolation: none\n",
      ]);
      const { stdout } = demo;
      const tree = stdout.slice(stdout.indexOf("\nNodes:\n"), stdout.indexOf("\nWarnings"));
      expect(tree.trim().split("\n")).toEqual([
        "Nodes:",
        expect.stringMatching(/^ {2}receipt +complete +attempt 1\/5 +criteria 3\/3$/u),
        expect.stringMatching(/^ {2}├─ receipt--parse +merged +attempt 2\/5 +criteria 1\/1$/u),
        expect.stringMatching(/^ {2}└─ receipt--money +merged +attempt 1\/5 +criteria 1\/1$/u),
      ]);
      expect(stdout).toContain("✓ GRAPH COMPLETE");
      expect(stdout.trimEnd().split("\n").at(-1)).toBe("  mettle run --protocol graph --spec spec.yaml");
    },
  );
});

/** An agent with the turns of one role only, in every node. */
async function agentOf(whole: TreeCassette, role: string): Promise<string> {
  const nodes = Object.fromEntries(
    Object.entries(whole.nodes).map(([node, all]) => [node, { [role]: all[role] ?? [] }]),
  );
  return world.agent({ ...whole, nodes } as unknown as Parameters<World["agent"]>[0]);
}
