/**
 * What a source file offers to others, as far as its text tells: one line for each public name, without what a caller
 * never sees. Two texts with the same lines have the same public interface.
 */
import { languageOf } from "./code-text.ts";
import { exportsOf } from "./exports.ts";
import { closing, readScript } from "./script.ts";
import { codeOf, type Texts } from "./numbers.ts";
import { publicNames } from "./interface-languages.ts";
import { splitTop, squeeze } from "./interface-text.ts";

/** Sentences about what differs in files that stand on both sides, or are gone; new files change nothing for anybody. */
export function interfaceChanges(before: Texts, after: Texts): readonly string[] {
  return [...before].flatMap(([path, text]) => {
    const now = after.get(path);
    const old = publicInterface(path, text);
    const fresh = now === undefined ? [] : publicInterface(path, now);
    return [
      ...old.filter((line) => !fresh.includes(line)).map((line) => `${path}: no longer ${line}`),
      ...fresh.filter((line) => !old.includes(line)).map((line) => `${path}: new ${line}`),
    ];
  });
}

export function publicInterface(path: string, text: string): readonly string[] {
  const language = languageOf(path);
  if (language !== null) return publicNames(language, codeOf(path, text)).toSorted();
  if (!/\.[cm]?[jt]sx?$/.test(path)) return [];
  const script = readScript(text);
  const { names, from } = exportsOf(script);
  return [
    ...[...names].flatMap((name) => describe(script.code, name)),
    ...from.map((module) => `* from ${module}`),
  ].toSorted();
}

/** The declaration behind an exported name: a function with its parameters, a class with its methods, or the name alone. */
function describe(code: string, name: string): readonly string[] {
  const id = name === "default" ? defaultName(code) : name;
  const signature = id === null ? null : (functionOf(code, id) ?? null);
  if (signature !== null) return [`${name}${signature}`];
  const methods = id === null ? null : classOf(code, id);
  return methods === null ? [name] : [name, ...methods.map((method) => `${name}.${method}`)];
}

/** What stands behind `export default`: a name, or the place of an unnamed function. */
function defaultName(code: string): string | null {
  const found =
    /export\s+default\s+(?:async\s+)?(?:function\s*\*?\s*|class\s+|abstract\s+class\s+)?([\p{L}_$][\p{L}\p{N}_$]*)?/u.exec(
      code,
    );
  return found?.[1] ?? (found === null ? null : "default");
}

const declaredFunction =
  /(?<![\p{L}\p{N}_$.])(?:export\s+default\s+(?:async\s+)?)?function\s*\*?\s*([\p{L}_$][\p{L}\p{N}_$]*)?\s*(?:<[^(]*>)?\s*\(/gu;
const variable =
  /(?:(?:const|let|var)\s+([\p{L}_$][\p{L}\p{N}_$]*)|exports\s*\.\s*([\p{L}_$][\p{L}\p{N}_$]*))(?![\p{L}\p{N}_$])/gu;
const assignedFunction =
  /^\s*(?::[^=]+)?=\s*(?:async\s*)?(function\s*\*?\s*[\p{L}\p{N}_$]*\s*)?(?:<[^(]*>\s*)?(\(|[\p{L}_$][\p{L}\p{N}_$]*\s*=>)/u;
const declaredClass = /(?<![\p{L}\p{N}_$.])class\s+([\p{L}_$][\p{L}\p{N}_$]*)?[^{]*\{/gu;

function first(
  code: string,
  pattern: RegExp,
  isIt: (match: RegExpExecArray) => boolean,
): RegExpExecArray | null {
  return [...code.matchAll(pattern)].find(isIt) ?? null;
}

function functionOf(code: string, name: string): string | null {
  const declared = first(
    code,
    declaredFunction,
    ([whole, own]) => own === name || (name === "default" && whole.startsWith("export")),
  );
  if (declared !== null) return parameters(code, declared);
  for (const match of code.matchAll(variable)) {
    if ((match[1] ?? match[2]) !== name) continue;
    const start = match.index + match[0].length;
    const assigned = assignedFunction.exec(code.slice(start));
    if (assigned === null) continue;
    if (assigned[2] !== "(") return "(_)";
    const open = start + assigned[0].length - 1;
    const isArrow = /^\s*(?::[^=;{]+)?=>/.test(code.slice(closing(code, open) + 1));
    return assigned[1] !== undefined || isArrow ? parametersAt(code, open) : null;
  }
  return null;
}

function parameters(code: string, match: RegExpExecArray): string {
  return parametersAt(code, match.index + match[0].length - 1);
}

function parametersAt(code: string, open: number): string {
  return shapeOf(code.slice(open + 1, closing(code, open)));
}

/** Parameters as a caller meets them: their number, which may be left out, and their types; not their names. */
function shapeOf(list: string): string {
  const shapes = splitTop(list, ",").map((part) => {
    const rest = part.startsWith("...") ? "..." : "";
    const [declared = "", ...standard] = splitTop(part.replace(/^\.\.\./, ""), "=");
    const [target = "", ...type] = splitTop(declared, ":");
    const optional = standard.length > 0 || target.trim().endsWith("?") ? "?" : "";
    const keys = /^[{[]/.test(target.trim()) ? squeeze(target) : "_";
    return `${rest}${keys}${optional}${type.length === 0 ? "" : `: ${squeeze(type.join(":"))}`}`;
  });
  return `(${shapes.join(", ")})`;
}

const method =
  /(?<=^|[;{}\n])\s*((?:static\s+|async\s+|get\s+|set\s+|public\s+|readonly\s+|override\s+)*)\*?\s*([\p{L}_$][\p{L}\p{N}_$]*)\s*(?:<[^(]*>)?\s*\(/gu;

function classOf(code: string, name: string): readonly string[] | null {
  const found = first(code, declaredClass, ([, own]) => name === "default" || own === name);
  if (found === null) return null;
  const open = found.index + found[0].length - 1;
  const body = flattened(code.slice(open + 1, closing(code, open)));
  return [...body.matchAll(method)].flatMap((match) => {
    const [, words = "", called = ""] = match;
    if (/^(?:if|for|while|switch|catch|return|constructor)$/.test(called) && called !== "constructor")
      return [];
    const kind = words.replace(/\b(?:async|public|override|readonly)\b/g, "").trim();
    return [`${kind === "" ? "" : `${squeeze(kind)} `}${called}${parameters(body, match)}`];
  });
}

/** The body of a class with the bodies of its methods left out. */
function flattened(body: string): string {
  let out = "";
  for (let at = 0; at < body.length; at++) {
    const char = body.charAt(at);
    if (char === "(") {
      const end = closing(body, at);
      out += body.slice(at, end + 1);
      at = end;
    } else if (char === "{") {
      at = closing(body, at);
      out += "{}";
    } else out += char;
  }
  return out;
}
