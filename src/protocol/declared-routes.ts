/** All routes that a machine declares, for drawings and checks. */
import type { Handler, Machine, Route, Routes } from "./machine.ts";
import { allSpots, type Spot } from "./levels.ts";

export interface DeclaredRoute {
  /** Absent for routes of the machine. */
  readonly spot?: Spot;
  readonly table: "on" | "first" | "errors" | "over" | "event";
  /** The outcome, the counter or the event. */
  readonly key: string;
  readonly route: Route;
}

/** The routes of states, of the machine's errors, of counters that run out, and of events. */
export function declaredRoutes(machine: Machine): readonly DeclaredRoute[] {
  const over = Object.entries(machine.counters).flatMap(([key, counter]): DeclaredRoute[] =>
    counter.over === null ? [] : [{ table: "over", key, route: counter.over }],
  );
  return [
    ...tableRoutes(machine.errors, { table: "errors" }),
    ...over,
    ...eventRoutes(machine.events, {}),
    ...allSpots(machine).flatMap(routesOf),
  ];
}

function routesOf(spot: Spot): readonly DeclaredRoute[] {
  const { state } = spot;
  const first = state.kind === "parallel" || state.kind === "each" ? state.first : {};
  return [
    ...tableRoutes(state.on, { spot, table: "on" }),
    ...tableRoutes(first, { spot, table: "first" }),
    ...tableRoutes(state.errors, { spot, table: "errors" }),
    ...eventRoutes(state.events, { spot }),
  ];
}

function tableRoutes(routes: Routes, from: Pick<DeclaredRoute, "spot" | "table">): readonly DeclaredRoute[] {
  return Object.entries(routes).map(([key, route]) => ({ ...from, key, route }));
}

function eventRoutes(
  events: Readonly<Record<string, Handler>>,
  from: Pick<DeclaredRoute, "spot">,
): readonly DeclaredRoute[] {
  return Object.entries(events).flatMap(([key, handler]): readonly DeclaredRoute[] =>
    handler.type === "route" ? [{ ...from, table: "event", key, route: handler.route }] : [],
  );
}
