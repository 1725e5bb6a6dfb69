import type { Driven } from "./world.ts";

/** Everything of a journal but its ids, times and what runs side by side in another order. */
export function history({ events, run }: Driven): readonly string[] {
  return events
    .map(({ seq: _seq, at: _at, ...event }) =>
      JSON.stringify(withoutDrawn(event), (name, value: unknown) =>
        volatile.has(name) ? "…" : typeof value === "string" ? settled(value, run) : value,
      ),
    )
    .sort();
}

function settled(text: string, run: string): string {
  return text.replaceAll(run, "RUN").replace(/cassette-\d+\.yaml/gu, "CASSETTE");
}

/** Canaries are called otherwise each time. */
export function withoutDrawn<Event extends { readonly type: string }>(event: Event): object {
  const isDrawn = "purpose" in event && String(event.purpose).endsWith(".canary");
  return isDrawn ? { ...event, failing: "drawn" } : event;
}

/** Prompts may hold durations, to which a play is not held; conversations, folders, hashes of what holds a time, and commits, whose message names the run. */
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
