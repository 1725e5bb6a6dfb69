/**
 * What each of several tries was refused for, one line each; tries in a row with the same reason share a line.
 * @param reasons of the tries, the first one first
 */
export function triesText(reasons: readonly string[]): readonly string[] {
  return reasons.flatMap((reason, first) => {
    if (reason === reasons[first - 1]) return [];
    const next = reasons.findIndex((other, at) => at > first && other !== reason);
    const last = next === -1 ? reasons.length : next;
    const which = last === first + 1 ? `attempt ${last}` : `attempts ${first + 1} to ${last}`;
    return [`${which}: ${reason}`];
  });
}
