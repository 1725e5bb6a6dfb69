/** A text or a diff over the page, read from the server in parts. */
import { signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { fetchDiff, fetchText, type Asked } from "./api.ts";
import { Dialog } from "./dialog.tsx";
import { linesOfDiff, linesOfText, type ShownLine } from "./lines.ts";
import { Lines } from "./lines-view.tsx";
import { canComment, opened, place, type Opened } from "./state.ts";
import type { CommentedText, TextPart, WireError } from "./wire.ts";

export function OpenedDialog() {
  const shown = opened.value;
  const at = place.value;
  if (shown === null || at === null) return null;
  return (
    <Dialog title={shown.title} onClose={() => (opened.value = null)}>
      <OpenedText key={shown.title} shown={shown} repository={at.repository} />
    </Dialog>
  );
}

/** How much of a long text is drawn; more on demand. */
const firstLines = 2_000;

function OpenedText({ shown, repository }: { readonly shown: Opened; readonly repository: string }) {
  const text = useSignal<string | null>(null);
  const rest = useSignal<number | null>(null);
  const error = useSignal<WireError | null>(null);
  const max = useSignal(firstLines);

  const read = async (from: number): Promise<void> => {
    const asked: Asked<TextPart> =
      shown.type === "text"
        ? await fetchText(repository, shown.address, from)
        : await fetchDiff(repository, { commit: shown.commit, from: shown.from });
    if (asked.type === "failed") {
      error.value = asked.error;
      return;
    }
    const { text: part, to, total } = asked.value;
    text.value = `${text.value ?? ""}${part}`;
    rest.value = to < total ? to : null;
  };
  useEffect(() => void read(0), []);

  if (error.value !== null)
    return (
      <p class="refusal" role="alert">
        {error.value.message}. {error.value.hint}
      </p>
    );
  if (text.value === null) return <p class="none">Loading.</p>;
  const lines = linesFor(shown, text.value);
  const isCut = rest.value !== null;
  const next = rest.value;
  return (
    <>
      {canComment.value && lines.some(({ place: of }) => of !== null) ? (
        <p class="aside">Choose the number of a line to comment on it; comments go with your rejection.</p>
      ) : null}
      {lines.length === 0 ? <p class="none">Nothing is changed.</p> : null}
      <Lines lines={lines.slice(0, max.value)} of={commentedText(shown)} />
      {lines.length > max.value ? (
        <button type="button" onClick={() => (max.value += 10 * firstLines)}>
          Show {lines.length - max.value} more lines
        </button>
      ) : null}
      {isCut && lines.length <= max.value ? (
        shown.type === "text" && next !== null ? (
          <button type="button" onClick={() => void read(next)}>
            Read the next part
          </button>
        ) : (
          <p class="rest">The change is longer; git shows all of it.</p>
        )
      ) : null}
    </>
  );
}

/** An agent's output or a prompt cannot be commented on. */
function commentedText(shown: Opened): CommentedText | null {
  if (shown.type === "diff") return { type: "diff", commit: shown.commit, from: shown.from };
  return shown.file === null ? null : { type: "document", ref: shown.address };
}

const parsed = signal<{
  readonly text: string;
  readonly shown: Opened;
  readonly lines: readonly ShownLine[];
} | null>(null);

function linesFor(shown: Opened, text: string): readonly ShownLine[] {
  const known = parsed.peek();
  if (known?.text === text && known.shown === shown) return known.lines;
  const lines = shown.type === "diff" ? linesOfDiff(text) : linesOfText(text, shown.file);
  parsed.value = { text, shown, lines };
  return lines;
}
