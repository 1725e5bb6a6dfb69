import { canonicalJson, sha256 } from "../../lib/hash.ts";
import type { Opening } from "./gate-files.ts";

/** Binds an answer to the question that was shown, with the state of the work that it is about. */
export function openingHash({ shown, template }: Opening): string {
  return sha256(canonicalJson({ shown, template }));
}
