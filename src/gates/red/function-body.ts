/** Finds the start of a Go or Rust function body, in code without comments and strings. */
import { closing } from "../../source/script.ts";

/** Index of the opening brace after parameters and results; null where the function has no body. */
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
