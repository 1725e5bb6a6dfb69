/** Checks of an implementation besides its tests (V3-34, V3-35): no stub is left, and the interface is unchanged. */
import { freshMarks } from "../../source/test-marks-javascript.ts";
import { failed, shortList, passed } from "../check.ts";
import type { Hashes } from "../suite/frozen.ts";
import { markersIn } from "./node-markers.ts";
import type { Check } from "../verdict.ts";

export interface MarkerFacts {
  /** Source files of the target, now and on the run's base commit. */
  readonly now: ReadonlyMap<string, string>;
  readonly before: ReadonlyMap<string, string>;
}

export function checkMarkers({ now, before }: MarkerFacts): Check {
  const all = (texts: ReadonlyMap<string, string>) =>
    [...texts].flatMap(([path, text]) => markersIn(path, text));
  const left = freshMarks(all(now), all(before));
  if (left.length === 0) return passed("implemented");
  return failed(
    "implemented",
    `still not implemented: ${shortList(left.map(({ path, line, what }) => `${path}:${line}: ${what}`))}`,
  );
}

/** Compares content hashes of the contract suite and of the interfaces, its own and its ancestors'. */
export function checkInterface(scaffold: Hashes, now: Hashes): Check {
  const changed = Object.keys(scaffold).flatMap((path) =>
    now[path] === scaffold[path] ? [] : [`${now[path] === undefined ? "deleted" : "changed"} ${path}`],
  );
  if (changed.length === 0) return passed("interface");
  return failed(
    "interface",
    `the scaffold's interface must not change, restore these files: ${shortList(changed)}`,
  );
}

/** The outcome of an attempt that did not pass (V3-54). */
export function outcomeOf(tests: {
  readonly failing: number;
  readonly all: number;
  /** Number of failing tests in the previous attempt; all of them before the first. */
  readonly before: number;
  readonly reason: string;
}): string {
  const { failing, all, before, reason } = tests;
  return failing < before ? `partial: ${failing} of ${all} failing tests left` : `failed: ${reason}`;
}
