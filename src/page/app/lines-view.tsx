/** Lines of a text or a diff. The number of a line that can be commented on is a button. */
import { useSignal } from "@preact/signals";
import type { ShownLine } from "./lines.ts";
import { addComment, canComment, comments } from "./state.ts";

const signs = { plain: " ", added: "+", removed: "−", hunk: "", file: "" } as const;

export function Lines({ lines }: { readonly lines: readonly ShownLine[] }) {
  const writing = useSignal<number | null>(null);
  return (
    <div class="lines" role="group" aria-label="Lines">
      {lines.map((line, index) => (
        <div key={index}>
          <div class={`row ${line.kind}`}>
            <Numbers line={line} onChoose={() => (writing.value = writing.value === index ? null : index)} />
            <span class="sign">{signs[line.kind]}</span>
            <code>{line.text === "" ? " " : line.text}</code>
          </div>
          {commentsAt(line).map((text) => (
            <p key={text} class="said">
              {text}
            </p>
          ))}
          {writing.value === index ? <CommentForm line={line} onDone={() => (writing.value = null)} /> : null}
        </div>
      ))}
    </div>
  );
}

function commentsAt({ place }: ShownLine): readonly string[] {
  if (place === null) return [];
  return comments.value.flatMap(({ file, line, text }) =>
    file === place.file && line === place.line ? [text] : [],
  );
}

function Numbers({ line, onChoose }: { readonly line: ShownLine; readonly onChoose: () => void }) {
  const number = line.after ?? line.before;
  if (line.place === null || !canComment.value) return <span class="number">{number ?? ""}</span>;
  return (
    <button
      type="button"
      class="number"
      aria-label={`Comment on line ${number ?? ""} of ${line.place.file}`}
      onClick={onChoose}
    >
      {number}
    </button>
  );
}

function CommentForm({ line, onDone }: { readonly line: ShownLine; readonly onDone: () => void }) {
  const text = useSignal("");
  const add = (): void => {
    if (line.place === null || text.value.trim() === "") return;
    addComment({ ...line.place, quote: line.text.slice(0, 500), text: text.value.trim() });
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
