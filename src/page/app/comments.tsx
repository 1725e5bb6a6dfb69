/** The comments on lines that go with a rejection. */
import { comments, isEarlier, removeComment } from "./state.ts";

export function CommentList() {
  if (comments.value.length === 0)
    return (
      <p class="aside">To comment on a line, open a document or a change below and choose its number.</p>
    );
  return (
    <ul class="comments" aria-label="Your comments">
      {comments.value.map((comment) => (
        <li key={`${comment.file}:${comment.line}:${comment.side}:${comment.text}`}>
          <span class="place">
            {comment.file}:{comment.line}
          </span>{" "}
          {comment.text}{" "}
          {isEarlier(comment) ? (
            <span class="aside">
              Written for an earlier version; it counts only if its line is still the same.{" "}
            </span>
          ) : null}
          <button type="button" class="quiet" onClick={() => removeComment(comment)}>
            Remove
          </button>
        </li>
      ))}
    </ul>
  );
}
