/**
 * Which numbers the records of a run have. A commit's message names the record that will be about it, so the number is
 * reserved before the commit is made, and no other record takes it. Pure.
 */

/** Gives the lowest ids of a run that are not taken, one after the other. */
export function freeIds(run: string, taken: Iterable<string>): () => string {
  const used = new Set(taken);
  let number = 0;
  return () => {
    do number += 1;
    while (used.has(`${run}/${number}`));
    return `${run}/${number}`;
  };
}
