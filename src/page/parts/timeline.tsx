/** The phases of a run over time, as a picture and as a table. */
import type { RunModel } from "../../views/model/run-model.ts";
import type { PhaseModel, StepModel } from "../../views/model/step-model.ts";
import { Mark } from "./mark.tsx";
import { Fold, Section } from "./section.tsx";
import { Rest, Table } from "./table.tsx";
import { betweenMs, clockText, costText, countText, durationText, nameText } from "./words.ts";

type TimelineFacts = Pick<RunModel, "phases" | "steps" | "state" | "nodes" | "run">;

export function Timeline({ model }: { readonly model: TimelineFacts }) {
  const { phases, run } = model;
  if (phases.length === 0)
    return (
      <Section id="timeline" title="Timeline">
        <p class="none">Nothing has begun yet.</p>
      </Section>
    );
  return (
    <Section id="timeline" title="Timeline">
      <TimelinePicture model={model} />
      <Fold title="The same as a table">
        <Table
          caption="Phases of the run"
          rows={phases}
          idOf={({ id }) => id}
          rest={`mettle log ${run}`}
          columns={[
            {
              label: "Phase",
              cell: (phase) => (
                <>
                  {phaseText(phase)} <span class="aside">{phase.words}</span>
                </>
              ),
            },
            { label: "State", kind: "mark", cell: ({ state }) => <Mark of={state} /> },
            { label: "Attempts", kind: "number", cell: ({ attempts }) => attempts },
            { label: "Agents", kind: "number", cell: ({ agentMs }) => durationText(agentMs) },
            { label: "Gates", kind: "number", cell: ({ gateMs }) => durationText(gateMs) },
            { label: "People", kind: "number", cell: ({ personMs }) => durationText(personMs) },
            {
              label: "Cost",
              kind: "number",
              cell: ({ costUsd }) => costText(costUsd),
              isEmpty: ({ costUsd }) => costUsd === null,
            },
            { label: "Began", cell: ({ startedAt }) => clockText(startedAt) },
          ]}
        />
      </Fold>
    </Section>
  );
}

function phaseText({ name, place }: Pick<PhaseModel, "name" | "place">): string {
  return place === null ? nameText(name) : `${place}: ${nameText(name)}`;
}

/** One line of the picture: a phase, or a whole node of a graph. */
interface Lane {
  readonly id: string;
  readonly label: string;
  readonly words: string;
  readonly note: string;
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
        {shown.map(({ id, label, words, note, steps }, index) => (
          <g key={id} data-lane={id}>
            <text x="0" y={index * laneHeight + 15} class="label">
              {label}
              {words === "" ? null : (
                <tspan class="note words" dx="8">
                  {words}
                </tspan>
              )}
            </text>
            <text x="100%" y={index * laneHeight + 15} class="note" text-anchor="end">
              {note}
            </text>
            <rect x="0" y={index * laneHeight + 22} width="100%" height="8" rx="4" class="track" />
            {steps.map((step) => (
              <StepBar key={step.key} step={step} span={{ start, end, whole }} y={index * laneHeight + 22} />
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

function StepBar({
  step,
  span: { start, end, whole },
  y,
}: {
  readonly step: StepModel;
  readonly span: { readonly start: string; readonly end: string; readonly whole: number };
  readonly y: number;
}) {
  const from = betweenMs(start, step.startedAt);
  const ms = betweenMs(step.startedAt, step.endedAt ?? end);
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
    byPhase.set(id, [...(byPhase.get(id) ?? []), step]);
  }
  if (nodes.length > 0)
    return nodes.map(({ id, name, words, depth }) => ({
      id,
      words: "",
      label: `${"· ".repeat(depth)}${name}`,
      note: words,
      steps: byPhase.get(id) ?? [],
    }));
  return phases.map((phase) => ({
    id: phase.id,
    words: phase.words,
    label: phaseText(phase),
    note: [
      durationText(phase.agentMs + phase.gateMs + phase.personMs),
      ...(phase.attempts === 1 ? [] : [countText(phase.attempts, "attempt")]),
    ].join(", "),
    steps: byPhase.get(phase.id) ?? [],
  }));
}
