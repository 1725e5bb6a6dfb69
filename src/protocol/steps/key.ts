/** Keys of steps: `6.10` is the tenth step after 6, not the number 6.1. */

export interface StepKey {
  /** Without the `+`. */
  readonly key: string;
  readonly append: boolean;
}

/** Null for an invalid key: `01`, `6.`, `1e1`, or a plain `0`. */
export function readKey(text: string): StepKey | null {
  if (!/^(?:0\.[1-9]\d*|[1-9]\d*)(?:\.[1-9]\d*)*\+?$/u.test(text)) return null;
  const append = text.endsWith("+");
  return { key: append ? text.slice(0, -1) : text, append };
}

/** The integer step before a dotted one; null for integers and for steps before step 1. */
export function anchorOf(key: string): string | null {
  const [whole = "", ...rest] = key.split(".");
  return rest.length === 0 || whole === "0" ? null : whole;
}

/** Compares keys part by part as integers of any length. */
export function compareKeys(a: string, b: string): number {
  const left = a.split(".");
  const right = b.split(".");
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const [x = "", y = ""] = [left[index], right[index]];
    if (x.length !== y.length) return x.length - y.length;
    if (x !== y) return x < y ? -1 : 1;
  }
  return left.length - right.length;
}
