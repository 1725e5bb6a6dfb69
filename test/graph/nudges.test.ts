// @module-tag ci
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect } from "vitest";
import type { AgentEvent, AgentSpec } from "../../src/agents/agent.ts";
import type { DispatchCommand } from "../../src/kernel/command.ts";
import type { FamilyRun } from "../../src/family/family.ts";
import { runDispatch } from "../../src/dispatch/dispatch.ts";
import { watchSilence } from "../../src/dispatch/silence.ts";
import { openRun } from "../../src/families/open-run.ts";
import type { Settlement } from "../../src/run/settlement.ts";
import { manualClock, type ManualClock } from "../../src/testing/manual-clock.ts";
import type { TurnFile, World } from "../orchestrate/world.ts";
import { verifies } from "../verifies.ts";
import { files, spec } from "./threads-world.ts";
import { createTreeWorld } from "./world.ts";

const reminder = "REMINDER: Emit a decision to complete this phase";
const asks = { question: "why?", ambiguityReference: "AC-1", specSentence: "add(2, 3) gives 5" };
const decides = { report: { status: "ClarificationNeeded", message: "why", payload: asks } };

let world: World;
beforeAll(async () => void (world = await createTreeWorld(files)));

interface Observation {
  readonly clock: ManualClock;
  readonly context: FamilyRun;
  readonly command: DispatchCommand;
  /** The messages to the agent within its turns, and at the start of every turn but the first. */
  readonly spoken: string[];
  readonly prompts: string[];
  readonly events: AgentEvent["type"][];
  readonly settled: Promise<Settlement | null>;
}

interface Options {
  /** An adapter that cannot send messages into a running turn. */
  readonly deaf?: true;
  readonly idleMs?: number;
}

/** The root's Scaffold with the real runtime and scripted agent, and a fake clock. */
async function scaffold(turn: TurnFile, { deaf, idleMs }: Options = {}): Promise<Observation> {
  const cassette = { version: 1, kind: "cassette", nodes: { calc: { scaffold: [turn] } } };
  const run = await world.start(cassette as unknown as Parameters<World["start"]>[0], {
    task: spec.description,
    protocol: "graph",
    spec: { spec, file: null },
  });
  const clock = manualClock();
  const [spoken, prompts]: [string[], string[]] = [[], []];
  const events: AgentEvent["type"][] = [];
  const opened = await openRun(world.host, { run });
  const overheard = ({ onRunning, ...given }: AgentSpec): AgentSpec => {
    if (given.nudge > 0) prompts.push(given.prompt);
    if (onRunning === undefined || deaf) return given;
    return {
      ...given,
      onRunning: (tell) =>
        onRunning((text, nudge) => {
          spoken.push(text);
          tell(text, nudge);
        }),
    };
  };
  const { deadlines } = opened.settings;
  const context: FamilyRun = {
    ...opened,
    clock,
    settings: {
      ...opened.settings,
      deadlines: { ...deadlines, idleMs: idleMs ?? deadlines.idleMs },
    },
    async agentOf(command) {
      const agent = await opened.agentOf(command);
      return {
        ...agent,
        start: (given, sink, signal) =>
          agent.start(
            overheard(given),
            (event) => {
              sink(event);
              events.push(event.type);
            },
            signal,
          ),
      };
    },
  };
  const command = opened.session.state.open[0] as DispatchCommand;
  const settled = runDispatch(context, command, new AbortController().signal);
  return { clock, context, command, spoken, prompts, events, settled };
}

async function until({ events }: Observation, type: AgentEvent["type"]): Promise<void> {
  await expect.poll(() => events, { timeout: 20_000 }).toContain(type);
}

async function factsOf({ settled }: Observation, type: string): Promise<readonly object[]> {
  return ((await settled)?.facts ?? []).filter((fact) => fact.type === type);
}

