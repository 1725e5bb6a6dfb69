/** The dialogues of a run, oldest first: part of its read model. Pure. */
import type { EventOf } from "./run-event.ts";

export type DialogueEntry = Omit<EventOf<"session.opened">, "type"> & { readonly open: boolean };

export function openDialogue(
  entries: readonly DialogueEntry[],
  { session, kind }: EventOf<"session.opened">,
): DialogueEntry[] {
  return [...entries, { session, kind, open: true }];
}

export function closeDialogue(
  entries: readonly DialogueEntry[],
  { session }: EventOf<"session.closed">,
): DialogueEntry[] {
  return entries.map((entry) => (entry.session === session ? { ...entry, open: false } : entry));
}
