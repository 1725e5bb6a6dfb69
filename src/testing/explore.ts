/**
 * Explores every reachable state of a protocol, breadth first, under every outcome of every open command. States with
 * the same canonical text (canonical.ts) and the same monitor memories count as one.
 */
import type { Protocol } from "../protocol/machine.ts";
import { canonical } from "../kernel/canonical.ts";
import type { Command } from "../kernel/command.ts";
import type { Item, KernelEvent } from "../kernel/event.ts";
import { outcomesAt } from "../kernel/routing.ts";
import type { RunState } from "../kernel/state.ts";
import { init, step, type Step } from "../kernel/step.ts";
import { frameCopy } from "../kernel/thaw.ts";
import { machineOf, ownEntry } from "../kernel/turn.ts";
import { stateOf, waitingFor } from "../kernel/spots.ts";

export interface ExploreOptions {
  /** Maximum number of states to visit; the search stops there. */
  readonly maxStates: number;
  /** Lists that a dispatch of the root frame may pass to an each; child frames pass none. */
  readonly lists?: readonly (readonly Item[])[];
  /** Failure signatures of failed checks. */
  readonly signatures?: readonly string[];
  /** Whether to try this outcome of this command. */
  readonly tries?: (command: Command, outcome: string) => boolean;
  readonly monitors?: readonly Monitor[];
  /** Faults of a state; called once per state. */
  readonly check?: (state: RunState) => readonly string[];
}

/** Keeps a memory of the path as text and reports faulty steps. */
export interface Monitor {
  readonly start: string;
  readonly next: (memory: string, moved: Transition) => MonitorResult;
}

export interface MonitorResult {
  readonly memory: string;
  readonly fault?: string;
}

export interface Transition {
  readonly protocol: Protocol;
  /** The answered command; null for the run's start. */
  readonly command: Command | null;
  readonly outcome: string;
  readonly step: Step;
}

export interface Fault {
  readonly what: string;
  /** The shortest path to it, as `path outcome` per step. */
  readonly way: readonly string[];
}

export interface Exploration {
  readonly states: number;
  readonly steps: number;
  readonly cut: boolean;
  readonly faults: readonly Fault[];
  /** Length in steps of the longest path without a person's answer; infinite if there is a cycle. */
  readonly longest: number;
}

interface Node {
  readonly index: number;
  readonly state: RunState;
  readonly memories: readonly string[];
}

const maxFaults = 20;

export function explore(protocol: Protocol, options: ExploreOptions): Exploration {
  const walk = newWalk();
  const monitors = options.monitors ?? [];
  let deeper: Node[] = [];
  const arrive = (from: Node | null, moved: Transition): void => {
    const noticed = monitors.map((monitor, at) => monitor.next(from?.memories[at] ?? monitor.start, moved));
    const memories = noticed.map(({ memory }) => memory);
    const label = moved.command ? `${moved.command.path} ${moved.outcome}` : "start";
    const { index, isNew } = walk.reach(`${canonical(moved.step.state)}${memories.join("\u0000")}`, {
      from: from?.index ?? -1,
      label,
    });
    if (from && moved.command?.type !== "ask") walk.edges.push(from.index, index);
    const unsound = isNew ? (options.check?.(moved.step.state) ?? []) : [];
    const refused = moved.step.ignored === undefined ? [] : [`refused: ${moved.step.ignored}`];
    const faults = [...unsound, ...refused, ...noticed.flatMap(({ fault }) => fault ?? [])];
    for (const fault of faults) walk.fault(fault, { from: from?.index ?? -1, label });
    if (isNew) deeper.push({ index, state: moved.step.state, memories });
  };
  arrive(null, {
    protocol,
    command: null,
    outcome: "start",
    step: step(protocol, init(protocol), { type: "start", stamp: "s" }),
  });
  const isFull = (): boolean => walk.size() >= options.maxStates;
  while (deeper.length > 0 && !isFull()) {
    const layer = deeper;
    deeper = [];
    for (const node of layer) {
      if (isFull()) deeper.push(node);
      else
        for (const { command, event } of answers(protocol, node.state, options)) {
          walk.steps += 1;
          arrive(node, {
            protocol,
            command,
            outcome: event.outcome,
            step: step(protocol, node.state, event),
          });
        }
    }
  }
  const cut = deeper.length > 0;
  const longest = longestWay(walk.size(), walk.edges);
  return { states: walk.size(), steps: walk.steps, cut, faults: walk.faults, longest };
}

