/** What the checker finds in copies of the graph that lack one thing, each with its line (V3-10). */
import { describe, expect } from "vitest";
import { verifies, verifiesInCi } from "../../test/verifies.ts";
import { checkCounters } from "./check/counters.ts";
import { checkLoops } from "./check/loops.ts";
import { checkNames } from "./check/names.ts";
import type { Problem } from "./check/problem.ts";
import { checkProof } from "./check/proof.ts";
import { checkRoutes } from "./check/routes.ts";
import { load, templatesOf, textOf } from "./fixtures/sources.ts";
import type { Machine, Protocol } from "./machine.ts";
import { allSpots } from "./levels.ts";

const graph = load("graph");
const text = textOf("graph");
const node = graph.machines["node"] ?? raise("no node");

/** The rules that the checker asks of each machine, without the walk for proofs. */
function rules(protocol: Protocol, templates: ReadonlySet<string> = templatesOf(graph)): readonly Problem[] {
  return Object.values(protocol.machines).flatMap((machine) => [
    ...checkRoutes(protocol, machine),
    ...checkNames(protocol, machine, { templates }),
    ...checkCounters(machine),
    ...checkLoops(protocol, machine),
  ]);
}

type Route = { to: { type: string; state?: string }; do: { type: string; counter?: string }[] };
type Editable = { machines: Record<string, Record<string, unknown>> };

/** A copy in which something was taken out of every mapping of routes. */
function without(take: (routes: Record<string, Route>, state: string, table: string) => void): Protocol {
  const copy: Protocol = structuredClone(graph);
  const visit = (value: unknown, name: string): void => {
    if (value === null || typeof value !== "object") return;
    for (const [key, inner] of Object.entries(value)) {
      if (key === "on" || key === "first" || key === "errors")
        take(inner as Record<string, Route>, name, key);
      visit(inner, key === "states" || key === "on" || key === "machines" ? name : key);
    }
  };
  visit((copy as unknown as Editable).machines, "");
  return copy;
}

const told = (problems: readonly Problem[]) =>
  problems.map(({ code, state, message, at }) => ({ code, state, message, line: at.line }));
const lineOf = (state: string): number => spotNamed(node, state).at.line;

function spotNamed(machine: Machine, name: string) {
  return allSpots(machine).find(({ state }) => state.name === name)?.state ?? raise(`no state ${name}`);
}

describe("mettle protocol check", () => {
  verifies(
    "V3-10",
    "accepts the graph, and misses the route of each exit, error code and pause that a copy lacks",
    () => {
      expect(rules(graph)).toEqual([]);
      const exits = allSpots(node).flatMap(({ state }) =>
        state.kind === "dispatch" ? state.reports.map((exit) => ({ state: state.name, exit })) : [],
      );
      expect(new Set(exits.map(({ exit }) => exit.split(".")[0])).size).toBe(17 + 2);
      for (const { state, exit } of exits) {
        if (exit === "EN") continue;
        const copy = without((routes, name, table) => {
          if (name === state && table === "on") delete routes[exit];
        });
        expect(told(rules(copy))).toContainEqual({
          code: "unrouted_status",
          state: expect.stringMatching(new RegExp(`(^|/)${state}$`, "u")),
          message: `${state} has no route for ${exit}`,
          line: lineOf(state),
        });
      }
      for (const code of ["ME", "TO", "EX", "BL", "EN"]) {
        const copy = without((routes) => delete routes[code]);
        const missing = told(rules(copy)).filter(({ message }) =>
          message.endsWith(`has no route for ${code}`),
        );
        const dispatches = ["scaffold", "write_tests", "impl", "review", "judge", "merger", "rebaser"];
        expect([...new Set(missing.map(({ message }) => message.split(" ")[0]))].toSorted()).toEqual(
          dispatches.toSorted(),
        );
        for (const problem of missing) expect(problem.line).toBeGreaterThan(1);
      }
    },
  );

  verifies("V3-10", "misses the limit of each loop", () => {
    for (const name of Object.keys(node.counters)) {
      const bare: Protocol = structuredClone(graph);
      for (const { counters } of Object.values(bare.machines))
        delete (counters as Record<string, { limit?: number }>)[name]?.limit;
      expect(told(rules(bare))).toContainEqual(
        expect.objectContaining({
          code: "bad_counter",
          message: expect.stringContaining(name),
          line: node.counters[name]?.at.line,
        }),
      );
      const uncounted = without((routes) => {
        for (const route of Object.values(routes))
          route.do = route.do.filter(({ counter }) => counter !== name);
      });
      const loops = told(rules(uncounted)).filter(({ code }) => code === "unbounded_loop");
      expect([name, loops.length > 0]).toEqual([name, true]);
    }
  });

  verifiesInCi(
    "V3-10",
    "misses a role and a template, and a way to publication without an executed gate, in root and child",
    () => {
      const unknown = rules(graph, new Set(["scaffold", "tdd", "impl", "merger"]));
      expect(told(unknown)).toEqual([
        {
          code: "unknown_template",
          state: "@sibling_merged/rebaser",
          message: expect.stringContaining("rebaser"),
          line: lineOf("rebaser"),
        },
      ]);
      const { merger: _, ...roles } = graph.roles;
      expect(told(rules({ ...graph, roles })).map(({ code, state }) => [code, state])).toEqual([
        ["unknown_role", "merger"],
        ["unknown_role", "merger"],
      ]);
      const hasty = load("graph", {
        // With small limits the way that is told is found soon.
        graph: text
          .replace("TestsPassed: green_gate", "TestsPassed: review")
          .replaceAll(/limit: [25]/gu, "limit: 1"),
      });
      expect(
        checkProof(hasty).map(({ code, machine, state, message }) => [
          code,
          machine,
          state,
          message.split(":")[0],
        ]),
      ).toEqual([
        [
          "unproven_complete",
          "node",
          expect.any(String),
          "merged can be reached with nothing executed since the last writing",
        ],
        [
          "unproven_complete",
          "main",
          expect.any(String),
          "complete can be reached with nothing executed since the last writing",
        ],
      ]);
    },
  );
});

function raise(what: string): never {
  throw new Error(what);
}
