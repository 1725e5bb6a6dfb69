/**
 * Reads YAML at the edge: text to a checked value, every fault in one answer with `file:line:column`.
 * Owns syntax, encoding, aliases and positions; what the values mean is the schema's business.
 */
import type { YamlPosition, YamlPath, YamlFault } from "./yaml-fault.ts";
import { LineCounter, parseDocument, visit, type Document } from "yaml";
import type { z } from "zod";
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
  // of steps protocols
  | "invalid_yaml"
  | "invalid_schema"
  | "invalid_step_key"
  | "duplicate_step"
  | "append_to_missing_step"
  | "insert_without_step"
  | "unknown_step_reference"
  | "unknown_base"
  | "extends_cycle";

/** A value and where each part of it was written. */
export interface YamlDocument<T> {
  readonly file: string;
  readonly value: T;
  /** The value before the schema changed it. */
  readonly raw: unknown;
  /** Where the value at this path starts; the nearest enclosing one when the path does not exist. */
  at(path: YamlPath): YamlPosition;
  /** Where the key of this path stands; for a list item, where the item starts. */
  keyAt(path: YamlPath): YamlPosition;
}

/** A schema, or the choice of one by what the raw value says it is. The choice may throw an AppError of its own. */
export type SchemaChoice<T> = z.ZodType<T> | ((raw: unknown) => z.ZodType<T>);

const mib = 1024 * 1024;

/**
 * Parses and checks; throws an AppError with all faults (`detail.faults`) when there is one.
 * Without `uniqueKeys` a key may be there twice: for who has told that already and looks for other faults.
 */
export function parseYaml<T>(
  source: YamlSource,
  schema: SchemaChoice<T>,
  code: YamlErrorCode,
  { uniqueKeys = true, mostBytes = mib }: { readonly uniqueKeys?: boolean; readonly mostBytes?: number } = {},
): YamlDocument<T> {
  const text = decode(source, code, mostBytes);
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
  // After a syntax error the tree is a guess; only what leaves the tree whole is worth checking further.
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

/** Checks a value that was read, or put together from what was read, once more with a stricter schema. */
export function checkValue<T>(document: YamlDocument<unknown>, schema: z.ZodType<T>, code: YamlErrorCode): T {
  const checked = issueFaults(schema, document);
  if (!checked.ok) throw yamlError(code, checked.faults);
  return checked.value;
}

/** The one shape in which faults of a file are told, also those that later checks find. */
export function yamlError(code: YamlErrorCode, faults: readonly YamlFault[]): AppError {
  // What is inherited twice is written once.
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

/** How many characters of a line decode before the first bad byte; null when all do. */
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

/** Where a text begins that ends at this place without its quote; the place itself for whatever else is missing there. */
function quoteBefore(document: Document, end: number): number {
  let start = end;
  visit(document, {
    Scalar: (_key, { type, range }) => {
      if (type?.startsWith("QUOTE") === true && range?.[1] === end) start = range[0];
    },
  });
  return start;
}
