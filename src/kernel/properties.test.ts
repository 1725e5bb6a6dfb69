import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { verifies } from "../../test/verifies.ts";
import type { Protocol } from "../protocol/machine.ts";
import type { KernelEvent } from "./event.ts";
import { explore } from "../testing/explore.ts";
import { names, protocolNamed, withEveryLimit } from "./fixtures/protocols.ts";
import { anyEvent, needsItems, possibleAnswer } from "./fixtures/random.ts";
import { waitingAsks } from "./inspect.ts";
import { faultsOf, provenComplete } from "../testing/invariants.ts";
import type { RunState } from "./state.ts";
import { fold, init, step } from "./step.ts";

const protocols = names.map((name) => [name, protocolNamed(name)] as const);
const start: KernelEvent = { type: "start", stamp: "0" };
/** The state before a start is the same for every protocol. */
const before = init(protocolNamed("orchestrate"));
const picks = (maxLength: number) =>
  fc.array(fc.nat({ max: 2 ** 31 - 1 }), { minLength: maxLength / 2, maxLength });

test("all shipped protocols are covered", () => {
  expect(names.toSorted()).toEqual(["continue", "dptr", "graph", "orchestrate", "plan", "riper", "steps"]);
});

describe.each(protocols)("%s", (name, protocol) => {
  verifies(
    "CORE-07",
    `${name} has after every random outcome a command, a wait or an end, and never an outcome without a route`,
    () => {
      let steps = 0;
      fc.assert(
        fc.property(picks(60), (numbers) => {
          let state = step(protocol, init(protocol), start).state;
          for (const [index, pick] of numbers.entries()) {
            const event = possibleAnswer({ protocol, state, stamp: String(index), pick });
            if (!event) break;
            const next = step(protocol, state, event);
            state = next.state;
            steps += 1;
            const faults = [...(next.ignored ?? []), ...faultsOf(protocol, state)];
            if (faults.length > 0) raise(faults.join("; "));
          }
        }),
        { numRuns: 60, seed: 7 },
      );
      expect(steps).toBeGreaterThan(500);
    },
  );

  verifies("CORE-07", `${name} ends or waits for a person within bounds, when no person answers`, () => {
    let most = 0;
    fc.assert(
      fc.property(picks(20), (numbers) => {
        let state = step(protocol, init(protocol), start).state;
        for (let steps = 0; ; steps++) {
          const open = state.open.filter((command) => command.type !== "ask");
          if (open.length === 0) break;
          if (steps === 3_000) raise("goes on for ever");
          const pick = (numbers[steps % numbers.length] ?? 0) + steps;
          const event =
            possibleAnswer({ protocol, state: { ...state, open }, stamp: String(steps), pick }) ??
            raise("no answer");
          state = step(protocol, state, event).state;
          most = Math.max(most, steps);
        }
        if (state.ended === null && waitingAsks(state).length === 0) raise("neither an end nor a wait");
      }),
      { numRuns: 30, seed: 8 },
    );
    expect(most).toBeGreaterThan(2);
  });

  verifies(
    "CORE-07",
    `${name} is routed and bounded in every state that it can reach with every limit 1`,
    () => {
      const small = withEveryLimit(protocol, 1);
      const isDeep = process.env["METTLE_DEEP"] !== undefined;
      const walk = explore(small, {
        maxStates: isDeep ? 200_000 : name === "graph" ? 1_000 : 3_000,
        lists: needsItems(protocol) ? [[{ id: "1", hash: "1" }]] : [[], [{ id: "1", hash: "1" }]],
        check: (state) => faultsOf(small, state),
        monitors: [provenComplete(small, ({ command }) => command.frame === "main")],
      });
      expect(walk.faults).toEqual([]);
      expect(walk.longest).toBeLessThan(200);
      // One agent and its gates take few steps.
      expect(walk.states).toBeGreaterThan(protocol.features["steps"] === true ? 10 : 200);
      expect(walk.cut).toBe(!isDeep && name === "graph");
    },
    300_000,
  );
});

