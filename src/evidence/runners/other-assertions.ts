/**
 * Whether a test file asserts by more than `expect`, of which alone vitest counts the calls: by `assert` of node, of chai or
 * of vitest itself, a helper named after it, or `value.should`. What its tests assert is then seen in their text alone.
 */
export function assertsElsewhere(text: string): boolean {
  return /(?<![\p{L}\p{N}_$.])(?:[\p{L}\p{N}_$]+A|a)ssert[\p{L}\p{N}_$]*\s*[.(]|\.\s*should\s*[.(]/u.test(
    text,
  );
}
