/** Reasons of a gate as a list under it; long lists end with how many more there are. */
export function reasonLines(reasons: readonly string[], most = 12): readonly string[] {
  const shown = reasons.slice(0, most).map((reason) => `    - ${reason.split("\n").join("\n      ")}`);
  return reasons.length > most ? [...shown, `    … and ${reasons.length - most} more`] : shown;
}
