/** Phases with their steps, times and costs: what a timeline shows. Pure. */
import type { RunView } from "../../log/run-view.ts";
import { addUsed, nothingUsed } from "../../log/used.ts";
import { modes } from "../../notation/modes.ts";
import { phases } from "../../notation/phases.ts";
import type { Place } from "./places.ts";
import type { PhaseModel, StepModel } from "./step-model.ts";

/** @param now until when an open step lasts */
export function phasesOf(
  view: Pick<RunView, "used" | "records" | "ended">,
  { steps, places, isRunning, now }: PhaseFacts,
): readonly PhaseModel[] {
  const names = new Map([...places.values()].map((place) => [place.id, place]));
  const groups = new Map<string, StepModel[]>();
  for (const step of steps) {
    const group = groups.get(step.phase);
    if (group === undefined) groups.set(step.phase, [step]);
    else group.push(step);
  }
  const records = new Map<string, string[]>();
  for (const { key, id } of view.records) records.set(key, [...(records.get(key) ?? []), id]);
  return [...groups].flatMap(([id, group]): readonly PhaseModel[] => {
    const place = names.get(id);
    const [first] = group;
    if (place === undefined || first === undefined) return [];
    const used = group.map(({ key }) => view.used[key] ?? nothingUsed).reduce(addUsed);
    return [
      {
        id,
        name: place.name,
        words: wordsOf(place.name),
        place: place.place,
        state: stateOf(group, { isRunning, hasEnded: view.ended !== null }),
        steps: group.map(({ key }) => key),
        attempts: Math.max(...group.map(({ attempt }) => attempt)),
        startedAt: first.startedAt,
        endedAt: endOf(group),
        agentMs: sumOf(group, now, ({ kind }) => kind === "dispatch"),
        gateMs: sumOf(group, now, ({ kind }) => kind === "check" || kind === "merge" || kind === "rebase"),
        personMs: sumOf(group, now, ({ kind }) => kind === "ask"),
        tokens: used.tokens,
        costUsd: used.costUsd,
        records: group.flatMap(({ key }) => records.get(key) ?? []),
      },
    ];
  });
}

/** For a phase of riper or dptr: `Ω₅ᵀ ℜᴳ`. */
function wordsOf(name: string): string {
  const [mode = "", phase = ""] = name.split(" ", 2);
  const meant = phases.find((entry) => entry.phase === phase) ?? modes.find((entry) => entry.mode === mode);
  return meant?.meaning ?? "";
}

interface PhaseFacts {
  readonly steps: readonly StepModel[];
  readonly places: ReadonlyMap<string, Place>;
  readonly isRunning: boolean;
  readonly now: string | null;
}

function stateOf(
  steps: readonly StepModel[],
  { isRunning, hasEnded }: { readonly isRunning: boolean; readonly hasEnded: boolean },
): PhaseModel["state"] {
  const open = steps.filter(({ state }) => state === "open");
  if (open.length > 0 && !hasEnded) {
    if (open.every(({ kind }) => kind === "ask")) return "waiting";
    return isRunning ? "running" : "stopped";
  }
  const last = steps.findLast(({ state }) => state === "done");
  if (last === undefined || open.length > 0) return "cancelled";
  const verdict = steps.findLast((step) => step.verdict !== null)?.verdict ?? null;
  if (verdict === "pass" || verdict === null) return "done";
  return verdict === "fail" ? "failed" : "inconclusive";
}

function endOf(steps: readonly StepModel[]): PhaseModel["endedAt"] {
  if (steps.some(({ state }) => state === "open")) return null;
  return (
    steps
      .flatMap(({ endedAt }) => endedAt ?? [])
      .toSorted()
      .at(-1) ?? null
  );
}

function sumOf(
  steps: readonly StepModel[],
  now: string | null,
  isCounted: (step: StepModel) => boolean,
): number {
  return steps.filter(isCounted).reduce((sum, step) => sum + lengthOf(step, now), 0);
}

/** Milliseconds of a step; an open one lasts until `now`, a cancelled one is not counted. */
function lengthOf({ startedAt, endedAt, state }: StepModel, now: string | null): number {
  const end = endedAt ?? (state === "open" ? now : null);
  return end === null ? 0 : Math.max(0, Date.parse(end) - Date.parse(startedAt));
}
