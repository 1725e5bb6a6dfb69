/** What the agents of a run used, by their own figures: of the run, each role and each agent (CORE-58). Pure. */
import { groupBy } from "../lib/lists.ts";
import type { RunView } from "./run-view.ts";
import { addUsed, nothingUsed, type Used } from "./used.ts";

export interface Spent extends Used {
  /** Dispatches that ended. */
  readonly dispatches: number;
  /** How many of them reported no cost, so that `costUsd` is only a part. */
  readonly withoutCost: number;
}

type Dispatches = Pick<RunView, "used" | "dispatches">;

export function spentOf({ used }: Pick<RunView, "used">): Spent {
  return sumOf(Object.values(used));
}

/** Name of each role -> what its agents used. */
export function spentByRole(view: Dispatches): Readonly<Record<string, Spent>> {
  return grouped(view, ({ role }) => role);
}

/** Name of each agent -> what it used. */
export function spentByAgent(view: Dispatches): Readonly<Record<string, Spent>> {
  return grouped(view, ({ agent }) => agent);
}

function grouped(
  { used, dispatches }: Dispatches,
  nameOf: (dispatch: RunView["dispatches"][string]) => string,
): Readonly<Record<string, Spent>> {
  const named = Object.entries(used).flatMap(([key, one]) => {
    const dispatch = dispatches[key];
    return dispatch === undefined ? [] : [{ name: nameOf(dispatch), one }];
  });
  const groups = groupBy(named, ({ name }) => name);
  return Object.fromEntries([...groups].map(([name, list]) => [name, sumOf(list.map(({ one }) => one))]));
}

export function sumOf(list: readonly Used[]): Spent {
  return {
    ...list.reduce(addUsed, nothingUsed),
    dispatches: list.length,
    withoutCost: list.filter(({ costUsd }) => costUsd === null).length,
  };
}
