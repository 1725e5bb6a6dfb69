/** Messages to a session: at its start, and when it ends with an open dispatch (TDP-80, TDP-46). Pure. */
import type { HookFacts } from "../run/hook-files.ts";

export function startMessage({ run, mode, sid, round, phase, open }: HookFacts): string {
  const facts = [
    `mode ${mode}`,
    `sid ${sid ?? "none"}`,
    `r ${round ?? "none"}`,
    `phase ${phase ?? "none"}`,
    `next: ${open?.line ?? "nothing is dispatched; call the tool next, which says what is waited for"}`,
  ];
  return `Mettle: run ${run} is in hand, ${facts.join(", ")}. Call Mettle's tool next to go on with it.`;
}

export function stopMessage({ run }: HookFacts, line: string): string {
  return [
    `Mettle: the dispatch ${line} is open.`,
    "Do its work and end it with the tool report, with one of the codes that next names; report BL when you cannot go on.",
    `To end the whole run, the person calls \`mettle abort ${run}\` in a terminal. If you wait for the person, say so and stop again.`,
  ].join(" ");
}

/** Explains why a plan is not a design yet. @param ref address of the stored text; null: not stored */
export function planMessage(missing: readonly string[], ref: string | null): string {
  const names = missing.map((name) => `"${name}"`).join(", ");
  const kept = ref === null ? "" : ` Its text is kept: \`mettle show ${ref}\`.`;
  return `Mettle: the plan needs the headings "Architecture Design", "Module Specifications" and "Tech Stack", each with text below it. Missing: ${names}.${kept} Add what is missing and leave plan mode again.`;
}
