/** Lines of a text or a diff. The number of a line that can be commented on is a button. */
import { useSignal } from "@preact/signals";
import type { ShownLine } from "./lines.ts";
import { addComment, canComment, comments } from "./state.ts";
import type { CommentedText } from "./wire.ts";

const signs = { plain: " ", added: "+", removed: "−", hunk: "", file: "" } as const;

export interface LinesProps {
  readonly lines: readonly ShownLine[];
  /** What they are lines of; null: nothing that can be commented on. */
  readonly of: CommentedText | null;
}

export function Lines({ lines, of }: LinesProps) {
  const writing = useSignal<number | null>(null);
  return (
    <div class="lines" role="group" aria-label="Lines">
      {lines.map((line, index) => (
        <div key={index}>
          <div class={`row ${line.kind}`}>
            <Numbers
              line={line}
              canChoose={of !== null && canComment.value}
              onChoose={() => (writing.value = writing.value === index ? null : index)}
            />
            <span class="sign">{signs[line.kind]}</span>
            <code>{line.text === "" ? " " : line.text}</code>
          </div>
          {commentsAt(of, line).map((text) => (
            <p key={text} class="said">
              {text}
            </p>
          ))}
          {writing.value === index && of !== null ? (
            <CommentForm of={of} line={line} onDone={() => (writing.value = null)} />
          ) : null}
        </div>
      ))}
    </div>
  );
}

function commentsAt(shown: CommentedText | null, { place }: ShownLine): readonly string[] {
  if (place === null) return [];
  return comments.value.flatMap(({ of, file, line, side, text }) =>
    file === place.file && line === place.line && side === place.side && isSame(of, shown) ? [text] : [],
  );
}

function isSame(one: CommentedText, other: CommentedText | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

interface NumbersProps {
  readonly line: ShownLine;
  readonly canChoose: boolean;
  readonly onChoose: () => void;
}

function Numbers({ line, canChoose, onChoose }: NumbersProps) {
  const number = line.after ?? line.before;
  if (line.place === null || !canChoose) return <span class="number">{number ?? ""}</span>;
  return (
    <button
      type="button"
      class="number"
      aria-label={`Comment on ${line.place.side === "before" ? "removed " : ""}line ${number ?? ""} of ${line.place.file}`}
      onClick={onChoose}
    >
      {number}
    </button>
  );
}

interface CommentFormProps {
  readonly of: CommentedText;
  readonly line: ShownLine;
  readonly onDone: () => void;
}

function CommentForm({ of, line, onDone }: CommentFormProps) {
  const text = useSignal("");
  const add = (): void => {
    if (line.place === null || text.value.trim() === "") return;
    addComment({ of, ...line.place, text: text.value.trim() });
    onDone();
  };
  return (
    <form class="decision" onSubmit={(event) => event.preventDefault()}>
      <label class="field">
        <span>Your comment</span>
        <textarea
          rows={2}
          ref={(element) => element?.focus()}
          value={text.value}
          onInput={({ currentTarget }) => (text.value = currentTarget.value)}
        />
      </label>
      <p class="buttons">
        <button type="button" class="yes" disabled={text.value.trim() === ""} onClick={add}>
          Add
        </button>
        <button type="button" onClick={onDone}>
          Cancel
        </button>
      </p>
    </form>
  );
}
