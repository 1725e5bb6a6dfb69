import { failed, shortList, passed } from "./check.ts";
import type { Check } from "./verdict.ts";

/** Fails on changed links and submodules that lead out of the commit: their frozen or judged content would not be what runs. */
export function checkLinks(leaving: readonly string[]): Check {
  if (leaving.length === 0) return passed("links");
  return failed("links", `a link must not leave the tree: ${shortList(leaving)}`);
}
