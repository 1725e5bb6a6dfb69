/** Assertions of Python with a tolerance; see tolerance.ts. */
import { toleranceWeakness } from "./tolerance.ts";

type Found = ReturnType<typeof toleranceWeakness>;

const number = String.raw`-?\d[\d_]*(?:\.\d*)?(?:e[+-]?\d+)?`;
const approx = new RegExp(String.raw`^(?:pytest\s*\.\s*)?approx\s*\(\s*(${number})\s*,(.*)\)$`, "is");
const isClose = new RegExp(String.raw`^(?:math\s*\.\s*)?isclose\s*\(.*,\s*(${number})\s*,(.*=.*)\)$`, "is");
const distance = new RegExp(String.raw`^abs\s*\(.*\s-\s*(${number})\s*\)\s*<=?\s*(${number})$`, "is");
const distanceFrom = new RegExp(String.raw`^abs\s*\(\s*(${number})\s*-\s.*\)\s*<=?\s*(${number})$`, "is");
const wholeNumber = new RegExp(`^${number}$`, "i");
const named = new RegExp(String.raw`(?:^|,)\s*(\w+)\s*=\s*(${number})\s*(?=,|$)`, "gi");

/** `… == pytest.approx(expected, abs=…)`. */
export function ofApproximation(expected: string): Found {
  const [, value, options = ""] = approx.exec(expected) ?? [];
  return value === undefined ? null : ofOptions(value, options, { relative: "rel", absolute: "abs" });
}

/** `math.isclose(…)` and `abs(… - expected) < tolerance`. */
export function ofDistance(condition: string): Found {
  const [, value, options = ""] = isClose.exec(condition) ?? [];
  if (value !== undefined) return ofOptions(value, options, { relative: "rel_tol", absolute: "abs_tol" });
  const [, expected, tolerance] = distance.exec(condition) ?? distanceFrom.exec(condition) ?? [];
  return expected === undefined || tolerance === undefined
    ? null
    : toleranceWeakness(numberOf(expected), numberOf(tolerance));
}

/** `assertAlmostEqual(actual, expected, places=…)`, or with `delta`. */
export function ofAlmostEqual(expected: string, options: readonly string[]): Found {
  if (!wholeNumber.test(expected)) return null;
  const [places] = options.filter((one) => wholeNumber.test(one));
  const all = options.join(",");
  const digits = option(all, "places") ?? (places === undefined ? 7 : numberOf(places));
  return toleranceWeakness(numberOf(expected), option(all, "delta") ?? 10 ** -digits / 2);
}

function ofOptions(
  value: string,
  options: string,
  names: { readonly relative: string; readonly absolute: string },
): Found {
  const expected = numberOf(value);
  const relative = (option(options, names.relative) ?? 0) * Math.abs(expected);
  return toleranceWeakness(expected, Math.max(relative, option(options, names.absolute) ?? 0));
}

function option(options: string, name: string): number | undefined {
  const [, , found] = [...options.matchAll(named)].find(([, own]) => own === name) ?? [];
  return found === undefined ? undefined : numberOf(found);
}

function numberOf(text: string): number {
  return Number(text.replaceAll("_", ""));
}
