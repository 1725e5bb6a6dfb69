/** The steps of a machine, one below the other, with a line for each route: straight to the next step, else as an arc beside them. */
import type { MachineModel, ProtocolStepModel, RouteModel } from "../../../views/model/protocol-model.ts";
import { classOf, symbols, type Tone } from "../tones.ts";
import { countText, nameText } from "../words.ts";

const rowHeight = 34;
const laneWidth = 11;
const maxLanes = 9;
const dotSize = 6;

export const toneOf: Readonly<Record<ProtocolStepModel["state"], Tone>> = {
  open: "open",
  waiting: "waiting",
  stopped: "stopped",
  done: "done",
  next: "queued",
  skipped: "cancelled",
};

export const wordsOf: Readonly<Record<ProtocolStepModel["state"], string>> = {
  open: "now",
  waiting: "waits for you",
  stopped: "stopped here",
  done: "done",
  next: "to come",
  skipped: "not taken",
};

export function ProtocolLines({ machine }: { readonly machine: MachineModel }) {
  const { steps } = machine;
  const arcs = arcsOf(machine);
  const lanes = Math.max(0, ...arcs.map(({ lane }) => lane));
  const left = lanes * laneWidth + 16;
  const width = left + dotSize + 8;
  const y = (row: number) => row * rowHeight + rowHeight / 2;
  return (
    <figure class="picture protocol">
      <svg
        role="img"
        aria-label={`Routes of ${machine.name}`}
        width={width}
        height={steps.length * rowHeight}
        viewBox={`0 0 ${width} ${steps.length * rowHeight}`}
        data-picture={`protocol-${machine.name}`}
      >
        {arcs.map(({ route, from, to, lane }) => (
          <path
            key={`${route.from} ${route.to}`}
            d={
              lane === 0
                ? `M${left},${y(from)} L${left},${y(to)}`
                : arc({
                    left,
                    x: left - lane * laneWidth,
                    y1: y(from) + (to > from ? 4 : -4),
                    y2: y(to) + (to > from ? -4 : 4),
                  })
            }
            class={`route${route.taken > 0 ? " taken" : ""}${to <= from ? " back" : ""}`}
            data-route={`${route.from} ${route.to}`}
            data-taken={route.taken}
          >
            <title>
              {nameOf(route.from)} to {nameOf(route.to)}: {route.outcomes.join(", ")}
              {route.taken === 0 ? "" : `, taken ${countText(route.taken, "time")}`}
            </title>
          </path>
        ))}
        {steps.map(({ id, state, depth }, row) => (
          <circle
            key={id}
            cx={left}
            cy={y(row)}
            r={depth === 0 ? dotSize : dotSize - 2}
            class={`dot ${classOf[toneOf[state]]} ${state}`}
          />
        ))}
      </svg>
      <ol>
        {steps.map((step) => (
          <Step key={step.id} step={step} />
        ))}
      </ol>
    </figure>
  );
}

function Step({ step }: { readonly step: ProtocolStepModel }) {
  const { id, name, depth, kind, what, phase, times, now, state } = step;
  const tone = toneOf[state];
  const counts = [...(times > 1 ? [`${times} times`] : []), ...(now > 1 ? [`${now} now`] : [])].join(", ");
  return (
    <li class={`${state} depth-${depth}`} data-step={id} data-state={state} data-times={times}>
      <span class="step">{kind === "ask" && what !== "" ? what : nameText(name)}</span>
      <span class="what">{whatText(kind, what, phase)}</span>
      {counts === "" ? null : <span class="times">{counts}</span>}
      <span class={`mark ${classOf[tone]}`}>
        <span class="symbol" aria-hidden="true">
          {symbols[tone]}
        </span>
        {wordsOf[state]}
      </span>
    </li>
  );
}

export function whatText(kind: ProtocolStepModel["kind"], what: string, phase: string | null): string {
  const who: Readonly<Record<ProtocolStepModel["kind"], string>> = {
    dispatch: `agent ${nameText(what)}`,
    check: "gate",
    merge: "merge",
    rebase: "rebase",
    ask: "a person",
    parallel: "at the same time",
    each: `${nameText(what)} for each`,
    event: "when it happens",
    end: "end",
  };
  return phase === null ? who[kind] : `${who[kind]}, ${nameText(phase)}`;
}

function nameOf(id: string): string {
  return nameText(id.split("/").at(-1) ?? id);
}

interface Arc {
  readonly route: RouteModel;
  readonly from: number;
  readonly to: number;
  /** 0: straight. */
  readonly lane: number;
}

/** Short arcs lie inside of long ones; arcs that overlap get lanes of their own. */
function arcsOf({ steps, routes }: MachineModel): readonly Arc[] {
  const rows = new Map(steps.map(({ id }, row) => [id, row]));
  const taken: { top: number; bottom: number }[][] = [];
  const known = routes.flatMap((route) => {
    const [from, to] = [rows.get(route.from), rows.get(route.to)];
    return from === undefined || to === undefined || from === to ? [] : [{ route, from, to }];
  });
  const byLength = known.toSorted((a, b) => Math.abs(a.to - a.from) - Math.abs(b.to - b.from));
  return byLength.map((one): Arc => {
    const [top, bottom] = [Math.min(one.from, one.to), Math.max(one.from, one.to)];
    if (one.to === one.from + 1) return { ...one, lane: 0 };
    for (let lane = 1; ; lane += 1) {
      const own = (taken[lane - 1] ??= []);
      const isFree = own.every((other) => other.bottom <= top || bottom <= other.top);
      if (!isFree && lane < maxLanes) continue;
      own.push({ top, bottom });
      return { ...one, lane };
    }
  });
}

function arc({
  left,
  x,
  y1,
  y2,
}: {
  readonly left: number;
  readonly x: number;
  readonly y1: number;
  readonly y2: number;
}): string {
  const bend = Math.min(8, left - x, Math.abs(y2 - y1) / 2);
  const down = y2 > y1 ? bend : -bend;
  return `M${left},${y1} H${x + bend} Q${x},${y1} ${x},${y1 + down} V${y2 - down} Q${x},${y2} ${x + bend},${y2} H${left}`;
}
