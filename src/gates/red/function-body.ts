/** Where the body of a function of Go or Rust begins, in code without comments and texts. */
import { closing } from "../../source/script.ts";

/** The brace that opens the body, behind parameters and results; null where the function has none. */
export function bodyStart(code: string, from: number): number | null {
  for (let at = from; at < code.length; at++) {
    const char = code.charAt(at);
    if (char === ";") return null;
    if (char === "(" || char === "[") at = closing(code, at);
    else if (char === "{") {
      if (!/\b(?:interface|struct)\s*$/.test(code.slice(from, at))) return at;
      at = closing(code, at);
    }
  }
  return null;
}
