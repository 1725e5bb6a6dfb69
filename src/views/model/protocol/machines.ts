/** The machines of a run's protocol, with how often each step was taken, where the run is, and what may still come. Pure. */
import { groupBy } from "../../../lib/lists.ts";
import type { RunView } from "../../../log/run-view.ts";
import type { Machine, Protocol } from "../../../protocol/machine.ts";
import { routesOf, stepsOf, type StaticStep } from "./steps.ts";
import type { MachineModel, ProtocolStepModel, RouteModel } from "../protocol-model.ts";
import { visitsOf, type Visit } from "./visits.ts";

type View = Pick<RunView, "order" | "commands" | "cancelled" | "ended">;

/** @param isRunning whether a process drives the run */
export function machinesOf(protocol: Protocol, view: View, isRunning: boolean): readonly MachineModel[] {
  const visits = visitsOf(view);
  const { main, ...others } = protocol.machines;
  return [...(main === undefined ? [] : [main]), ...Object.values(others)].map((machine) => {
    const own = visits.filter((visit) => visit.machine === machine.name);
    const begun = machine.name === "main" ? 1 : new Set(own.map(({ frame }) => frame)).size;
    return machineModel(machine, { visits: own, begun, isRunning, hasEnded: view.ended !== null });
  });
}

interface MachineFacts {
  readonly visits: readonly Visit[];
  readonly begun: number;
  readonly isRunning: boolean;
  readonly hasEnded: boolean;
}

function machineModel(machine: Machine, { visits, begun, isRunning, hasEnded }: MachineFacts): MachineModel {
  const all = stepsOf(machine);
  const byPath = groupBy(visits, ({ path }) => path);
  const passages = passagesOf(visits);
  const routes = routesOf(all).map((route) => ({ ...route, taken: takenOf(route, passages) }));
  const counted = all.map((step) => ({
    step,
    own: [...byPath].flatMap(([path, own]) => (isAt(step, path) ? own : [])),
  }));
  // A step that only helps out of trouble is shown if it was needed.
  const shown = counted.filter(({ step, own }) => step.isUsual || own.length > 0);
  const order = new Map(shown.map(({ step }, index) => [step.id, index]));
  const openIds = shown.filter(({ own }) => own.some(({ isOpen }) => isOpen)).map(({ step }) => step.id);
  const last = shown.findLast(({ step, own }) => own.length > 0 && step.depth === 0)?.step.id;
  const from = openIds.length > 0 ? openIds : last === undefined ? [machine.start] : [last];
  const next = hasEnded ? new Set<string>() : forwardFrom(from, routes, order);
  const steps = shown.map(({ step, own }): ProtocolStepModel => {
    const { id, name, depth, kind, what, phase } = step;
    const open = own.filter(({ isOpen }) => isOpen);
    const isNext = next.has(id) || next.has(id.split("/")[0] ?? "") || (begun === 0 && !hasEnded);
    return {
      id,
      name,
      depth,
      kind,
      what,
      phase,
      times: timesOf(step, own),
      now: hasEnded ? 0 : timesOf(step, open),
      state:
        open.length > 0 && !hasEnded
          ? open.every(({ type }) => type === "ask")
            ? "waiting"
            : isRunning
              ? "open"
              : "stopped"
          : own.length > 0
            ? "done"
            : isNext
              ? "next"
              : "skipped",
      outcome: own.findLast(({ outcome }) => outcome !== null)?.outcome ?? null,
    };
  });
  const ids = new Set(steps.map(({ id }) => id));
  return {
    name: machine.name,
    begun,
    steps,
    routes: routes.filter(({ from: one, to }) => ids.has(one) && ids.has(to)),
  };
}

/** A step with steps inside is visited with each of them. */
function isAt({ id, kind }: StaticStep, path: string): boolean {
  return path === id || ((kind === "parallel" || kind === "event") && path.startsWith(`${id}/`));
}

/** A step with steps inside was taken as often as the one of them that was taken most often. */
function timesOf({ id }: StaticStep, visits: readonly Visit[]): number {
  const counts = new Map<string, number>();
  for (const { path } of visits) counts.set(path, (counts.get(path) ?? 0) + 1);
  return counts.get(id) ?? Math.max(0, ...counts.values());
}

interface Passage {
  readonly from: string;
  readonly to: string;
  /** Keys of the results that led from one to the other, and of the commands that they led to. */
  readonly results: Set<string>;
  readonly commands: Set<string>;
}

function passagesOf(visits: readonly Visit[]): readonly Passage[] {
  const passages = new Map<string, Passage>();
  for (const { key, path: to, causes } of visits)
    for (const { path: from, key: result } of causes) {
      const pair = `${from}\n${to}`;
      const known = passages.get(pair) ?? { from, to, results: new Set(), commands: new Set() };
      known.results.add(result);
      known.commands.add(key);
      passages.set(pair, known);
    }
  return [...passages.values()];
}

function takenOf({ from, to }: RouteModel, passages: readonly Passage[]): number {
  const isIn = (id: string, path: string) => path === id || path.startsWith(`${id}/`);
  const own = passages.filter(
    (one) => isIn(to, one.to) && isIn(from, one.from) && (from === to || !isIn(to, one.from)),
  );
  const countOf = (keys: readonly string[]) => new Set(keys).size;
  // One result begins all parts of a parallel step, and the results of all parts lead to the step after it.
  return Math.min(
    countOf(own.flatMap(({ results }) => [...results])),
    countOf(own.flatMap(({ commands }) => [...commands])),
  );
}

/** Steps after these, by routes that do not lead back. */
function forwardFrom(
  from: readonly string[],
  routes: readonly RouteModel[],
  order: ReadonlyMap<string, number>,
): ReadonlySet<string> {
  const found = new Set<string>();
  const queue = from.map((id) => id.split("/")[0] ?? id).concat(from);
  for (let at = queue.pop(); at !== undefined; at = queue.pop())
    for (const { from: one, to } of routes) {
      if (one !== at || found.has(to) || (order.get(to) ?? -1) <= (order.get(at) ?? -1)) continue;
      found.add(to);
      queue.push(to);
    }
  return found;
}
