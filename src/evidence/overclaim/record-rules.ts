/** What a single record may not claim: a pass against its own exit code, tests or reasons. Pure. */
import type { Claim, ClaimRule } from "./claim.ts";
import { difference } from "./claim.ts";
import { verdictExit } from "../verdict-exit.ts";

export const recordRules: Readonly<Record<string, ClaimRule>> = {
  exit_code,
  reasons,
  results,
  twice,
  observed,
  clock,
};

function exit_code({ record, gate }: Claim): string | null {
  const { verdict, exitCode, signal, timedOut } = record;
  if (gate !== null) {
    const code = verdictExit[verdict];
    return exitCode === code ? null : `its verdict is ${verdict} with exit code ${exitCode}, not ${code}`;
  }
  if (verdict !== "pass") return null;
  if (signal !== null) return `it passed although ${signal} ended it`;
  if (timedOut) return "it passed although it did not end in time";
  return exitCode === 0 ? null : `it passed with exit code ${exitCode}`;
}

function reasons({ record: { verdict, reasons: given } }: Claim): string | null {
  return verdict === "pass" && given.length > 0 ? `it passed although ${given.join("; ")}` : null;
}

/** A gate judges failing tests itself: RED needs them, and those of the base are known. */
function results({ record: { verdict, tests }, gate }: Claim): string | null {
  if (verdict !== "pass" || gate !== null) return null;
  const bad = tests.find(({ status }) => status === "failed" || status === "pending");
  return bad === undefined ? null : `it passed although the test ${bad.id} is ${bad.status}`;
}

function twice({ record: { tests, required } }: Claim): string | null {
  const count = new Map<string, number>();
  for (const { id } of tests) count.set(id, (count.get(id) ?? 0) + 1);
  const repeated = required.find((id) => (count.get(id) ?? 0) > 1);
  return repeated === undefined ? null : `the required test ${repeated} has two results`;
}

function observed({ record }: Claim): string | null {
  const found = difference(
    record.observed,
    record.tests.map(({ id }) => id),
  );
  if (found === null) return null;
  return found.only === "first"
    ? `it observed ${found.id}, which has no result`
    : `it has a result of ${found.id}, which it did not observe`;
}

function clock({ record: { started, ended } }: Claim): string | null {
  const [from, to] = [Date.parse(started), Date.parse(ended)];
  if (Number.isNaN(from) || Number.isNaN(to)) return `its times ${started} and ${ended} are not times`;
  return from <= to + toleranceMs ? null : `it ended at ${ended}, before it started at ${started}`;
}

/** A clock may be set back a little while tests run. */
export const toleranceMs = 60_000;
