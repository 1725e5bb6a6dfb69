import { failed, listed, passed } from "./check.ts";
import type { Check } from "./verdict.ts";

/** Changed links and submodules whose content lies outside the commit: what is frozen or judged would not be what runs. */
export function checkLinks(leaving: readonly string[]): Check {
  if (leaving.length === 0) return passed("links");
  return failed("links", `a link must not leave the tree: ${listed(leaving)}`);
}
