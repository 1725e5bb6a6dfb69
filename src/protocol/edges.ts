/** All declared routes as edges between nodes of the drawing. */
import { assertNever } from "../lib/assert-never.ts";
import { declaredRoutes, type DeclaredRoute } from "./declared-routes.ts";
import type { Action, Machine, Protocol, Target } from "./machine.ts";
import { enclosingLevels, machineLevel, type Level } from "./levels.ts";

/** Node ids are `machine:` plus a state's path, `any state`, `counter NAME`, `end OUT`, `back` or `resume`. */
export interface Edge {
  readonly machine: string;
  readonly from: string;
  readonly to: string;
  /** The outcome, `used up` or the event, plus counted and reset counters. */
  readonly label: string;
}

/** One edge for each declared route of states, machines, counters and events. */
export function edges(protocol: Protocol): readonly Edge[] {
  return Object.values(protocol.machines).flatMap((machine) =>
    declaredRoutes(machine).map((declared) => edgeOf(machine, declared)),
  );
}

export function nodeId(machine: Machine, name: string): string {
  return `${machine.name}:${name}`;
}

function edgeOf(machine: Machine, declared: DeclaredRoute): Edge {
  const { route } = declared;
  const from = sourceOf(declared);
  const level = declared.spot?.level ?? machineLevel(machine);
  const to = targetOf(route.to, level) ?? from;
  const label = [labelOf(declared), ...route.do.flatMap(labelOfAction)].join(", ");
  return { machine: machine.name, from: nodeId(machine, from), to: nodeId(machine, to), label };
}

function sourceOf({ spot, table, key }: DeclaredRoute): string {
  if (spot !== undefined) return spot.id;
  return table === "over" ? `counter ${key}` : "any state";
}

function labelOf({ table, key }: DeclaredRoute): string {
  switch (table) {
    case "on":
    case "errors":
      return key;
    case "first":
      return `first ${key}`;
    case "over":
      return "used up";
    case "event":
      return `event ${key}`;
    default:
      return assertNever(table);
  }
}

function labelOfAction(action: Action): readonly string[] {
  if (action.type === "count") return [`count ${action.counter}`];
  return action.type === "reset" ? [`reset ${action.counters.join(" ")}`] : [];
}

/** Undefined for `self`. */
function targetOf(target: Target, level: Level): string | undefined {
  switch (target.type) {
    case "state": {
      // Drawn where it is declared, even for an ask, which is entered at the token's level.
      const home = enclosingLevels(level).find(({ states }) => Object.hasOwn(states, target.state));
      return `${home?.prefix ?? ""}${target.state}`;
    }
    case "self":
      return undefined;
    case "back":
    case "resume":
      return target.type;
    case "out":
      return `${level.parallel === undefined ? "" : level.prefix}end ${target.outcome}`;
    case "frame":
      return `end ${target.outcome}`;
    default:
      return assertNever(target);
  }
}
