/** The transcript of a conversation, for an agent that can neither continue nor fork it (V3-47). */
import { counted } from "../../lib/counted.ts";
import type { Payloads } from "../../journal/payloads.ts";
import type { RunView } from "../../log/run-view.ts";

/** One message of a dispatch, with the address of its text. */
export interface TranscriptLine {
  readonly key: string;
  readonly who: string;
  readonly ref: string;
}

/** Max characters of the transcript in a prompt. */
export const maxTranscriptChars = 32_000;

/** All messages that the dispatch's agent knew at its end, oldest first, those of the forked conversation included. */
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
  const output = view.outputs[key];
  return [
    { key, who: `To ${role}`, ref: message },
    ...(output === undefined ? [] : [{ key, who: `From ${role}`, ref: output }]),
  ];
}

/** Puts the transcript before the message of a dispatch. */
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
    "# Earlier conversation",
    `This conversation goes on from another one. Its messages follow, oldest first; they are past, and your present task is below them, after the line "${boundary}".`,
    ...(cut === "" ? [] : [cut]),
    ...kept,
    boundary,
    message,
  ].join("\n\n");
}

const boundary = "--- end of the earlier conversation ---";

/** Keeps the newest whole messages within `max` characters, or the end of the newest if it alone is too long. */
export function keepNewest(
  texts: readonly string[],
  max: number,
): { readonly kept: readonly string[]; readonly cut: string } {
  let room = max;
  let first = texts.length;
  while (first > 0 && (texts[first - 1]?.length ?? 0) <= room) room -= texts[--first]?.length ?? 0;
  if (first === 0) return { kept: texts, cut: "" };
  const kept = texts.slice(first);
  const left = texts.slice(0, first).reduce((sum, { length }) => sum + length, 0);
  const newest = texts.at(-1) ?? "";
  if (kept.length === 0)
    return {
      kept: [newest.slice(-max)],
      cut: `(Cut here: the beginning of the last message and all before it, ${left - max} characters, are left out.)`,
    };
  return {
    kept,
    cut: `(Cut here: the first ${first} of ${counted(texts.length, "message")}, ${counted(left, "character")}, are left out.)`,
  };
}
