/** The steps of a run over time, one lane for each phase, or for each node of a graph. */
import type { RunModel } from "../../../views/model/run-model.ts";
import type { PhaseModel, StepModel } from "../../../views/model/step-model.ts";
import { Rest } from "../pieces.tsx";
import { Label } from "./label.tsx";
import { betweenMs, clockText, countText, durationText, nameText } from "../words.ts";

export type TimelineFacts = Pick<RunModel, "phases" | "steps" | "state" | "nodes" | "run">;

/** One line of the picture: a phase, or a whole node of a graph. */
interface Lane {
  readonly id: string;
  /** The cycle that the phase belongs to. */
  readonly place: string | null;
  readonly label: string;
  readonly words: string;
  readonly note: string;
  readonly attempts: number;
  readonly steps: readonly StepModel[];
}

const laneHeight = 40;
const maxLanes = 120;

export function TimelinePicture({ model }: { readonly model: TimelineFacts }) {
  const { state } = model;
  const lanes = lanesOf(model);
  const shown = lanes.slice(0, maxLanes);
  const start = state.startedAt ?? "";
  const end = state.endedAt ?? state.updatedAt ?? start;
  const whole = Math.max(1, betweenMs(start, end));
  return (
    <figure class="picture">
      <svg
        role="img"
        aria-label="Phases of the run over time"
        width="100%"
        height={shown.length * laneHeight + 4}
        data-picture="timeline"
        data-ms={whole}
      >
        {shown.map(({ id, place, label, words, note, attempts, steps }, index) => (
          <g key={id} data-lane={id}>
            <Label y={index * laneHeight + 15} place={place} name={label} words={words} />
            <text x="100%" y={index * laneHeight + 15} class="note" text-anchor="end">
              {note}
              {attempts === 1 ? null : <tspan class="attempts">, {countText(attempts, "attempt")}</tspan>}
            </text>
            <rect x="0" y={index * laneHeight + 22} width="100%" height="8" rx="4" class="track" />
            {barsOf(steps, { start, end, whole }).map((bar) => (
              <StepBar key={bar.step.key} bar={bar} y={index * laneHeight + 22} />
            ))}
          </g>
        ))}
      </svg>
      <Rest count={lanes.length - shown.length} />
      <figcaption>
        <span class="key agent">agent</span>
        <span class="key gate">gate passed</span>
        <span class="key refused">gate refused</span>
        <span class="key person">waits for a person</span>
        <span class="aside">
          {clockText(start)} to {clockText(end)} UTC, {durationText(whole)}
        </span>
      </figcaption>
    </figure>
  );
}

interface Span {
  readonly start: string;
  readonly end: string;
  readonly whole: number;
}

interface StepOnLane {
  readonly step: StepModel;
  readonly from: number;
  readonly ms: number;
  readonly whole: number;
  /** Steps at the same place that are too short for bars of their own. */
  readonly others: number;
}

/** Places on a lane that an eye can tell apart. */
const slots = 250;

/** A bar for each step; where many short ones are at the same place, for the one that a person would look at first. */
function barsOf(steps: readonly StepModel[], { start, end, whole }: Span): readonly StepOnLane[] {
  const bars = steps.map((step) => ({
    step,
    from: betweenMs(start, step.startedAt),
    ms: betweenMs(step.startedAt, step.endedAt ?? end),
    whole,
    others: 0,
  }));
  if (bars.length <= slots) return bars;
  const slotMs = whole / slots;
  const inSlot = new Map<number, StepOnLane>();
  const long: StepOnLane[] = [];
  for (const bar of bars) {
    if (bar.ms > slotMs) {
      long.push(bar);
      continue;
    }
    const slot = Math.floor(bar.from / slotMs);
    const before = inSlot.get(slot);
    if (before === undefined) inSlot.set(slot, bar);
    else inSlot.set(slot, { ...(urgency(bar) > urgency(before) ? bar : before), others: before.others + 1 });
  }
  return [...long, ...inSlot.values()];
}

const urgent = ["gate", "agent", "person", "unsure", "refused"];

function urgency({ step }: StepOnLane): number {
  return urgent.indexOf(barClass(step).split(" ", 1)[0] ?? "");
}

function StepBar({
  bar: { step, from, ms, whole, others },
  y,
}: {
  readonly bar: StepOnLane;
  readonly y: number;
}) {
  const width = Math.max(0.25, (ms / whole) * 100);
  return (
    <rect
      x={`${percent(Math.min((from / whole) * 100, 100 - width))}%`}
      y={y}
      width={`${percent(width)}%`}
      height="8"
      rx="3"
      class={`bar ${barClass(step)}`}
      data-key={step.key}
      data-ms={ms}
      data-from={from}
    >
      <title>
        {nameText(step.name)}
        {step.attempt === 1 ? "" : ` (attempt ${step.attempt})`}, {durationText(ms)}
        {step.outcome === null ? "" : `: ${step.outcome}`}
        {others === 0 ? "" : `; and ${countText(others, "step")} at the same place`}
      </title>
    </rect>
  );
}

function percent(value: number): number {
  return Math.round(value * 100) / 100;
}

function barClass({ kind, verdict, state }: StepModel): string {
  const at = state === "open" ? " open" : "";
  if (kind === "dispatch") return `agent${at}`;
  if (kind === "ask") return `person${at}`;
  return verdict === "fail" ? "refused" : verdict === "inconclusive" ? "unsure" : `gate${at}`;
}

/** A graph works at many nodes at once, so each node is a lane; elsewhere each phase is. */
function lanesOf({ phases, steps, nodes }: TimelineFacts): readonly Lane[] {
  const byPhase = new Map<string, StepModel[]>();
  for (const step of steps) {
    const id = nodes.length === 0 ? step.phase : (step.node ?? "");
    const lane = byPhase.get(id);
    if (lane === undefined) byPhase.set(id, [step]);
    else lane.push(step);
  }
  if (nodes.length > 0)
    return nodes.map(({ id, name, words, depth }) => ({
      id,
      words: "",
      place: null,
      label: `${"· ".repeat(depth)}${name}`,
      note: words,
      attempts: 1,
      steps: byPhase.get(id) ?? [],
    }));
  return phases.map((phase) => ({
    id: phase.id,
    words: phase.words,
    place: phase.place,
    label: nameText(phase.name),
    note: durationText(phase.agentMs + phase.gateMs + phase.personMs),
    attempts: phase.attempts,
    steps: byPhase.get(phase.id) ?? [],
  }));
}

/** @returns its name, with the place that it is of */
export function phaseText({ name, place }: Pick<PhaseModel, "name" | "place">): string {
  return place === null ? nameText(name) : `${place}: ${nameText(name)}`;
}
