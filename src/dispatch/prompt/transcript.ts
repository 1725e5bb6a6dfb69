/** What was said in a conversation, as text for an agent that cannot fork it (V3-47). */
import { counted } from "../../lib/counted.ts";
import type { Payloads } from "../../journal/payloads.ts";
import type { RunView } from "../../log/run-view.ts";

/** A message of a dispatch, by its address. */
export interface TranscriptLine {
  readonly key: string;
  readonly who: string;
  readonly ref: string;
}

/** Characters of it that a prompt begins with. */
export const maxTranscriptChars = 32_000;

/** What the agent of this dispatch knew when it had ended, oldest first: what its conversation was forked from, then its own. */
export function transcriptOf(
  view: RunView,
  key: string,
  isHidden: (key: string) => boolean,
): readonly TranscriptLine[] {
  const { order, dispatches } = view;
  const spoken = dispatches[key]?.conversation;
  const own = order
    .slice(0, order.indexOf(key) + 1)
    .filter((other) => dispatches[other]?.conversation === spoken);
  const knows = dispatches[own[0] ?? key]?.knows;
  const before = knows === undefined ? [] : transcriptOf(view, knows, isHidden);
  return [...before, ...own.filter((other) => !isHidden(other)).flatMap((other) => messagesOf(view, other))];
}

function messagesOf(view: RunView, key: string): readonly TranscriptLine[] {
  const { [key]: dispatch } = view.dispatches;
  if (dispatch === undefined) return [];
  const { prompt, message = prompt, role } = dispatch;
  const said = view.said[key];
  return [
    { key, who: `${role} was told`, ref: message },
    ...(said === undefined ? [] : [{ key, who: `${role} said`, ref: said }]),
  ];
}

/** The prompt of a conversation that begins with another one: what was said there, then its own message. */
export async function withTranscript(
  payloads: Pick<Payloads, "text">,
  before: readonly TranscriptLine[],
  message: string,
): Promise<string> {
  if (before.length === 0) return message;
  const texts = await Promise.all(
    before.map(async ({ who, ref }) => `### ${who}\n\n${(await payloads.text(ref)).trim()}`),
  );
  const { kept, cut } = keepNewest(texts, maxTranscriptChars);
  return [
    "# What was said before",
    `This conversation goes on from another one. Its messages follow, oldest first; they are past, and what you are asked now stands below them, after the line "${boundary}".`,
    ...(cut === "" ? [] : [cut]),
    ...kept,
    boundary,
    message,
  ].join("\n\n");
}

const boundary = "--- end of what was said before ---";

/** Whole messages from the newest back; of one that is too long by itself its end. */
export function keepNewest(
  texts: readonly string[],
  most: number,
): { readonly kept: readonly string[]; readonly cut: string } {
  let room = most;
  let first = texts.length;
  while (first > 0 && (texts[first - 1]?.length ?? 0) <= room) room -= texts[--first]?.length ?? 0;
  if (first === 0) return { kept: texts, cut: "" };
  const kept = texts.slice(first);
  const left = texts.slice(0, first).reduce((sum, { length }) => sum + length, 0);
  const newest = texts.at(-1) ?? "";
  if (kept.length === 0)
    return {
      kept: [newest.slice(-most)],
      cut: `(Cut here: the beginning of the last message and all before it, ${left - most} characters, are left out.)`,
    };
  return {
    kept,
    cut: `(Cut here: the first ${first} of ${counted(texts.length, "message")}, ${counted(left, "character")}, are left out.)`,
  };
}
