// The variants of promises about "every protocol" or "each runner". A test cites the variants that it proves, as in
// `CORE-76@graph`; the promise is proved when all its variants are.

const systems = ["orchestrate", "riper", "dptr", "graph", "steps"];
const runners = ["vitest", "jest", "mocha", "node:test", "pytest", "unittest", "go", "cargo"];

/** Promise id -> its variants, each of which needs a citing test. */
export const variants = {
  "CORE-17": runners.filter((name) => name !== "unittest"),
  "CORE-30": ["vitest", "jest", "mocha", "node:test", "pytest"],
  "CORE-46": systems,
  "CORE-76": systems,
  "PRV-04": runners,
  "PRV-05": runners,
};

/** The citations that prove a promise: the id itself, or one for each of its variants. */
export function citationsOf(id) {
  return (variants[id] ?? []).length === 0 ? [id] : variants[id].map((name) => `${id}@${name}`);
}
