// The outcomes of a run as lines of text, so that two runs can be compared; times are no part of them.
const gap = " | ";

/**
 * @returns {string[]} for each judged scenario `KIND | RUNNER | ROLE | OUTCOME | ALONE | CHECKS`, in the order of the suite. ROLE
 *   names the control that was switched off; ALONE is the outcome by the exit code alone, CHECKS what named a
 *   cheat; `-` is nothing
 */
export function outcomesOf({ results, ablations }) {
  return [
    ...results.map((one) => lineOf(one, null)),
    ...Object.entries(ablations).flatMap(([control, judged]) =>
      judged.results.map((one) => lineOf(one, control)),
    ),
  ];
}

/** @param {string | null} control the one that was switched off */
export function lineOf({ kind, runner, role, outcome, alone, checks }, control) {
  const whose = control === null ? role : `${role} without ${control}`;
  return [kind, runner, whose, outcome, alone ?? "-", checks.join(", ") || "-"].join(gap);
}

/**
 * @param {string[]} before lines of an earlier run
 * @param {string[]} after
 * @param {{whole: boolean}} options whether both runs judged everything, so that a missing line is a difference
 * @returns {{outcomes: string[], checks: string[]}} differences of outcomes, and of the checks alone
 */
export function differencesOf(before, after, { whole }) {
  const [old, now] = [before, after].map((lines) => new Map(lines.map(partsOf)));
  const keys = [...now.keys(), ...(whole ? [...old.keys()].filter((key) => !now.has(key)) : [])];
  const differing = (part) =>
    keys
      .filter((key) => old.get(key)?.[part] !== now.get(key)?.[part])
      .map(
        (key) =>
          `${key}: ${old.get(key)?.[part] ?? "not judged"} before, ${now.get(key)?.[part] ?? "not judged"} now`,
      );
  return { outcomes: differing("outcome"), checks: differing("checks") };
}

function partsOf(line) {
  const [kind, runner, role, outcome, alone, checks] = line.split(gap);
  return [[kind, runner, role].join(", "), { outcome: `${outcome} (exit code alone: ${alone})`, checks }];
}
