/** What an implementation is asked beside its tests (V3-34, 35): nothing unimplemented left, and the interface as it was. */
import { failed, listed, passed } from "../check.ts";
import type { Hashes } from "../suite/frozen.ts";
import { freshMarkers, markersIn } from "./node-markers.ts";
import type { Check } from "../verdict.ts";

export interface MarkerFacts {
  /** Source files of the target, now and on the commit that the run began on. */
  readonly now: ReadonlyMap<string, string>;
  readonly before: ReadonlyMap<string, string>;
}

export function checkMarkers({ now, before }: MarkerFacts): Check {
  const all = (texts: ReadonlyMap<string, string>) =>
    [...texts].flatMap(([path, text]) => markersIn(path, text));
  const left = freshMarkers(all(now), all(before));
  if (left.length === 0) return passed("implemented");
  return failed(
    "implemented",
    `still not implemented: ${listed(left.map(({ path, line, what }) => `${path}:${line}: ${what}`))}`,
  );
}

/** Contract suite and interfaces, its own and those above it, by content hash. */
export function checkInterface(scaffold: Hashes, now: Hashes): Check {
  const changed = Object.keys(scaffold).flatMap((path) =>
    now[path] === scaffold[path] ? [] : [`${now[path] === undefined ? "deleted" : "changed"} ${path}`],
  );
  if (changed.length === 0) return passed("interface");
  return failed(
    "interface",
    `the interface stays as the scaffold laid it, put these files back: ${listed(changed)}`,
  );
}

/** How an attempt ended that did not pass (V3-54). */
export function outcomeOf(tests: {
  readonly failing: number;
  readonly all: number;
  /** Failing in the attempt before, all of them before the first. */
  readonly before: number;
  readonly reason: string;
}): string {
  const { failing, all, before, reason } = tests;
  return failing < before ? `partial: ${failing} of ${all} failing tests left` : `failed: ${reason}`;
}
