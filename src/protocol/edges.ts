/** Every declared route as an edge between drawn nodes: what a drawing shows, and what its edges are counted against. */
import { assertNever } from "../lib/assert-never.ts";
import { declaredRoutes, type DeclaredRoute } from "./declared.ts";
import type { Action, Machine, Protocol, Target } from "./machine.ts";
import { levelsAround, machineLevel, type Level } from "./places.ts";

/** Ids are `machine`, a colon, and what it is: a state's path, `any state`, `counter NAME`, `end OUT`, `back`, `resume`. */
export interface Edge {
  readonly machine: string;
  readonly from: string;
  readonly to: string;
  /** The outcome, `over` or the event, and what is counted on the way. */
  readonly label: string;
}

/** One for each route that the protocol declares, states', machines', counters' and events' alike. */
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
      // Drawn where it was written, also an ask that is entered where the token is.
      const home = levelsAround(level).find(({ states }) => Object.hasOwn(states, target.state));
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
