/** Checks that each completed phase in the journal names a known record (ORC-42). */
import type { Protocol } from "../protocol/machine.ts";
import type { RunView } from "../log/run-view.ts";
import { phaseNumber } from "../run/phases.ts";

export interface BrokenLink {
  readonly phase: string;
  readonly record: string | null;
  readonly why: string;
}

export function brokenLink(view: RunView, protocol: Protocol): BrokenLink | null {
  const known = new Set(view.records.map(({ id }) => id));
  const loose = view.phases.find(({ record }) => !known.has(record));
  if (loose)
    return { ...loose, why: `phase ${loose.phase} is complete on record ${loose.record}, which is gone` };
  const complete = new Set(view.phases.map(({ phase }) => phase));
  const missing = phasesLeft(view, protocol).find((phase) => !complete.has(phase));
  return missing === undefined
    ? null
    : { phase: missing, record: null, why: `phase ${missing} was left without a record that proves it` };
}

/** Numbered phases that the run has passed; all of them if it is complete. */
function phasesLeft(view: RunView, protocol: Protocol): readonly string[] {
  if (view.ended?.outcome === "complete") return numbered(phasesOf(protocol));
  const entered = numbered(view.order.map((key) => view.commands[key]?.command.phase));
  const furthest = Math.max(...entered.map(phaseNumber), 0);
  return entered.filter((phase) => phaseNumber(phase) < furthest);
}

function phasesOf({ machines }: Protocol): readonly (string | undefined)[] {
  return Object.values(machines["main"]?.states ?? {}).map(({ phase }) => phase);
}

function numbered(phases: readonly (string | undefined)[]): readonly string[] {
  const found = new Set(phases.filter((phase) => phase !== undefined && phaseNumber(phase) > 0));
  return [...found].flatMap((phase) => phase ?? []).toSorted((a, b) => phaseNumber(a) - phaseNumber(b));
}
