/** Compiles routes, targets and actions into their normal form. */
import { addFault, childContext, mapEntries, type CompileContext } from "./compile-context.ts";
import type { Action, Route, Routes, Target } from "./machine.ts";
import type { ActionText, RoutesText, RouteText } from "./schema.ts";

export function compileRoutes(routes: RoutesText | undefined, place: CompileContext): Routes {
  return mapEntries(routes, (route, outcome) => compileRoute(route, childContext(place, outcome)));
}

export function compileRoute(text: RouteText, place: CompileContext): Route {
  const route = typeof text === "string" ? { to: text } : text;
  if (route.to === undefined) addFault(place, `the route ${String(place.path.at(-1))} has no target (to)`);
  return {
    to: parseTarget(route.to ?? "self"),
    do: (route.do ?? []).map(compileAction),
    ...(route.ctx === undefined ? {} : { ctx: route.ctx }),
    ...(route.thread === undefined ? {} : { thread: route.thread }),
    ...(route.reopen === undefined ? {} : { reopen: route.reopen }),
    at: place.document.keyAt(place.path),
  };
}

function parseTarget(text: string): Target {
  if (text.startsWith("^^")) return { type: "frame", outcome: text.slice(2) };
  if (text.startsWith("^")) return { type: "out", outcome: text.slice(1) };
  if (text === "self" || text === "back" || text === "resume") return { type: text };
  return { type: "state", state: text };
}

function compileAction(action: ActionText): Action {
  if (action.count !== undefined) return { type: "count", counter: action.count };
  if (action.reset !== undefined) return { type: "reset", counters: [action.reset].flat() };
  if (action.set !== undefined) return { type: "set", facts: action.set };
  if (action.note !== undefined) return { type: "note", text: action.note };
  if (action.open !== undefined) return { type: "open", session: action.open };
  return { type: "emit", event: action.emit ?? "", to: action.to ?? "children" };
}
