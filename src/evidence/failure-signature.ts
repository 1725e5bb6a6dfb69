/** Recognises two runs that failed in the same way: "same error twice" (ORC-72). Pure. */
import { canonicalJson, sha256 } from "../lib/hash.ts";
import type { TestReport } from "./test-result.ts";

/**
 * Equal for the same failing tests and files with the same messages; line numbers, times, paths, addresses and other
 * changing numbers are ignored. Null when nothing failed, so that it never equals another signature.
 */
export function failureSignature(report: TestReport): string | null {
  const failing = report.tests
    .filter(({ status }) => status === "failed" || status === "pending")
    .map(({ id, kind, message }) => [id, kind ?? "", normaliseMessage(message)]);
  const broken = report.loadErrors.map(({ file, message }) => [file, "load", normaliseMessage(message)]);
  const problems = report.problems.map(({ code, file, message }) => [
    file ?? "",
    code,
    normaliseMessage(message),
  ]);
  const all = [...failing, ...broken, ...problems].map((part) => canonicalJson(part)).sort();
  return all.length === 0 ? null : sha256(canonicalJson(all));
}

const replacements: readonly (readonly [RegExp, string])[] = [
  // eslint-disable-next-line no-control-regex
  [/\u001b\[[0-?]*[ -/]*[@-~]/g, ""],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<id>"],
  [/\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?(?:Z|[+-]\d{2}:?\d{2}))?)?/g, "<time>"],
  [/\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?(?: ?[AP]M)?\b/gi, "<time>"],
  [/\b(?:file|https?|wss?):\/\/[^\s'"`)\]}>]+/gi, "<address>"],
  [/(?:\b(?:\d{1,3}\.){3}\d{1,3}|\blocalhost|\[[0-9a-f:]*::[0-9a-f]*\]|:::?)(?::\d{2,5})\b/gi, "<address>"],
  [/\b(?:\d{1,3}\.){3}\d{1,3}\b/g, "<address>"],
  // Absolute paths of two parts or more, and relative paths whose last part has an extension.
  [/(?<![\w/.])(?:[A-Za-z]:)?(?:[\\/][^\s\\/:'"`()[\]{}<>,;]+){2,}[\\/]?(?::\d+){0,2}/g, "<path>"],
  [/(?<![\w/])(?:\.{0,2}[\\/])?(?:[\w@.-]+[\\/])+[\w@.-]*\.[a-z]\w{0,4}(?::\d+){0,2}\b/gi, "<path>"],
  [/(\.[a-z]\w{0,4}):\d+(?::\d+)?\b/gi, "$1"],
  [/\b(line|lines|column|col|port|pid|process)([ :=]+)\d+(?:[:-]\d+)?/gi, "$1$2<n>"],
  [/\b0x[0-9a-f]+\b/gi, "<hex>"],
  // Hashes: seven or more characters with both digits and letters.
  [/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,}\b/gi, "<hex>"],
  [/\b\d+(?:\.\d+)? ?(?:ns|\u00b5s|us|ms|s|sec|seconds?|min|minutes?|milliseconds?)\b/gi, "<time>"],
  [/\s+/g, " "],
];

/** Replaces the parts of a message that differ between runs. */
export function normaliseMessage(message: string): string {
  return replacements.reduce((text, [pattern, by]) => text.replace(pattern, by), message).trim();
}
