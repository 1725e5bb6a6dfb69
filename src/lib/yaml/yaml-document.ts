/**
 * Parses YAML into a validated value and reports all faults at once with `file:line:column`. Handles syntax, encoding,
 * aliases and positions; the schema validates the values.
 */
import type { YamlPosition, YamlPath, YamlFault } from "./yaml-fault.ts";
import { LineCounter, parseDocument, visit, type Document } from "yaml";
import type * as z from "zod";
import { AppError } from "../errors.ts";
import { issueFaults } from "./yaml-issues.ts";
import { syntaxMessage } from "./yaml-syntax.ts";
import { aliasTargets, locate, readTree } from "./yaml-tree.ts";

export interface YamlSource {
  /** The name shown in positions. */
  readonly file: string;
  readonly text: string | Uint8Array;
}

export type YamlErrorCode =
  | "protocol_invalid"
  | "config_invalid"
  | "bad_setting"
  | "cassette_invalid"
  | "spec_invalid"
  | "path_refused"
  // steps protocols
  | "invalid_yaml"
  | "invalid_schema"
  | "invalid_step_key"
  | "duplicate_step"
  | "append_to_missing_step"
  | "insert_without_step"
  | "unknown_step_reference"
  | "unknown_base"
  | "extends_cycle";

/** A value with the positions of its parts. */
export interface YamlDocument<T> {
  readonly file: string;
  readonly value: T;
  /** The value before the schema changed it. */
  readonly raw: unknown;
  /** Start of the value at this path, or of the nearest enclosing one. */
  at(path: YamlPath): YamlPosition;
  /** Position of the key of this path; for a list item, start of the item. */
  keyAt(path: YamlPath): YamlPosition;
}

/** A schema, or a function that chooses one by the raw value and may throw an AppError. */
export type SchemaChoice<T> = z.ZodType<T> | ((raw: unknown) => z.ZodType<T>);

const mib = 1024 * 1024;

/**
 * Parses and validates. @throws AppError with all faults in `detail.faults`
 * Without `uniqueKeys`, duplicate keys are allowed, for callers that have reported them already.
 */
export function parseYaml<T>(
  source: YamlSource,
  schema: SchemaChoice<T>,
  code: YamlErrorCode,
  {
    uniqueKeys = true,
    mostBytes: maxBytes = mib,
  }: { readonly uniqueKeys?: boolean; readonly mostBytes?: number } = {},
): YamlDocument<T> {
  const text = decode(source, code, maxBytes);
  const lines = new LineCounter();
  const options = { stringKeys: true, prettyErrors: false, lineCounter: lines, uniqueKeys };
  const document = parseDocument(text, options);
  const position = (offset: number): YamlPosition => {
    const { line, col } = lines.linePos(Math.min(offset, text.length));
    return { file: source.file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const fault = (offset: number, message: string): YamlFault => ({ ...position(offset), path: [], message });

  const faults = document.errors.map((error) =>
    fault(
      error.code === "MISSING_CHAR" ? quoteBefore(document, error.pos[0]) : error.pos[0],
      syntaxMessage(error.code, error.message),
    ),
  );
  faults.push(
    ...document.warnings.map((warning) =>
      fault(warning.pos[0], syntaxMessage(warning.code, warning.message)),
    ),
  );
  // After a syntax error the tree is a guess; only duplicate keys leave it reliable enough for further checks.
  if (document.errors.some((error) => error.code !== "DUPLICATE_KEY")) throw yamlError(code, faults);

  const targets = aliasTargets(document);
  const read = readTree(document, targets);
  if (read.type === "fault") throw yamlError(code, [...faults, fault(read.offset, read.message)]);

  const at = (path: YamlPath): YamlPosition => position(locate(document, targets, path).value);
  const keyAt = (path: YamlPath): YamlPosition => position(locate(document, targets, path).key);
  const chosen = typeof schema === "function" ? schema(read.value) : schema;
  const checked = issueFaults(chosen, { raw: read.value, at, keyAt });
  faults.push(...checked.faults);
  if (faults.length > 0 || !checked.ok) throw yamlError(code, faults);
  return { file: source.file, value: checked.value, raw: read.value, at, keyAt };
}

/** Validates a parsed or composed value with another schema. */
export function checkValue<T>(document: YamlDocument<unknown>, schema: z.ZodType<T>, code: YamlErrorCode): T {
  const checked = issueFaults(schema, document);
  if (!checked.ok) throw yamlError(code, checked.faults);
  return checked.value;
}

/** The error for the faults of a file, including those of later checks. */
export function yamlError(code: YamlErrorCode, faults: readonly YamlFault[]): AppError {
  // A fault inherited twice is reported once.
  const unique = new Map([...faults].sort(byPosition).map((fault) => [renderFault(fault), fault]));
  const sorted = [...unique.values()];
  const lines = [...unique.keys()];
  const message = sorted.length === 1 ? (lines[0] ?? "") : [`${sorted.length} faults`, ...lines].join("\n  ");
  return new AppError(code, message, {
    hint: sorted.length === 1 ? "correct this line and try again" : "correct these lines and try again",
    detail: { faults: sorted },
  });
}

/** `file:line:column: message (allowed: a, b)`. */
export function renderFault(fault: YamlFault): string {
  const allowed = fault.allowed === undefined ? "" : ` (allowed: ${fault.allowed.join(", ")})`;
  return `${fault.file}:${fault.line}:${fault.column}: ${fault.message}${allowed}`;
}

function byPosition(a: YamlFault, b: YamlFault): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}

function decode({ file, text }: YamlSource, code: YamlErrorCode, mostBytes: number): string {
  const size = text.length;
  if (size > mostBytes) {
    const message = `the file is larger than ${mostBytes / mib} MiB`;
    throw yamlError(code, [{ file, line: 1, column: 1, path: [], message }]);
  }
  if (typeof text === "string") return text.startsWith("\uFEFF") ? text.slice(1) : text;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(text);
  } catch {
    throw yamlError(code, [{ ...firstBadByte(file, text), path: [], message: "not valid UTF-8 here" }]);
  }
}

function firstBadByte(file: string, bytes: Uint8Array): YamlPosition {
  let start = 0;
  for (let line = 1; ; line++) {
    const newline = bytes.indexOf(10, start);
    const end = newline === -1 ? bytes.length : newline;
    const good = goodPrefix(bytes.subarray(start, end));
    if (good !== null || newline === -1) return { file, line, column: (good ?? 0) + 1 };
    start = newline + 1;
  }
}

/** Number of characters of a line before the first invalid byte; null if it is valid. */
function goodPrefix(line: Uint8Array): number | null {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  try {
    for (const byte of line) text += decoder.decode(Uint8Array.of(byte), { stream: true });
    decoder.decode();
    return null;
  } catch {
    return text.length;
  }
}

/** Start of the quoted text without a closing quote that ends at this offset; else the offset itself. */
function quoteBefore(document: Document, end: number): number {
  let start = end;
  visit(document, {
    Scalar: (_key, { type, range }) => {
      if (type?.startsWith("QUOTE") === true && range?.[1] === end) start = range[0];
    },
  });
  return start;
}
