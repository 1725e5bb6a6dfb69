/**
 * Readable messages for zod issues: the path, the expected and the actual value. Loading this module sets them for all
 * schemas; custom messages of a schema are kept.
 */
import * as z from "zod";
import { nearest } from "./nearest.ts";

type Issue = z.core.$ZodIssue;

z.config({ localeError: (issue) => plainWords(issue as Issue) });

/** `questions.0.id: expected a text, got the number 7`. @param within prefix of the path, e.g. `payload` */
export function issueText(issue: Issue, within = ""): string {
  const { path, message } = relevantIssue(issue);
  const place = [...(within === "" ? [] : [within]), ...path.map(String)].join(".");
  return place === "" ? message : `${place}: ${message}`;
}

/** All issues of an error in one line. */
export function issuesText({ issues }: z.ZodError, within = ""): string {
  return issues.map((issue) => issueText(issue, within)).join("; ");
}

/** The issue to report: for a union, the issue inside the alternative whose outer type fits, if there is one. */
export function relevantIssue(issue: Issue): {
  readonly path: readonly PropertyKey[];
  readonly message: string;
} {
  const inside = issue.code === "invalid_union" ? closestAlternative(issue.errors) : null;
  if (inside === null) return issue;
  const { path, message } = relevantIssue(inside);
  return { path: [...issue.path, ...path], message };
}

function closestAlternative(alternatives: readonly (readonly Issue[])[]): Issue | null {
  const fitting = alternatives.filter((issues) => !issues.some(({ path }) => path.length === 0));
  return fitting.toSorted((one, other) => one.length - other.length)[0]?.[0] ?? null;
}

function plainWords(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return `expected ${typeName(issue.expected)}, got ${describeValue(issue.input)}`;
    case "invalid_value":
      return `expected ${issue.values.map(String).join(" or ")}, got ${describeValue(issue.input)}`;
    case "unrecognized_keys":
      return unknownKeys(issue);
    case "invalid_union":
      return unionWords(issue);
    case "too_small":
      return `expected ${boundText(issue, issue.inclusive === false ? "more than" : "at least", issue.minimum)}`;
    case "too_big":
      return `expected ${boundText(issue, issue.inclusive === false ? "less than" : "at most", issue.maximum)}`;
    case "not_multiple_of":
      return `expected a multiple of ${issue.divisor}, got ${describeValue(issue.input)}`;
    case "invalid_key":
    case "invalid_element":
      return issue.issues[0]?.message ?? "is not valid";
    case "invalid_format":
      return `${describeValue(issue.input)} is no valid ${issue.format === "regex" ? "text here" : issue.format}`;
    default:
      return "is not valid";
  }
}

/** Readable name of a schema type: `a text`. */
export function typeName(expected: string): string {
  switch (expected) {
    case "object":
    case "record":
    case "map":
      return "a mapping";
    case "array":
    case "tuple":
      return "a list";
    case "string":
      return "a text";
    case "number":
      return "a number";
    case "int":
      return "a whole number";
    case "boolean":
      return "true or false";
    case "null":
    case "undefined":
    case "never":
      return "nothing";
    default:
      return expected;
  }
}

/** Readable value: `the text "x"`; `nothing` if it is missing. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a mapping";
  if (typeof value === "string") return `the text ${JSON.stringify(value.slice(0, 60))}`;
  // NaN is a number, and bigint does not exist in JSON.
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean")
    return `the ${typeof value} ${value}`;
  return `a ${typeof value}`;
}

function unknownKeys({
  keys,
  inst,
}: Extract<Issue, { code: "unrecognized_keys" }> & { readonly inst?: unknown }): string {
  const known = inst instanceof z.ZodObject ? Object.keys(inst.shape) : [];
  return keys
    .map((key) => {
      const near = nearest(key, known);
      const guess = near === null ? "" : `, did you mean ${near}?`;
      return `there is no ${JSON.stringify(key)} here${guess}`;
    })
    .join("; ");
}

function unionWords(issue: Extract<Issue, { code: "invalid_union" }>): string {
  const options = "options" in issue && Array.isArray(issue.options) ? issue.options.map(String) : [];
  const names = issue.errors.flat().flatMap((inner) => {
    if (inner.path.length > 0) return [];
    if (inner.code === "invalid_type") return [typeName(inner.expected)];
    return inner.code === "invalid_value" ? inner.values.map(String) : [];
  });
  const expected = [...new Set([...options, ...names])];
  if (expected.length === 0) return `${describeValue(issue.input)} is none of what may stand here`;
  return `expected ${expected.join(" or ")}, got ${describeValue(issue.input)}`;
}

type SizeIssue = Extract<Issue, { code: "too_small" | "too_big" }>;

function boundText({ origin, exact, input }: SizeIssue, how: string, limit: number | bigint): string {
  const least = exact === true ? "exactly" : how;
  const sized = { string: "character", array: "item", set: "item", map: "entry" }[String(origin)];
  if (sized === undefined) return `${least} ${limit}, got ${describeValue(input)}`;
  const many = sized === "entry" ? "entries" : `${sized}s`;
  return `${least} ${limit} ${Number(limit) === 1 ? sized : many}`;
}
