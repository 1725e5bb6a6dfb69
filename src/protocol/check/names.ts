/** Checks the names of roles, templates, gates, payloads and counters. */
import type { DispatchState, Machine, PayloadNames, Protocol, Route } from "../machine.ts";
import { declaredRoutes, type DeclaredRoute } from "../declared-routes.ts";
import { allSpots, type Spot } from "../levels.ts";
import { wordOf } from "../routes.ts";
import { problemAt, problemOf, type Problem } from "./problem.ts";

export interface CheckOptions {
  /** Names of the protocol's templates. */
  readonly templates: ReadonlySet<string>;
  /** Names of the payload schemas; not checked if absent. */
  readonly payloads?: ReadonlySet<string>;
}

export function checkNames(protocol: Protocol, machine: Machine, library: CheckOptions): readonly Problem[] {
  const states = allSpots(machine).flatMap((spot): readonly Problem[] => {
    const { state } = spot;
    if (state.kind === "dispatch") return roleProblems(protocol, machine, { spot, state, library });
    if (!("gate" in state) || Object.hasOwn(protocol.gates, state.gate)) return [];
    const message = `${state.name} runs the gate ${state.gate}, which is none of: ${list(protocol.gates)}`;
    return [problemAt(machine, spot, { code: "unknown_gate", message })];
  });
  return [...states, ...declaredRoutes(machine).flatMap((declared) => counterProblems(machine, declared))];
}

interface Dispatch {
  readonly spot: Spot;
  readonly state: DispatchState;
  readonly library: CheckOptions;
}

function roleProblems(
  protocol: Protocol,
  machine: Machine,
  { spot, state, library }: Dispatch,
): readonly Problem[] {
  const role = Object.hasOwn(protocol.roles, state.role) ? protocol.roles[state.role] : undefined;
  const { templates, payloads } = library;
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
  const faults = payloads === undefined ? [] : unknownPayloads(state.payload ?? role?.payload, payloads);
  for (const message of [...faults, ...unreportedPayloads(state)])
    problems.push(problemAt(machine, spot, { code: "unknown_payload", message: `${state.name} ${message}` }));
  return problems;
}

function unknownPayloads(payload: PayloadNames | undefined, known: ReadonlySet<string>): readonly string[] {
  const names = typeof payload === "string" ? [payload] : Object.values(payload ?? {});
  return [...new Set(names)]
    .filter((name) => !known.has(name))
    .map((name) => `uses the payload schema ${name}, which is none of: ${[...known].toSorted().join(", ")}`);
}

/** Only a state's own payload codes are checked; a role's codes may belong to another state. */
function unreportedPayloads({ payload, reports }: DispatchState): readonly string[] {
  const own = reports.map(wordOf);
  const codes = payload === undefined || typeof payload === "string" ? [] : Object.keys(payload);
  return codes
    .filter((code) => !own.includes(code))
    .map((code) => `has a payload for ${code}, which is none of its reports: ${own.join(", ")}`);
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
