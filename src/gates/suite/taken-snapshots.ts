/** Snapshots that GREEN took itself (PRV-22): no test stated their values, so a person must read them. */
import type { Finding } from "../verdict.ts";
import type { SnapshotEntry } from "./snapshot-entries.ts";

export interface TakenSnapshot {
  /** The snapshot file. */
  readonly path: string;
  /** Its whole text, and `sha256:…` of it. */
  readonly text: string;
  readonly hash: string;
  /** The entries that were not stored before. */
  readonly entries: readonly SnapshotEntry[];
}

const maxShown = 300;

/** One for each value, with the value first: a person reads the beginning of a finding. */
export function snapshotFindings(taken: readonly TakenSnapshot[]): readonly Finding[] {
  return taken.flatMap(({ path, hash, entries }) =>
    entries.map(({ name, value }) => ({
      code: "snapshot_taken",
      severity: "finding" as const,
      message: `snapshot \`${name}\`, taken at GREEN, which no test states: ${shortened(value)} (${path} ${hash})`,
      path,
    })),
  );
}

/** The record's text. */
export function snapshotWords(taken: readonly TakenSnapshot[]): Readonly<Record<string, string>> {
  if (taken.length === 0) return {};
  return { snapshots: `taken: ${taken.map(({ path, hash }) => `${path} ${hash}`).join(", ")}` };
}

function shortened(value: string): string {
  const line = value.replaceAll(/\s+/g, " ");
  return line.length > maxShown ? `${line.slice(0, maxShown)}…` : line;
}