describe("the kernel", () => {
  afterEach(() => vi.restoreAllMocks());

  const kinds = new Set([
    "dispatch",
    "check",
    "ask",
    "merge",
    "rebase",
    "spawn",
    "timer",
    "cancel",
    "finish",
  ]);
  const sequences = 1_000;
  const length = 100;

  verifies(
    "CORE-08",
    "answers 100,000 random events twice with equal bytes, without time, random numbers or files",
    () => {
      const uses = trap();
      const seen = { events: 0, ignored: 0, runs: 0, ended: 0, finished: 0 };
      fc.assert(
        fc.property(
          fc.array(fc.nat({ max: 2 ** 31 - 1 }), { minLength: length, maxLength: length }),
          fc.nat({ max: 99 }),
          (numbers, which) => {
            const [, protocol] = protocols[which % protocols.length] ?? raise("no protocol");
            let run = begin();
            for (const [index, pick] of numbers.entries()) {
              const stamp = String(index);
              const isFirst = run.events.length === 0 && pick % 10 > 0;
              const event = isFirst
                ? { ...start, stamp }
                : anyEvent({ protocol, state: run.state, stamp, pick });
              const next = step(protocol, run.state, event);
              for (const { type, key } of next.commands) {
                if (!kinds.has(type)) raise(`kind ${type}`);
                if (run.keys.has(key)) raise(`key ${key} twice`);
                run.keys.add(key);
              }
              run = { ...run, state: next.state };
              run.events.push(event);
              run.outputs.push(JSON.stringify(next.commands));
              seen.events += 1;
              seen.ignored += next.ignored === undefined ? 0 : 1;
              seen.finished += next.commands.filter((command) => command.type === "finish").length;
              const isOver = next.state.ended !== null && pick % 8 === 0;
              if (!isOver && index < length - 1) continue;
              seen.runs += 1;
              seen.ended += next.state.ended ? 1 : 0;
              repeat(protocol, run);
              run = begin();
            }
          },
        ),
        { numRuns: sequences, seed: 9 },
      );
      release();
      expect({ events: seen.events, uses }).toEqual({ events: 100_000, uses: [] });
      expect(seen.finished).toBe(seen.ended);
      expect(seen.ended).toBeGreaterThan(1_000);
      expect(seen.ignored / seen.events).toBeGreaterThan(0.1);
      expect(seen.ignored / seen.events).toBeLessThan(0.6);
    },
    300_000,
  );

  test("folds a journal to the state of its steps", () => {
    fc.assert(
      fc.property(picks(40), (numbers) => {
        const [, protocol] = protocols[0] ?? raise("no protocol");
        const events: KernelEvent[] = [start];
        let state = step(protocol, init(protocol), start).state;
        for (const [index, pick] of numbers.entries()) {
          const event = anyEvent({ protocol, state, stamp: String(index), pick });
          events.push(event);
          state = step(protocol, state, event).state;
        }
        expect(JSON.stringify(fold(protocol, events))).toBe(JSON.stringify(state));
      }),
      { numRuns: 20, seed: 10 },
    );
  });
});

interface Run {
  readonly state: RunState;
  readonly keys: Set<string>;
  readonly events: KernelEvent[];
  readonly outputs: string[];
}

function begin(): Run {
  return { state: before, keys: new Set(), events: [], outputs: [] };
}

/** Replays the same events from the start. */
function repeat(protocol: Protocol, { events, outputs, state }: Run): void {
  let again: RunState = before;
  for (const [index, event] of events.entries()) {
    const next = step(protocol, again, event);
    if (JSON.stringify(next.commands) !== outputs[index]) raise("other commands the second time");
    again = next.state;
  }
  if (JSON.stringify(again) !== JSON.stringify(state)) raise("another state the second time");
}

/** Records every use of time, random numbers and files; the kernel must have none. */
function trap(): string[] {
  const uses: string[] = [];
  const note = (what: string) => () => {
    uses.push(what);
    return 0;
  };
  vi.spyOn(Date, "now").mockImplementation(note("Date.now"));
  vi.spyOn(Math, "random").mockImplementation(note("Math.random"));
  vi.spyOn(performance, "now").mockImplementation(note("performance.now"));
  vi.spyOn(process, "hrtime").mockImplementation(() => raise("process.hrtime"));
  for (const name of ["readFileSync", "writeFileSync", "existsSync", "statSync", "readdirSync"] as const)
    vi.spyOn(fs, name).mockImplementation(() => raise(`fs.${name}`));
  syncBuiltinESMExports();
  return uses;
}

function release(): void {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
}

function raise(what: string): never {
  throw new Error(what);
}
