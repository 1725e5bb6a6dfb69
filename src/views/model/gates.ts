/** Gates with all attempts at each, in words and with reasons. Pure. */
import type { EventOf, Recorded } from "../../log/run-event.ts";
import { safeText } from "../../lib/safe-text.ts";
import { excerptOf } from "../../lib/text.ts";
import type { RunFacts, StoredVerdict } from "./facts.ts";
import type { Place } from "./places.ts";
import type { CheckModel, GateAttempt, GateModel, VerdictWord } from "./verdict-model.ts";

type Judged = Recorded<EventOf<"gate.judged">>;

export function judgedOf(events: readonly Recorded[]): readonly Judged[] {
  return events.filter((event): event is Judged => event.type === "gate.judged");
}

/** Key of each judged command -> its newest verdict. */
export function verdictsByKey(judged: readonly Judged[]): ReadonlyMap<string, VerdictWord> {
  return new Map(judged.map(({ key, verdict }) => [key, verdict]));
}

export function gatesOf(
  { view, verdicts = new Map() }: RunFacts,
  judged: readonly Judged[],
  places: ReadonlyMap<string, Place>,
): readonly GateModel[] {
  const records = new Map<string, string[]>();
  for (const { key, id } of view.records) records.set(key, [...(records.get(key) ?? []), id]);
  const gates = new Map<string, GateModel & { readonly attempts: GateAttempt[] }>();
  for (const event of judged) {
    const place = places.get(event.key);
    const id = `${place?.place ?? ""}/${event.gate}`;
    const gate = gates.get(id) ?? {
      id,
      gate: event.gate,
      place: place?.place ?? null,
      phase: place?.id ?? "",
      attempts: [],
    };
    gates.set(id, gate);
    gate.attempts.push({
      key: event.key,
      verdict: event.verdict,
      startedAt: view.commands[event.key]?.at ?? event.at,
      at: event.at,
      reasons: event.reasons.map(bounded),
      findings: event.findings.map(bounded),
      acceptable: event.acceptable ?? [],
      checks: checksOf(verdicts.get(event.ref)),
      records: records.get(event.key) ?? [],
      ref: event.ref,
    });
  }
  return [...gates.values()];
}

/** The rows of a quality gate; of other gates their criteria. */
function checksOf(verdict: StoredVerdict | undefined): readonly CheckModel[] {
  if (verdict === undefined) return [];
  if (verdict.rows !== undefined)
    return verdict.rows.map(({ name, mark, why }) => ({ name, mark: markOf(mark), why: bounded(why) }));
  return verdict.checks.map((check) => ({
    name: check.name,
    mark: markOf(check.verdict),
    why: bounded(check.reason),
  }));
}

function markOf(word: string): CheckModel["mark"] {
  return word === "pass" || word === "fail" || word === "review" ? word : "inconclusive";
}

/** A finding can hold the whole output of a runner. */
function bounded(text: string): string {
  return excerptOf(safeText(text), 4000);
}
