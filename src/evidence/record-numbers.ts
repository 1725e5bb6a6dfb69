/**
 * The ids of a run's records. A commit message names its record before the record is written, so that id is reserved before
 * the commit. Pure.
 */

/** Returns a function that gives the lowest free id on each call. */
export function freeIds(run: string, taken: Iterable<string>): () => string {
  const used = new Set(taken);
  let number = 0;
  return () => {
    do number += 1;
    while (used.has(`${run}/${number}`));
    return `${run}/${number}`;
  };
}
