/** Where a source turns every error into a default, so that a broken part looks like a result (verification 32). */
import { indentedBlock } from "../code-text.ts";
import { shortCode } from "../flip/edit.ts";
import { closing, lineOf, type Script } from "../script.ts";
import type { ChangedFile, FoundPlace } from "./changed-file.ts";

interface Clause {
  readonly start: number;
  /** Index after the clause. */
  readonly end: number;
  readonly head: string;
  /** What holds the error: `error: unknown`, `{ code }`; empty without it. */
  readonly binding: string;
  readonly body: string;
}

/** Clauses for every error that neither use nor raise it, and call nothing that could report it. */
export function swallowedErrors({ language, script, changed }: ChangedFile): readonly FoundPlace[] {
  return clausesOf(language, script)
    .filter(isSwallowing)
    .filter((clause) => linesOf(script, clause).some((line) => changed.has(line)))
    .map(({ start, head }) => ({ line: lineOf(script, start), text: shortCode(head) }));
}

function clausesOf(language: ChangedFile["language"], script: Script): readonly Clause[] {
  if (language === "script") return [...catchBlocks(script), ...catchCalls(script)];
  return language === "python" ? [...exceptBlocks(script), ...suppressions(script)] : [];
}

function isSwallowing({ binding, body }: Clause): boolean {
  if (/\b(?:throw|raise)\b|[\w$)\]]\s*\(/u.test(body)) return false;
  const names = new Set(wordsOf(binding));
  return !wordsOf(body).some((word) => names.has(word));
}

function wordsOf(code: string): readonly string[] {
  return code.match(/[\w$]+/gu) ?? [];
}

function linesOf(script: Script, { start, end }: Clause): readonly number[] {
  const [first, last] = [lineOf(script, start), lineOf(script, end - 1)];
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

function catchBlocks({ code }: Script): readonly Clause[] {
  return [...code.matchAll(/(?<![\w$.])catch\s*(?:\(([^()]*)\)\s*)?\{/gu)].map(
    ({ 0: head, 1: binding = "", index }) => {
      const open = index + head.length - 1;
      const end = closing(code, open);
      return { start: index, end, head: head.slice(0, -1), binding, body: code.slice(open + 1, end) };
    },
  );
}

/** `.catch(() => null)` of a promise. */
function catchCalls({ code }: Script): readonly Clause[] {
  return [...code.matchAll(/\.\s*catch\s*\(\s*(?:\(([^()]*)\)|([\w$]+))\s*=>/gu)].map(
    ({ 0: head, 1: inBrackets = "", 2: alone = "", index }) => {
      const end = closing(code, index + head.indexOf("("));
      const body = code.slice(index + head.length, end);
      return { start: index, end, head: `${head}${body})`, binding: inBrackets + alone, body };
    },
  );
}

function exceptBlocks({ code }: Script): readonly Clause[] {
  const heads = /^([ \t]*)(except\b(?:[^:\n]*\b(?:Base)?Exception\b[^:\n]*)?)\s*:/gmu;
  return [...code.matchAll(heads)].map(({ 0: whole, 1: indent = "", 2: head = "", index }) => {
    const { end } = indentedBlock(code, index);
    const binding = /\bas\s+(\w+)/u.exec(head)?.[1] ?? "";
    return { start: index + indent.length, end, head, binding, body: code.slice(index + whole.length, end) };
  });
}

function suppressions({ code }: Script): readonly Clause[] {
  return [...code.matchAll(/\bsuppress\s*\(\s*(?:Base)?Exception\s*\)/gu)].map(({ 0: head, index }) => ({
    start: index,
    end: index + head.length,
    head,
    binding: "",
    body: "",
  }));
}
