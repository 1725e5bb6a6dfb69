/** Whether a version is at least another one; compares numbers only. */
export function isAtLeast(version: string, oldest: string): boolean {
  const [own, wanted] = [version, oldest].map((text) => text.split(/[-+]/)[0]?.split(".").map(Number) ?? []);
  for (let at = 0; at < 3; at += 1) {
    const by = (own?.[at] ?? 0) - (wanted?.[at] ?? 0);
    if (by !== 0) return by > 0;
  }
  return true;
}