interface Arrival {
  readonly from: number;
  readonly label: string;
}

function newWalk() {
  const seen = new Map<string, number>();
  const arrivals: Arrival[] = [];
  const faults: Fault[] = [];
  const wayTo = ({ from, label }: Arrival): readonly string[] => {
    const way = [label];
    for (let at = arrivals[from]; at; at = arrivals[at.from]) way.push(at.label);
    return way.toReversed();
  };
  return {
    steps: 0,
    faults,
    /** Pairs of states joined by a step that needs no person. */
    edges: [] as number[],
    size: () => arrivals.length,
    reach(text: string, arrival: Arrival) {
      const known = seen.get(text);
      if (known !== undefined) return { index: known, isNew: false };
      seen.set(text, arrivals.length);
      arrivals.push(arrival);
      return { index: arrivals.length - 1, isNew: true };
    },
    fault(what: string, arrival: Arrival) {
      if (faults.length < maxFaults) faults.push({ what, way: wayTo(arrival) });
    },
  };
}

type Result = Extract<KernelEvent, { type: "result" }>;

function answers(
  protocol: Protocol,
  state: RunState,
  options: ExploreOptions,
): readonly { command: Command; event: Result }[] {
  const tries = options.tries ?? (() => true);
  return state.open.flatMap((command) =>
    outcomesFor(protocol, state, command)
      .filter((outcome) => tries(command, outcome))
      .flatMap((outcome) =>
        variants(protocol, { command, outcome, options }).map((event) => ({ command, event })),
      ),
  );
}

/** The possible outcomes of an open command. */
function outcomesFor(protocol: Protocol, state: RunState, command: Command): readonly string[] {
  const spot = waitingFor(frameCopy(state, command.frame), command.key);
  const found = spot && stateOf({ protocol }, spot);
  return found ? outcomesAt(protocol, machineOf({ protocol }, spot.frame), found) : [];
}

interface AnswerCase {
  readonly command: Command;
  readonly outcome: string;
  readonly options: ExploreOptions;
}

/** One result for each list or signature that can make a difference. */
function variants(protocol: Protocol, { command, outcome, options }: AnswerCase): readonly Result[] {
  const plain: Result = { type: "result", key: command.key, outcome, stamp: "s" };
  // A check with a custom outcome may also pass a list of children.
  const names = command.type === "check" && !/^(?:pass|fail|inconclusive)\b/u.test(outcome);
  if (command.type === "dispatch" || names) {
    const lists = command.frame === "main" ? (options.lists ?? []) : [];
    return lists.length === 0 ? [plain] : lists.map((items) => ({ ...plain, items: [...items] }));
  }
  const machine = ownEntry(protocol.machines, "main");
  const isCounted = command.type === "check" && outcome.startsWith("fail");
  const hasSame = Object.values(machine?.counters ?? {}).some(
    (counter) => counter.same && (counter.limit ?? 2) > 1,
  );
  if (!isCounted || !hasSame) return [plain];
  return (options.signatures ?? ["a"]).map((signature) => ({ ...plain, signature }));
}

/** The longest path over steps that need no person; infinite if they form a cycle. */
function longestWay(size: number, edges: readonly number[]): number {
  const incoming = new Int32Array(size);
  const first = new Int32Array(size).fill(-1);
  const next = new Int32Array(edges.length / 2);
  for (let edge = 0; edge < next.length; edge++) {
    const from = edges[edge * 2] ?? 0;
    const to = edges[edge * 2 + 1] ?? 0;
    incoming[to] = (incoming[to] ?? 0) + 1;
    next[edge] = first[from] ?? -1;
    first[from] = edge;
  }
  const length = new Int32Array(size);
  const ready: number[] = [];
  for (let state = 0; state < size; state++) if (incoming[state] === 0) ready.push(state);
  let done = 0;
  let longest = 0;
  for (let state = ready.pop(); state !== undefined; state = ready.pop()) {
    done += 1;
    for (let edge = first[state] ?? -1; edge >= 0; edge = next[edge] ?? -1) {
      const to = edges[edge * 2 + 1] ?? 0;
      length[to] = Math.max(length[to] ?? 0, (length[state] ?? 0) + 1);
      longest = Math.max(longest, length[to] ?? 0);
      incoming[to] = (incoming[to] ?? 0) - 1;
      if (incoming[to] === 0) ready.push(to);
    }
  }
  return done === size ? longest : Number.POSITIVE_INFINITY;
}
