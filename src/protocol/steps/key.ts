/** Numbers of steps as they are written: `6.10` is the tenth step after 6, never the number 6.1. */

export interface StepKey {
  /** Without the `+`. */
  readonly key: string;
  readonly append: boolean;
}

/** Null for what is no number of a step: `01`, `6.`, `1e1`, and `0` alone, which has no place. */
export function readKey(text: string): StepKey | null {
  if (!/^(?:0\.[1-9]\d*|[1-9]\d*)(?:\.[1-9]\d*)*\+?$/u.test(text)) return null;
  const append = text.endsWith("+");
  return { key: append ? text.slice(0, -1) : text, append };
}

/** The whole-number step after which a dotted one comes; null for whole numbers and for what comes before step 1. */
export function anchorOf(key: string): string | null {
  const [whole = "", ...rest] = key.split(".");
  return rest.length === 0 || whole === "0" ? null : whole;
}

/** Part by part, as numbers of any length. */
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
