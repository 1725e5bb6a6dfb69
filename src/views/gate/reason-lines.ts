const max = 12;

/** A gate's reasons as an indented list; a long list ends with the number of omitted ones. */
export function reasonLines(reasons: readonly string[]): readonly string[] {
  const shown = reasons.slice(0, max).map((reason) => `    - ${reason.split("\n").join("\n      ")}`);
  return reasons.length > max ? [...shown, `    … and ${reasons.length - max} more`] : shown;
}
