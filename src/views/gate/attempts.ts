/**
 * One line with the reason of each refused attempt; consecutive attempts with the same reason share a line.
 * @param reasons in order of the attempts
 */
export function attemptsText(reasons: readonly string[]): readonly string[] {
  return reasons.flatMap((reason, first) => {
    if (reason === reasons[first - 1]) return [];
    const next = reasons.findIndex((other, at) => at > first && other !== reason);
    const last = next === -1 ? reasons.length : next;
    const which = last === first + 1 ? `attempt ${last}` : `attempts ${first + 1} to ${last}`;
    return [`${which}: ${reason}`];
  });
}
