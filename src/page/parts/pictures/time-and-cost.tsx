/** Where the time and the money went: by phase, and by agent. */
import type { RunModel } from "../../../views/model/run-model.ts";
import type { PhaseModel, UsedModel } from "../../../views/model/step-model.ts";
import { costText, durationText, nameText } from "../words.ts";
import { Bars, type BarPart, type BarRow } from "./bars.tsx";

const maxRows = 40;

export interface NamedTime {
  readonly name: string;
  /** What its symbols mean. */
  readonly words: string;
  readonly agentMs: number;
  readonly gateMs: number;
  readonly personMs: number;
  readonly costUsd: number | null;
}

/** The same phase of several nodes or cycles is one row. */
export function timeByPhase(phases: readonly PhaseModel[]): readonly NamedTime[] {
  const named = new Map<string, NamedTime>();
  for (const { name, words, agentMs, gateMs, personMs, costUsd } of phases) {
    const before = named.get(name);
    named.set(name, {
      name,
      words,
      agentMs: agentMs + (before?.agentMs ?? 0),
      gateMs: gateMs + (before?.gateMs ?? 0),
      personMs: personMs + (before?.personMs ?? 0),
      costUsd: sum(costUsd, before?.costUsd ?? null),
    });
  }
  return [...named.values()];
}

function sum(one: number | null, other: number | null): number | null {
  return one === null ? other : one + (other ?? 0);
}

export function TimeByPhase({ model }: { readonly model: Pick<RunModel, "phases"> }) {
  const named = timeByPhase(model.phases).slice(0, maxRows);
  if (named.length === 0) return null;
  return (
    <Bars
      name="time-by-phase"
      title="Time by phase"
      rows={named.map(timeRow)}
      keys={[
        { kind: "agent", words: "agents worked" },
        { kind: "gate", words: "gates judged" },
        { kind: "person", words: "waited for people" },
      ]}
    />
  );
}

function timeRow({ name, words: meaning, agentMs, gateMs, personMs }: NamedTime): BarRow {
  const part = (kind: string, words: string, value: number): BarPart => ({
    kind,
    value,
    title: `${words} ${durationText(value)}`,
  });
  return {
    id: name,
    label: nameText(name),
    words: meaning,
    note: durationText(agentMs + gateMs + personMs),
    parts: [
      part("agent", "agents worked", agentMs),
      part("gate", "gates judged", gateMs),
      part("person", "waited for people", personMs),
    ],
  };
}

/** Nothing where no agent reported what it cost. */
export function CostByPhase({ model }: { readonly model: Pick<RunModel, "phases"> }) {
  const named = timeByPhase(model.phases).filter(({ costUsd }) => costUsd !== null);
  if (named.length === 0) return null;
  return (
    <Bars
      name="cost-by-phase"
      title="Cost by phase"
      rows={named.slice(0, maxRows).map(({ name, words, costUsd }) => costRow(name, costUsd ?? 0, words))}
      keys={[{ kind: "cost", words: "cost by the agents' own figures" }]}
    />
  );
}

function costRow(name: string, usd: number, words = ""): BarRow {
  return {
    id: name,
    label: nameText(name),
    words,
    note: costText(usd),
    parts: [{ kind: "cost", value: usd, title: costText(usd) }],
  };
}

/** Nothing where no agent reported what it cost. */
export function CostByAgent({ used, name }: { readonly used: readonly UsedModel[]; readonly name: string }) {
  const known = used.filter(({ costUsd }) => costUsd !== null);
  if (known.length === 0) return null;
  return (
    <Bars
      name={name}
      title="Cost by agent"
      rows={known.slice(0, maxRows).map((one) => costRow(one.name, one.costUsd ?? 0))}
      keys={[{ kind: "cost", words: "cost by the agents' own figures" }]}
    />
  );
}

export function TimeByAgent({ used, name }: { readonly used: readonly UsedModel[]; readonly name: string }) {
  if (used.length === 0) return null;
  return (
    <Bars
      name={name}
      title="Time by agent"
      rows={used.slice(0, maxRows).map(({ name: label, workedMs }) => ({
        id: label,
        label,
        note: durationText(workedMs),
        parts: [{ kind: "agent", value: workedMs, title: durationText(workedMs) }],
      }))}
      keys={[{ kind: "agent", words: "worked" }]}
    />
  );
}
