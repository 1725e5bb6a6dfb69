/**
 * Compiles the merged text of a protocol: fills in defaults, expands short forms, normalises routes. Checks that required
 * keys are present after inheritance; references.ts checks names.
 */
import type { YamlFault } from "../lib/yaml/yaml-fault.ts";
import type { YamlDocument } from "../lib/yaml/yaml-document.ts";
import { compileRoute, compileRoutes } from "./compile-route.ts";
import { compileHandlers, compileStates } from "./compile-state.ts";
import type { Counter, Machine, Protocol, Role } from "./machine.ts";
import { addFault, childContext, mapEntries, required, type CompileContext } from "./compile-context.ts";
import { declaredRoutes } from "./declared-routes.ts";
import type { CounterText, MachineFile, MachineText, RoleText } from "./schema.ts";

export interface MergedFile {
  readonly file: MachineFile;
  readonly document: YamlDocument<unknown>;
  readonly bases: readonly string[];
  readonly mayBeUnreachable: ReadonlyMap<string, ReadonlySet<string>>;
}

export function compile({ file, document, bases, mayBeUnreachable }: MergedFile): {
  protocol: Protocol;
  faults: readonly YamlFault[];
} {
  const place: CompileContext = { document, path: [], faults: [] };
  const protocol: Protocol = {
    version: 1,
    kind: "machine",
    name: file.protocol,
    about: file.about ?? "",
    features: file.features ?? {},
    ...(file.reminders === undefined ? {} : { reminders: file.reminders }),
    bases,
    roles: mapEntries(file.roles, (role, name) =>
      compileRole(role, name, childContext(place, "roles", name)),
    ),
    gates: file.gates ?? {},
    machines: mapEntries(file.machines, (machine, name) =>
      compileMachine(
        machine,
        { name, mayBeUnreachable: mayBeUnreachable.get(name) ?? new Set() },
        childContext(place, "machines", name),
      ),
    ),
  };
  return { protocol, faults: place.faults };
}

function compileRole(role: RoleText, name: string, place: CompileContext): Role {
  return {
    writes: required(role.writes, "writes", place),
    template: required(role.template, "template", place),
    isolated: role.isolated ?? false,
    label: role.label ?? name.charAt(0).toUpperCase() + name.slice(1),
    ...(role.payload === undefined ? {} : { payload: role.payload }),
    ...(role.reminders === undefined ? {} : { reminders: role.reminders }),
    at: place.document.keyAt(place.path),
  };
}

function compileMachine(
  machine: MachineText,
  { name, mayBeUnreachable }: { readonly name: string; readonly mayBeUnreachable: ReadonlySet<string> },
  place: CompileContext,
): Machine {
  const compiled: Machine = {
    name,
    ...(machine.session === undefined ? {} : { session: machine.session }),
    start: required(machine.start, "start", place),
    counters: mapEntries(machine.counters, (counter, key) =>
      compileCounter(counter, childContext(place, "counters", key)),
    ),
    errors: compileRoutes(machine.errors, childContext(place, "errors")),
    events: compileHandlers(machine.events, childContext(place, "events")),
    states: mapEntries(compileStates(machine.states, childContext(place, "states")), (state, key) =>
      mayBeUnreachable.has(key) ? { ...state, mayBeUnreachable: true as const } : state,
    ),
    at: place.document.keyAt(place.path),
  };
  return withRound(compiled, place);
}

function compileCounter(counter: CounterText, place: CompileContext): Counter {
  return {
    limit: counter.limit ?? null,
    from: counter.from ?? 1,
    scope: counter.scope ?? "frame",
    same: counter.same ?? false,
    over: counter.over === undefined ? null : compileRoute(counter.over, childContext(place, "over")),
    at: place.document.keyAt(place.path),
  };
}

/** Adds the round counter `r`, which needs no declaration: from 0, without limit. */
function withRound(machine: Machine, place: CompileContext): Machine {
  if (Object.hasOwn(machine.counters, "r")) {
    addFault(
      childContext(place, "counters", "r"),
      "r is the round: it needs no declaration and has no limit",
    );
  }
  const round: Counter = { limit: null, from: 0, scope: "frame", same: false, over: null, at: machine.at };
  const counts = declaredRoutes(machine).some(({ route }) =>
    route.do.some((action) => action.type === "count" && action.counter === "r"),
  );
  return machine.session === undefined && !counts
    ? machine
    : { ...machine, counters: { ...machine.counters, r: round } };
}
