/** The test runs that a gate judges, e.g. `red.tests`: the last one of each package. Pure. */
export function judgedRuns<Run extends { readonly purpose: string; readonly cwd: string }>(
  runs: readonly Run[],
  gate: string,
): readonly Run[] {
  const own = runs.filter(({ purpose }) => purpose === `${gate}.tests`);
  return [...new Map(own.map((run) => [run.cwd, run])).values()];
}
