/** The steps and routes of a machine as its protocol defines them, in the order in which a run usually comes to them. Pure. */
import type { Machine, Route, State } from "../../../protocol/machine.ts";
import type { ProtocolStepModel, RouteModel } from "../protocol-model.ts";

export interface StaticStep extends Pick<
  ProtocolStepModel,
  "id" | "name" | "depth" | "kind" | "what" | "phase"
> {
  /** A run comes here by the outcomes of steps, not only when something goes wrong. */
  readonly isUsual: boolean;
  readonly on: Readonly<Record<string, Route>>;
  /** Id of the step around it with `/`; empty for a step of the machine. */
  readonly within: string;
}

type States = Readonly<Record<string, State>>;

export function stepsOf(machine: Machine): readonly StaticStep[] {
  const own = ordered(machine.states, machine.start).flatMap(({ state, isUsual }) =>
    stepsOfState(state, isUsual),
  );
  const handlers = new Map(
    [machine, ...Object.values(machine.states)].flatMap(({ events }) => Object.entries(events)),
  );
  const byEvent = [...handlers].flatMap(([event, handler]): readonly StaticStep[] => {
    if (handler.type !== "region") return [];
    const { start, states } = handler.region;
    const around: StaticStep = {
      id: event,
      name: event,
      depth: 0,
      kind: "event",
      what: "",
      phase: null,
      isUsual: false,
      on: {},
      within: "",
    };
    return [around, ...inner(states, start, event)];
  });
  return [...own, ...byEvent];
}

function stepsOfState(state: State, isUsual: boolean): readonly StaticStep[] {
  const step = { ...stepOf(state, ""), isUsual };
  if (state.kind !== "parallel") return [step];
  const regions = Object.entries(state.regions).flatMap(([name, { states, start }]) =>
    inner(states, start, `${state.name}/${name}`),
  );
  return [step, ...regions];
}

function inner(states: States, start: string, within: string): readonly StaticStep[] {
  return ordered(states, start).map(({ state, isUsual }) => ({
    ...stepOf(state, `${within}/`),
    depth: 1,
    isUsual,
  }));
}

function stepOf(state: State, within: string): Omit<StaticStep, "isUsual"> {
  const { name, kind, phase, mode, on } = state;
  // Only the modes of riper and dptr are names of phases.
  const ofMode = mode?.startsWith("Ω") === true ? mode : undefined;
  const id = `${within}${name}`;
  return { id, name, depth: 0, kind, what: whatOf(state), phase: phase ?? ofMode ?? null, on, within };
}

function whatOf(state: State): string {
  switch (state.kind) {
    case "dispatch":
      return state.role;
    case "check":
    case "merge":
    case "rebase":
      return state.gate;
    case "ask":
      return state.text;
    case "each":
      return state.machine;
    case "parallel":
      return Object.keys(state.regions).join(", ");
    case "end":
      return state.outcome;
  }
}

/** The states that outcomes lead to, each after the one that leads to it, the first route first; then all others. */
function ordered(
  states: States,
  start: string,
): readonly { readonly state: State; readonly isUsual: boolean }[] {
  const found = new Map<string, State>();
  const visit = (name: string): void => {
    const state = states[name];
    if (state === undefined || found.has(name)) return;
    found.set(name, state);
    for (const { to } of Object.values(state.on)) if (to.type === "state") visit(to.state);
  };
  visit(start);
  const others = Object.values(states).filter(({ name }) => !found.has(name));
  return [
    ...[...found.values()].map((state) => ({ state, isUsual: true })),
    ...others.map((state) => ({ state, isUsual: false })),
  ];
}

/** One route for each pair of steps. */
export function routesOf(steps: readonly StaticStep[]): readonly RouteModel[] {
  const ids = new Set(steps.map(({ id }) => id));
  const pairs = new Map<string, { from: string; to: string; outcomes: string[] }>();
  for (const { id, within, on } of steps)
    for (const [outcome, { to }] of Object.entries(on)) {
      const target = to.type === "self" ? id : to.type === "state" ? targetIn(ids, within, to.state) : null;
      if (target === null) continue;
      const pair = pairs.get(`${id}\n${target}`) ?? { from: id, to: target, outcomes: [] };
      pair.outcomes.push(outcome);
      pairs.set(`${id}\n${target}`, pair);
    }
  return [...pairs.values()].map((pair) => ({ ...pair, taken: 0 }));
}

/** A name means the state in the same region, else that of the machine. */
function targetIn(ids: ReadonlySet<string>, within: string, name: string): string | null {
  return [`${within}${name}`, name].find((id) => ids.has(id)) ?? null;
}
