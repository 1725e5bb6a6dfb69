import type { DriveResult } from "./world.ts";

/** A journal without ids, times and the order of parallel work. */
export function history({ events, run }: DriveResult): readonly string[] {
  return events
    .map(({ seq: _seq, at: _at, ...event }) =>
      JSON.stringify(withoutRandom(event), (name, value: unknown) =>
        volatile.has(name) ? "…" : typeof value === "string" ? withoutNames(value, run) : value,
      ),
    )
    .sort();
}

function withoutNames(text: string, run: string): string {
  return text.replaceAll(run, "RUN").replace(/cassette-\d+\.yaml/gu, "CASSETTE");
}

/** Canaries have a new name each time. */
export function withoutRandom<Event extends { readonly type: string }>(event: Event): object {
  const isRandom = "purpose" in event && String(event.purpose).endsWith(".canary");
  return isRandom ? { ...event, failing: "drawn" } : event;
}

/** Removes durations, conversations, folders, hashes of texts with times, and commits, whose message names the run. */
const volatile = new Set([
  "commit",
  "conversation",
  "envelope",
  "from",
  "hash",
  "parent",
  "payload",
  "prompt",
  "ref",
  "reviewed",
  "settingsRef",
  "shown",
  "text",
  "workspace",
]);
