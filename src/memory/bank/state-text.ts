/** Renders the state in σ₄: one field per line with its value as JSON, so that no text can look like another field. Pure. */
import type { ActiveState } from "./active-state.ts";

/** Lines such as `- plan_approved: true`, in the order of the fields. */
export function stateText(state: ActiveState): string {
  return Object.entries(state)
    .map(([name, value]) => `- ${name}: ${oneLine(value)}`)
    .join("\n");
}

/** Escapes the characters that begin a comment or a reference. */
function oneLine(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<\u2028\u2029\u0085]|\[(?=\u2197|->)/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
