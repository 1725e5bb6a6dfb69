/** Finds the literals of a Python text, and what the text uses them for. */
import type { Script } from "../script.ts";
import { pythonToken, type PythonLeaf } from "../flip/python-literals.ts";
import { nested, type FoundLiteral } from "./found-literal.ts";

interface Frame {
  readonly open: string;
  readonly start: number;
  /** Whether the bracket is that of a call or an index. */
  readonly isCall: boolean;
  /** Null after something that is no literal. */
  parts: string[] | null;
  /** Indices in `found` of the literals directly inside. */
  readonly inside: number[];
}

type Open = Omit<FoundLiteral, "role"> & { readonly parent: string; role: FoundLiteral["role"] };

export function pythonValues(script: Script, from = 0, to = script.text.length): readonly FoundLiteral[] {
  const { code } = script;
  const found: Open[] = [];
  const frames: Frame[] = [];
  const spoil = () => {
    for (const frame of frames) frame.parts = null;
  };
  const add = (literal: Pick<Open, "text" | "start" | "end">, asPart: string, inner: readonly number[]) => {
    const frame = frames.at(-1);
    for (const index of inner) {
      const one = found[index];
      if (one !== undefined) found[index] = { ...one, isWhole: false };
    }
    found.push({
      ...literal,
      role: "plain",
      isWhole: true,
      isValue: true,
      within: frame === undefined || frame.isCall ? null : frame.start,
      parent: frame?.isCall === false ? frame.open : "",
    });
    frame?.inside.push(found.length - 1);
    frame?.parts?.push(asPart);
  };
  for (let at = from; at < to;) {
    const rest = code.slice(at, Math.min(to, at + 200));
    const token = /^[\w.'"]/.test(rest) ? pythonToken(script, at) : null;
    if (token !== null) {
      addToken(token, { found, frames, add, code });
      at = token.end;
      continue;
    }
    const word = /^[^\W\d]\w*/u.exec(rest)?.[0];
    if (word !== undefined) {
      spoil();
      const prefixed = /^["']/.test(code.slice(at + word.length))
        ? stringEnd(script, at + word.length)
        : null;
      at = prefixed ?? at + word.length;
      continue;
    }
    const char = rest.charAt(0);
    if ("([{".includes(char)) {
      frames.push({ open: char, start: at, isCall: isCall(code, at), parts: [], inside: [] });
    } else if (")]}".includes(char)) {
      const frame = frames.pop();
      if (frame !== undefined) close(frame, at, { add, spoil, found });
    } else if (char === "," || char === ":" || char === "-") frames.at(-1)?.parts?.push(char);
    else if (!/\s/.test(char) && char !== "\\") spoil();
    at++;
  }
  return found.map(({ parent, ...literal }) => ({ ...literal, role: roleOf(literal, parent, code, found) }));
}

interface Adding {
  readonly found: Open[];
  readonly frames: readonly Frame[];
  readonly code: string;
  add(literal: Pick<Open, "text" | "start" | "end">, asPart: string, inner: readonly number[]): void;
}

function addToken(token: PythonLeaf, { found, frames, add, code }: Adding): void {
  const text = textOf(token);
  const before = found.at(-1);
  const frame = frames.at(-1);
  // Adjacent strings are one.
  if (
    token.type === "string" &&
    before !== undefined &&
    /["']$/.test(code.slice(before.start, before.end)) &&
    code.slice(before.end, token.start).trim() === "" &&
    before.end > (frame?.start ?? -1)
  ) {
    found[found.length - 1] = { ...before, text: before.text + text, end: token.end };
    frame?.parts?.splice(-1, 1, nested(before.text + text, true));
    return;
  }
  const isNegative =
    token.type === "number" &&
    /(?:^|[[({,:=]|\breturn)\s*-$/.test(code.slice(Math.max(0, token.start - 20), token.start));
  if (isNegative) {
    frame?.parts?.pop();
    add({ text: `-${text}`, start: token.start - 1, end: token.end }, `-${text}`, []);
  } else add({ text, start: token.start, end: token.end }, nested(text, token.type === "string"), []);
}

function textOf({ type, text }: PythonLeaf): string {
  if (type === "string")
    return text.replaceAll(/\\(?:\r?\n|(.))/gs, (_all, char: string | undefined) =>
      char === undefined ? "" : ({ n: "\n", t: "\t" }[char] ?? char),
    );
  if (type === "word") return { True: "true", False: "false" }[text] ?? "null";
  const value = Number(text.replaceAll("_", ""));
  return Number.isSafeInteger(value) || !/^\d+$/.test(text) ? String(value) : text;
}

function close(
  { open, start, isCall: isOfCall, parts, inside }: Frame,
  at: number,
  { add, spoil, found }: Pick<Adding, "add" | "found"> & { spoil(): void },
): void {
  if (parts === null) return spoil();
  const items = parts.at(-1) === "," ? parts.slice(0, -1) : parts;
  const isList = open !== "(" || parts.includes(",") || parts.length === 0;
  const [left, right] = open === "{" ? ["{", "}"] : ["[", "]"];
  const text = `${left}${items.join("")}${right}`;
  if (isOfCall) {
    // The arguments of a call as one value, as a table of calls would hold them.
    if (open === "(" && parts.includes(",")) {
      found.push({
        text,
        start,
        end: at + 1,
        role: "plain",
        within: null,
        isWhole: false,
        isValue: false,
        parent: "(",
      });
    }
    return spoil();
  }
  if (isList) add({ text, start, end: at + 1 }, text, inside);
  else {
    const [only] = inside;
    const one = only === undefined ? undefined : found[only];
    if (one !== undefined && parts.length === 1)
      add({ text: one.text, start, end: at + 1 }, parts[0] ?? "", inside);
  }
}

/** Follows a name or another bracket. */
function isCall(code: string, at: number): boolean {
  const before = code.slice(Math.max(0, at - 40), at).trimEnd();
  if (/[)\]]$/.test(before)) return true;
  const word = /[^\W\d]\w*$/u.exec(before)?.[0];
  return (
    word !== undefined &&
    !/^(?:return|in|is|not|and|or|if|elif|else|assert|yield|lambda|for|case|del|raise|while|from|import|as|with)$/.test(
      word,
    )
  );
}

function stringEnd({ strings }: Script, start: number): number | null {
  return strings.find((literal) => literal.start === start)?.end ?? null;
}

function roleOf(
  { start, end, within, role }: Omit<Open, "parent">,
  parent: string,
  code: string,
  all: readonly Open[],
): FoundLiteral["role"] {
  const after = code.slice(end, end + 40);
  const before = code.slice(Math.max(0, start - 40), start);
  if (parent === "{" && /^\s*:/.test(after)) return "key";
  if (/^\s*(?:==|!=|(?:not\s+)?in\b)/.test(after) || /(?:==|!=|\bin|\bcase|\|)\s*\(?\s*$/.test(before))
    return "compared";
  const list = within === null ? undefined : all.find((one) => one.start === within);
  return list !== undefined && /(?:==|!=|\bin)\s*$/.test(code.slice(Math.max(0, list.start - 40), list.start))
    ? "compared"
    : role;
}
