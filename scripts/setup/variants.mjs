// What a promise speaks of one by one. Where its sentence says "every protocol" or "each runner", a test cites the ones that
// it proves, as in `CORE-76@graph`, and the promise is proved when each of them is.

const systems = ["orchestrate", "riper", "dptr", "graph", "steps"];
const runners = ["vitest", "jest", "mocha", "node:test", "pytest", "unittest", "go", "cargo"];

/** Promise id -> the variants of which each needs a citing test. */
export const variants = {
  "CORE-17": runners.filter((name) => name !== "unittest"),
  "CORE-46": systems,
  "CORE-76": systems,
  "PRV-04": runners,
  "PRV-05": runners,
};

/** The citations that prove a promise: the id itself, or one for each of its variants. */
export function citationsOf(id) {
  return (variants[id] ?? []).length === 0 ? [id] : variants[id].map((name) => `${id}@${name}`);
}
