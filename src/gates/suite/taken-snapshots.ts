/** Snapshots that GREEN took itself (PRV-22): no test stated their values, so a person must read them. */
import { counted } from "../../lib/counted.ts";
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

export function snapshotFindings(taken: readonly TakenSnapshot[]): readonly Finding[] {
  return taken.map(({ path, hash, entries }) => {
    const values = entries.map(({ name, value }) => `\`${name}\` is ${shortened(value)}`);
    const message = `${path} (${hash}): GREEN took ${counted(entries.length, "snapshot")} of what the code answers, and no test states that this is right: ${values.join("; ")}`;
    return { code: "snapshot_taken", severity: "finding", message, path };
  });
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
