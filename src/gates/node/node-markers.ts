/**
 * Finds the stub markers of each language in a text: an error whose message begins with "not implemented",
 * `NotImplementedError`, `todo!()`, `unimplemented!()`, `UnsupportedOperationException`.
 */
import { assertNever } from "../../lib/assert-never.ts";
import { languageOf, readCode, type Language } from "../../source/code-text.ts";
import { isScript } from "../../source/syntax.ts";
import { lineOf, literalAt, readScript, type Script } from "../../source/script.ts";

export interface Marker {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly what: string;
}

export function markersIn(path: string, text: string): readonly Marker[] {
  // Type declarations never run.
  if (/\.(?:d\.[cm]?ts|pyi)$/u.test(path)) return [];
  const script = read(path, text);
  if (script === null) return plainMarkers(path, text);
  const places = new Set<number>();
  for (const match of script.code.matchAll(patterns(languageOf(path)))) {
    const open = match.index + match[0].length;
    // A call with a message is a marker only if the message says so.
    if (!match[0].endsWith("(") || hasMarkerMessage(script, open)) places.add(match.index);
  }
  return [...places]
    .toSorted((one, other) => one - other)
    .filter((at) => !isAbstract(script, at, path))
    .map((at) => ({ path, line: lineOf(script, at), what: lineText(text, at) }));
}

function read(path: string, text: string): Script | null {
  const language = languageOf(path);
  if (language !== null) return readCode(text, language);
  return isScript(path) ? readScript(text) : null;
}

const named = String.raw`(?<![\p{L}\p{N}_$])(?:throw|raise)\s+(?:new\s+)?[\p{L}\p{N}_$.]*NotImplemented(?:Error|Exception)?(?![\p{L}\p{N}_$])`;
const inScripts = new RegExp(
  String.raw`${named}|(?<![\p{L}\p{N}_$])(?:throw\s+(?:new\s+)?|Promise\s*\.\s*reject\s*\(\s*(?:new\s+)?)[\p{L}\p{N}_$.]*Error\s*\(`,
  "gu",
);
const inPython = new RegExp(String.raw`${named}|(?<![\p{L}\p{N}_])raise\s+[\p{L}\p{N}_.]+\s*\(`, "gu");

function patterns(language: Language | null): RegExp {
  switch (language) {
    case null:
      return inScripts;
    case "python":
      return inPython;
    case "go":
      return /(?<![\p{L}\p{N}_])(?:panic|errors\s*\.\s*New|fmt\s*\.\s*Errorf)\s*\(/gu;
    case "rust":
      return /(?<![\p{L}\p{N}_])(?:todo|unimplemented)\s*!|(?<![\p{L}\p{N}_])panic\s*!\s*\(/gu;
    default:
      return assertNever(language);
  }
}

function hasMarkerMessage(script: Script, at: number): boolean {
  return /^\s*not[ _-]?implemented\b/iu.test(literalAt(script, at)?.value ?? "");
}

/** A method that subclasses must override is not a stub. */
function isAbstract({ code }: Script, at: number, path: string): boolean {
  if (languageOf(path) !== "python") return false;
  const before = code.slice(0, at);
  const start = before.lastIndexOf("def ");
  return (
    start !== -1 && /@(?:abc\.)?abstractmethod\s*$/u.test(before.slice(0, start).replace(/async\s*$/u, ""))
  );
}

const plain =
  /\bNotImplemented(?:Error|Exception)\b|\bUnsupportedOperationException\b|\bTODO\(\)|(?:^|\s)undefined\s*$|["'`]not implemented\b/gimu;

/** In other languages: lines that contain the marker as a word. */
function plainMarkers(path: string, text: string): readonly Marker[] {
  return text.split("\n").flatMap((line, index) => {
    plain.lastIndex = 0;
    const isComment = /^\s*(?:\/\/|#|--|\*|\/\*)/u.test(line);
    return !isComment && plain.test(line) ? [{ path, line: index + 1, what: line.trim().slice(0, 80) }] : [];
  });
}

function lineText(text: string, at: number): string {
  const start = text.lastIndexOf("\n", at) + 1;
  const end = text.indexOf("\n", at);
  return text
    .slice(start, end === -1 ? text.length : end)
    .trim()
    .slice(0, 80);
}

/** Whether a file has logic of its own: it branches, loops or returns a value. */
export function isImplemented(path: string, text: string): boolean {
  const script = read(path, text);
  if (script === null || markersIn(path, text).length > 0) return false;
  return /(?<![\p{L}\p{N}_$.])(?:return|if|for|while|switch|match)(?![\p{L}\p{N}_$])(?!\s*[:?])/u.test(
    script.code,
  );
}
