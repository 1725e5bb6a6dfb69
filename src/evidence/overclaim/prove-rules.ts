/** What the proof of a change may not claim against its halves RED and GREEN. Pure. */
import { canonicalJson } from "../../lib/hash.ts";
import { gateCommand, type GateCommand } from "../gate-command.ts";
import type { EvidenceRecord } from "../record.ts";
import type { Claim, ClaimRule } from "./claim.ts";

export const proveRules: Readonly<Record<string, ClaimRule>> = {
  halves,
  half_verdicts,
  half_commits,
  half_required,
  half_controls,
  half_files,
};

interface Halves {
  readonly prove: EvidenceRecord;
  readonly command: GateCommand;
  readonly red: EvidenceRecord | undefined;
  readonly green: EvidenceRecord | undefined;
}

/** Null for other gates, and where nothing had to be proved: then the whole suite ran. */
function halvesOf({ record, gate, inner }: Claim): Halves | null {
  if (gate?.name !== "prove" || record.verdict !== "pass") return null;
  if (inner.some(({ purpose }) => purpose === "prove.tests")) return null;
  const last = (purpose: string) => inner.findLast((one) => one.purpose === purpose);
  return { prove: record, command: gate, red: last("red"), green: last("green") };
}

function halves(claim: Claim): string | null {
  const found = halvesOf(claim);
  const missing = (["red", "green"] as const).find((half) => found !== null && found[half] === undefined);
  return missing === undefined ? null : `it passed without the record of ${missing.toUpperCase()}`;
}

function half_verdicts(claim: Claim): string | null {
  const found = halvesOf(claim);
  const half = [found?.red, found?.green].find((one) => one !== undefined && one.verdict !== "pass");
  return half === undefined ? null : `it passed although ${half.id} is ${half.verdict}`;
}

function half_commits(claim: Claim): string | null {
  const found = halvesOf(claim);
  if (found?.red === undefined || found.green === undefined) return null;
  const { prove, command, red, green } = found;
  const [ofRed, ofGreen] = [gateCommand(red), gateCommand(green)];
  const base = [ofRed, ofGreen].find((half) => half?.base !== command.base);
  if (base !== undefined) return `it judges the base ${command.base}, and its half ${base?.base}`;
  if (green.commit !== prove.commit) return `it judges ${prove.commit}, and its GREEN ${green.commit}`;
  return ofGreen?.red === red.commit
    ? null
    : `its GREEN builds on the tests of ${ofGreen?.red}, and its RED is ${red.commit}`;
}

function half_required(claim: Claim): string | null {
  const found = halvesOf(claim);
  for (const half of [found?.red, found?.green]) {
    if (found === null || half === undefined) continue;
    if (canonicalJson(half.required) === canonicalJson(found.prove.required)) continue;
    return `it requires ${list(found.prove)}, and ${half.id} ${list(half)}`;
  }
  return null;
}

function list({ required }: EvidenceRecord): string {
  return required.length === 0 ? "no test" : required.join(", ");
}

function half_controls(claim: Claim): string | null {
  const found = halvesOf(claim);
  if (found?.green === undefined) return null;
  const { prove, green } = found;
  const name = Object.keys(green.controls).find((one) => prove.controls[one] !== green.controls[one]);
  return name === undefined
    ? null
    : `it says of ${name} "${prove.controls[name]}", its GREEN "${green.controls[name]}"`;
}

function half_files(claim: Claim): string | null {
  const found = halvesOf(claim);
  if (found?.green === undefined) return null;
  return canonicalJson(found.prove.hashes) === canonicalJson(found.green.hashes)
    ? null
    : "its frozen files are not those of its GREEN";
}
