/** Compiles states, regions and handlers into their normal form. */
import { addFault, childContext, mapEntries, required, type CompileContext } from "./compile-context.ts";
import { compileRoute, compileRoutes } from "./compile-route.ts";
import type { Handler, Region, State, Thread } from "./machine.ts";
import { kinds, type HandlerText, type RegionText, type StateText } from "./schema.ts";

type StateBase = Pick<
  State,
  "name" | "on" | "errors" | "set" | "note" | "mode" | "phase" | "events" | "lock" | "at"
>;

export function compileStates(
  states: Readonly<Record<string, StateText>> | undefined,
  place: CompileContext,
): Readonly<Record<string, State>> {
  return mapEntries(states, (state, name) => compileState(state, name, childContext(place, name)));
}

export function compileHandlers(
  handlers: Readonly<Record<string, HandlerText>> | undefined,
  place: CompileContext,
): Readonly<Record<string, Handler>> {
  return mapEntries(handlers, (handler, event) => compileHandler(handler, event, childContext(place, event)));
}

function compileHandler(handler: HandlerText, event: string, place: CompileContext): Handler {
  if (typeof handler === "string" || (handler.start === undefined && handler.states === undefined)) {
    return { type: "route", route: compileRoute(handler, place) };
  }
  return {
    type: "region",
    region: compileRegion({ start: handler.start, states: handler.states }, event, place),
  };
}

function compileRegion(region: RegionText, name: string, place: CompileContext): Region {
  if (region.states === undefined && region.start === undefined) {
    return { start: name, states: { [name]: compileState(region, name, place) } };
  }
  return {
    start: required(region.start, "start", place),
    states: compileStates(region.states, childContext(place, "states")),
  };
}

function compileState(text: StateText, name: string, place: CompileContext): State {
  const base: StateBase = {
    name,
    on: compileRoutes(text.on, childContext(place, "on")),
    errors: compileRoutes(text.errors, childContext(place, "errors")),
    set: text.set ?? {},
    ...(text.note === undefined ? {} : { note: text.note }),
    ...(text.mode === undefined ? {} : { mode: text.mode }),
    ...(text.phase === undefined ? {} : { phase: text.phase }),
    events: compileHandlers(text.events, childContext(place, "events")),
    ...(text.lock === undefined ? {} : { lock: text.lock }),
    at: place.document.keyAt(place.path),
  };
  if (text.dispatch !== undefined) return compileDispatch(text, text.dispatch, { base, place });
  if (text.check !== undefined) return { ...base, kind: "check", gate: text.check };
  if (text.merge !== undefined) return { ...base, kind: "merge", gate: text.merge };
  if (text.rebase !== undefined) return { ...base, kind: "rebase", gate: text.rebase };
  if (text.ask !== undefined) {
    const { to = "person", as = "waiting", shows = [] } = text;
    return { ...base, kind: "ask", text: text.ask, to, as, shows };
  }
  if (text.parallel !== undefined) {
    const regions = mapEntries(text.parallel, (region, key) =>
      compileRegion(region, key, childContext(place, "parallel", key)),
    );
    return { ...base, kind: "parallel", regions, ...joinOptions(text, place) };
  }
  if (text.each !== undefined) {
    const machine = required(text.machine, "machine", place);
    const { keep = false, min = 0 } = text;
    return { ...base, kind: "each", items: text.each, machine, ...joinOptions(text, place), keep, min };
  }
  if (text.end !== undefined) return { ...base, kind: "end", outcome: text.end };
  addFault(place, `the state ${name} has no kind, and there is none of this name to change`, kinds);
  // A placeholder for routes that lead here; the fault prevents the protocol from running.
  return { ...base, kind: "end", outcome: "failed" };
}

function compileDispatch(
  text: StateText,
  role: string,
  { base, place }: { readonly base: StateBase; readonly place: CompileContext },
): State {
  if (text.reports === undefined) addFault(place, `the dispatch ${base.name} has no reports`);
  return {
    ...base,
    kind: "dispatch",
    role,
    reports: text.reports ?? [],
    params: text.params ?? [],
    ...(text.ctx === undefined ? {} : { ctx: text.ctx }),
    thread: parseThread(text.thread ?? "fresh"),
    sees: text.sees ?? [],
    ...(text.template === undefined ? {} : { template: text.template }),
    ...(text.writes === undefined ? {} : { writes: text.writes }),
    ...(text.reply === undefined ? {} : { reply: text.reply }),
    ...(text.payload === undefined ? {} : { payload: text.payload }),
  };
}

function joinOptions(text: StateText, place: CompileContext) {
  const { order = "together", join = [] } = text;
  return { order, join, first: compileRoutes(text.first, childContext(place, "first")) };
}

function parseThread(text: string): Thread {
  if (text === "fresh" || text === "continue") return { type: text };
  const state = text.slice("fork ".length);
  const parent = "parent/";
  return state.startsWith(parent)
    ? { type: "fork", state: state.slice(parent.length), of: "parent" }
    : { type: "fork", state, of: "self" };
}
