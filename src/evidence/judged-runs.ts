/** Which test runs a gate judges, and which are of the commit before the change. Pure. */

/** The runs named e.g. `red.tests`: the last one of each package. */
export function judgedRuns<Run extends { readonly purpose: string; readonly cwd: string }>(
  runs: readonly Run[],
  gate: string,
): readonly Run[] {
  const own = runs.filter(({ purpose }) => purpose === `${gate}.tests`);
  return [...new Map(own.map((run) => [run.cwd, run])).values()];
}

/** `baseline`, and `baseline.again` where an old test was lost. */
export function isRunOfBase(purpose: string): boolean {
  return purpose.startsWith("baseline");
}
