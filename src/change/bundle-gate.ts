/** Writes the evidence of a gate outside any run as a bundle (PRV-14). */
import type { Settings } from "../config/settings.ts";
import { writeBundle } from "../evidence/bundle/bundle.ts";
import { listed, type Statement } from "../evidence/bundle/statement.ts";
import type { JournaledRecord } from "../run/records.ts";
import type { GatePlace } from "./place.ts";
import type { Revisions } from "./revisions.ts";
import { commitWithTree, statedSettings, storedEvidence } from "../verify/bundle-parts.ts";

export interface GateEvidence {
  readonly place: GatePlace;
  readonly change: {
    readonly gate: Statement["made"];
    readonly planned: readonly string[];
    readonly accepted: readonly string[];
  };
  readonly inputs: {
    readonly revisions: Revisions;
    readonly criteria: readonly string[] | null;
    readonly settings: Settings;
  };
  readonly sealed: readonly JournaledRecord[];
}

export async function bundleOfGate({ place, change, inputs, sealed }: GateEvidence): Promise<string> {
  const { payloads, repository, key } = place;
  const { revisions, criteria, settings } = inputs;
  const own = sealed.at(-1)?.record;
  if (own === undefined) throw new TypeError("a gate leaves a record");
  const red = sealed.findLast(({ record }) => record.purpose === "red")?.record;
  const at = (commit: string) => commitWithTree(repository, commit);
  const statement: Statement = {
    version: 1,
    run: own.run,
    made: change.gate,
    base: await at(revisions.base),
    red: red?.commit == null || red === own ? null : await at(red.commit),
    head: await at(revisions.head),
    required: [...own.required],
    accepted: [...change.accepted],
    criteria: criteria === null ? null : [...criteria],
    planned: red === undefined ? {} : { [red.id]: [[...change.planned]] },
    settings: statedSettings(settings),
    records: sealed.map(({ event }) => listed(event)),
    completed: [],
    reserved: [],
    shown: [],
  };
  const written = sealed.map(({ event }) => event);
  const { envelopes, outputs } = await storedEvidence(payloads, written);
  return writeBundle({ statement, envelopes, payloads: outputs }, await key());
}