describe("an agent that does not decide", () => {
  verifies(
    "V3-49",
    "is reminded after 60 seconds of silence, not while a tool runs, at once if its turn ended, and at the deadline if nothing can be sent before",
    async () => {
      const silent = await scaffold({ does: [{ say: "begun" }, { hang: true }], nudges: [decides] });
      await until(silent, "text");
      await silent.clock.advance(59_999);
      expect(silent.spoken).toEqual([]);
      await silent.clock.advance(1);
      expect(silent.spoken).toEqual([reminder]);
      expect(await silent.settled).toMatchObject({ outcome: "ClarificationNeeded" });
      expect(await factsOf(silent, "agent.nudged")).toHaveLength(1);

      const busy = await scaffold({
        does: [{ shell: "while ! test -f go; do sleep 0.05; done" }],
        ...decides,
      });
      await until(busy, "running");
      await busy.clock.advance(600_000);
      const { workspace = "" } = busy.context.session.view.dispatches[busy.command.key] ?? {};
      await writeFile(join(workspace, "go"), "");
      expect(await busy.settled).toMatchObject({ outcome: "ClarificationNeeded" });
      expect([busy.spoken, busy.prompts]).toEqual([[], []]);

      const talks = await scaffold({ does: [{ say: "It looks fine to me." }], nudges: [decides] });
      expect(await talks.settled).toMatchObject({ outcome: "ClarificationNeeded" });
      expect([talks.spoken, talks.prompts]).toEqual([[], [reminder]]);

      const deaf = await scaffold({ does: [{ hang: true }], nudges: [decides] }, { deaf: true, idleMs: 500 });
      expect(await deaf.settled).toMatchObject({ outcome: "ClarificationNeeded" });
      expect([deaf.spoken, deaf.prompts]).toEqual([[], [reminder]]);

      const clock = manualClock();
      const nudged: number[] = [];
      const silence = watchSilence(clock, 60_000, () => nudged.push(clock.now()));
      const began = clock.now();
      // Text or thinking every 59 seconds is no silence; afterwards there is.
      for (const _ of [1, 2, 3]) {
        await clock.advance(59_000);
        silence.onEvent({ type: "alive" });
      }
      await clock.advance(60_000);
      silence.stop();
      await clock.advance(600_000);
      expect(nudged).toEqual([began + 3 * 59_000 + 60_000]);
    },
  );

  verifies(
    "V3-50",
    "gets three reminders, which are no attempts, then EX if it had spoken and TO if it was silent; a second decision is only journaled",
    async () => {
      const talks = await scaffold({ does: [{ say: "Still thinking." }] });
      const settlement = await talks.settled;
      expect(settlement).toMatchObject({ outcome: "EX" });
      expect(talks.prompts).toEqual([reminder, reminder, reminder]);
      await talks.context.session.settle(talks.command.key, settlement ?? { outcome: "none" });
      const [next] = talks.context.session.state.open;
      const { attempt, scaffold: entries } = next?.counters ?? {};
      expect([next?.state, attempt?.value, entries?.value]).toEqual(["scaffold", 1, 1]);

      const silent = await scaffold({ does: [{ say: "begun" }, { hang: true }] });
      await until(silent, "text");
      await silent.clock.advance(239_999);
      expect(silent.spoken).toEqual([reminder, reminder, reminder]);
      await silent.clock.advance(1);
      expect(await silent.settled).toMatchObject({ outcome: "TO", text: "silent after 3 reminders" });
      expect(await factsOf(silent, "agent.nudged")).toHaveLength(3);

      const twice = await scaffold({
        does: [{ channel: decides.report }, { channel: { status: "EN", message: "or rather not" } }],
      });
      expect(await twice.settled).toMatchObject({ outcome: "ClarificationNeeded" });
      expect(await factsOf(twice, "report.refused")).toEqual([
        {
          type: "report.refused",
          key: twice.command.key,
          why: "a later decision EN; ClarificationNeeded counts",
        },
      ]);
    },
  );

  verifies(
    "V3-51",
    "gets the reason why its decision was refused, with its place, the expected type and the codes",
    async () => {
      const { question, specSentence } = asks;
      const wrong = { ...decides.report, payload: { question, specSentence } };
      const seen = await scaffold({ report: wrong, nudges: [decides] });
      expect(await seen.settled).toMatchObject({ outcome: "ClarificationNeeded" });
      expect(seen.prompts).toEqual([
        `${reminder}\n\nRefused: /ambiguityReference: expected a text, got nothing\n\n` +
          "InitWork, ClarificationNeeded, EN, BL, ME, TO, EX",
      ]);
    },
  );
});
