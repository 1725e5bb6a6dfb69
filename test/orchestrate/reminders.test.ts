/** Agents with two, no and late decisions, in whole runs of a protocol that sets the number of reminders. */
import { beforeAll, expect } from "vitest";
import type { Agent, AgentSpec } from "../../src/agents/agent.ts";
import { drive } from "../../src/engine/drive.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { openRun } from "../../src/families/open-run.ts";
import { verifies, verifiesInCi } from "../verifies.ts";
import { createWorld, eventsOf, golden, untestedFiles, type TurnFile, type World } from "./world.ts";

const extending = (name: string, more: string) =>
  `version: 1\nprotocol: ${name}\nkind: machine\nextends: orchestrate\n${more}\n`;

let world: World;
beforeAll(async () => {
  world = await createWorld({
    ...(await untestedFiles()),
    ".mettle/protocols/patient.yaml": extending("patient", "reminders: 3"),
    ".mettle/protocols/strict.yaml": extending("strict", "reminders: 3\nroles: { intake: { reminders: 1 } }"),
  });
});

type Prompted = Pick<AgentSpec, "prompt" | "nudge" | "conversation">;

/** Drives a run whose analyst plays this turn until something waits for a person; returns the analyst's prompts too. */
async function withIntake(protocol: string, turn: TurnFile) {
  const cassette = await golden();
  const run = await world.start({ ...cassette, roles: { ...cassette.roles, intake: [turn] } }, { protocol });
  const context = await openRun(world.host, { run });
  const heard: Prompted[] = [];
  const listening = (agent: Agent): Agent => ({
    ...agent,
    start(spec, sink, signal) {
      heard.push({ prompt: spec.prompt, nudge: spec.nudge, conversation: spec.conversation });
      return agent.start(spec, sink, signal);
    },
  });
  const end = await drive(
    { ...context, agentOf: async (command) => listening(await context.agentOf(command)) },
    { signal: new AbortController().signal, answer: () => Promise.resolve(null) },
  );
  const events = (await world.host.journal.read(run)).map(recorded);
  const result = eventsOf(events, "result").find(({ key }) => key === "intake#1");
  const asks = end.type === "waiting" ? end.asks.map(({ state, as }) => `${state} ${as}`) : [];
  return { heard, events, result, asks };
}

async function questions() {
  const report = (await golden()).roles.intake[0]?.report;
  if (!report) throw new Error("the golden analyst asks questions");
  return report;
}

const reminder = "REMINDER: Emit a decision to complete this phase";
const silent: TurnFile = { does: [{ say: "hm" }] };
const nudges = (count: number): TurnFile[] => Array.from({ length: count }, () => silent);

verifies("CORE-55", "of two decisions the first valid one counts and the others are journaled", async () => {
  const report = await questions();
  const { heard, events, result } = await withIntake("patient", {
    does: [
      { channel: { status: "DONE" } },
      { channel: report },
      { channel: { status: "WRITTEN", message: "also" } },
      { say: "→BL: rather not" },
    ],
  });
  expect(result).toMatchObject({ outcome: "QUESTIONS", text: report.message, channel: "mcp" });
  expect(eventsOf(events, "report.refused").map(({ why }) => why)).toEqual([
    "DONE is none of QUESTIONS, WRITTEN, BL, ME, TO, EX",
    "a later decision WRITTEN; QUESTIONS counts",
    "a later decision BL; QUESTIONS counts",
  ]);
  expect(heard).toHaveLength(1);
});

verifiesInCi(
  "CORE-55",
  "a late decision counts: it is requested in the same conversation, as often as the protocol says",
  async () => {
    const { heard, events, result } = await withIntake("patient", {
      ...silent,
      nudges: [...nudges(2), { does: [{ channel: await questions() }] }],
    });
    expect(result).toMatchObject({ outcome: "QUESTIONS", channel: "mcp" });
    expect(eventsOf(events, "agent.nudged").map(({ nudge }) => nudge)).toEqual([1, 2, 3]);
    const [first, ...later] = heard;
    expect(first?.prompt).not.toContain(reminder);
    expect(first?.conversation.type).toBe("new");
    for (const { prompt, conversation } of later) {
      expect(prompt).toBe(`${reminder}\n\nQUESTIONS, WRITTEN, BL, ME, TO, EX`);
      expect(conversation).toEqual({ type: "resume", id: first?.conversation.id });
    }
  },
);

verifiesInCi(
  "CORE-55",
  "after the limit the outcome is EX, and EX is routed: of the protocol, and of the role before it",
  async () => {
    for (const [protocol, most] of [
      ["orchestrate", 1],
      ["patient", 3],
      ["strict", 1],
    ] as const) {
      const { heard, events, result, asks } = await withIntake(protocol, { ...silent, nudges: nudges(6) });
      expect(heard.map(({ nudge }) => nudge)).toEqual(Array.from({ length: most + 1 }, (_, index) => index));
      expect(eventsOf(events, "agent.nudged")).toHaveLength(most);
      expect(result).toMatchObject({ outcome: "EX", text: "the agent gave no decision" });
      expect(result?.channel).toBeUndefined();
      expect(asks).toEqual(["trouble escalated"]);
    }
  },
);

verifiesInCi(
  ["CORE-54", "CORE-55"],
  "after a bad payload the reminder names the field, and the corrected answer counts",
  async () => {
    const { message, payload } = await questions();
    const answer = (value: unknown): TurnFile => ({
      does: [{ say: `\`\`\`json\n${JSON.stringify(value)}\n\`\`\`\n→QUESTIONS: ${message ?? ""}` }],
    });
    const { heard, events, result } = await withIntake("orchestrate", {
      ...answer({ questions: [{ id: "q1", topic: "inputs" }] }),
      nudges: [answer(payload)],
    });
    const why = "payload.questions.0.text: expected a text, got nothing";
    expect(heard[1]?.prompt).toBe(`${reminder}\n\nRefused: ${why}\n\nQUESTIONS, WRITTEN, BL, ME, TO, EX`);
    expect(eventsOf(events, "report.refused").map((fact) => fact.why)).toEqual([why]);
    expect(result).toMatchObject({ outcome: "QUESTIONS", channel: "line" });
    const plain = await withIntake("orchestrate", { does: [{ channel: await questions() }] });
    expect(result?.payload).toBe(plain.result?.payload);
  },
);
