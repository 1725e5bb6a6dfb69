/** Names that mean something outside the machine: roles, templates, gates, counters. */
import type { DispatchState, Machine, Protocol, Route } from "../machine.ts";
import { declaredRoutes, type DeclaredRoute } from "../declared.ts";
import { allSpots, type Spot } from "../places.ts";
import { problemAt, problemOf, type Problem } from "./problem.ts";

export function checkNames(
  protocol: Protocol,
  machine: Machine,
  templates: ReadonlySet<string>,
): readonly Problem[] {
  const states = allSpots(machine).flatMap((spot): readonly Problem[] => {
    const { state } = spot;
    if (state.kind === "dispatch") return roleProblems(protocol, machine, { spot, state, templates });
    if (!("gate" in state) || Object.hasOwn(protocol.gates, state.gate)) return [];
    const message = `${state.name} runs the gate ${state.gate}, which is none of: ${list(protocol.gates)}`;
    return [problemAt(machine, spot, { code: "unknown_gate", message })];
  });
  return [...states, ...declaredRoutes(machine).flatMap((declared) => counterProblems(machine, declared))];
}

interface Dispatch {
  readonly spot: Spot;
  readonly state: DispatchState;
  readonly templates: ReadonlySet<string>;
}

function roleProblems(
  protocol: Protocol,
  machine: Machine,
  { spot, state, templates }: Dispatch,
): readonly Problem[] {
  const role = Object.hasOwn(protocol.roles, state.role) ? protocol.roles[state.role] : undefined;
  const template = state.template ?? role?.template;
  const problems: Problem[] = [];
  if (role === undefined) {
    const message = `${state.name} is for the role ${state.role}, which is none of: ${list(protocol.roles)}`;
    problems.push(problemAt(machine, spot, { code: "unknown_role", message }));
  }
  if (template !== undefined && !templates.has(template)) {
    const message = `${state.name} uses the template ${template}, which is none of: ${[...templates].toSorted().join(", ")}`;
    problems.push(problemAt(machine, spot, { code: "unknown_template", message }));
  }
  return problems;
}

function counterProblems(machine: Machine, { spot, route }: DeclaredRoute): readonly Problem[] {
  return countersIn(route)
    .filter((counter) => !Object.hasOwn(machine.counters, counter))
    .map((counter) => {
      const message = `the counter ${counter} is none of: ${list(machine.counters)}`;
      const problem = problemOf(machine, { code: "unknown_counter", message, at: route.at });
      return spot === undefined ? problem : { ...problem, state: spot.id };
    });
}

function countersIn(route: Route): readonly string[] {
  return route.do.flatMap((action) => {
    if (action.type === "count") return [action.counter];
    return action.type === "reset" ? action.counters : [];
  });
}

function list(names: Readonly<Record<string, unknown>>): string {
  return Object.keys(names).join(", ");
}
