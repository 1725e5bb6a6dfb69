/**
 * The dispatch line of the Main Thread: `Agent[S{sid},R{round},C{cycle},P:{phase},CTX:{context}]`, with the parameters that the
 * agent requires, in this order; every agent may have CTX (TDP-68). It is printed in one spelling, and parsed only in the
 * spellings of TDP-69.
 */
import { AppError, type ErrorCode } from "../lib/errors.ts";
import { printAudit, readAudit } from "./audits.ts";
import { findAgent, unknownMode, type AgentMode, type SymbolSet } from "./modes.ts";
import { findPhase, phaseHint, phasesOf, type Phase } from "./phases.ts";
import { quoted } from "./spelling.ts";

export interface Dispatch {
  readonly agent: AgentMode;
  readonly sid?: string;
  /** From 0. */
  readonly round?: number;
  /** From 1. */
  readonly cycle?: number;
  readonly phase?: Phase;
  readonly ctx?: string;
}

export type Parameter = "S" | "R" | "C" | "P" | "CTX";

/** In the order in which they are printed. */
export const parameters: Readonly<Record<Parameter, string>> = {
  S: "session of the dialogue",
  R: "round of the dialogue, from 0",
  C: "cycle, from 1",
  P: "phase of the cycle",
  CTX: "context, where more is needed",
};

const tdd = ["S", "R", "C", "P"] as const;

/** Agent Parameter Requirements of the seeds. */
export const required: Readonly<Record<AgentMode, readonly Parameter[]>> = {
  "Ω₁ᴾ": [],
  "Ω₂ᴬ": ["CTX"],
  "Ω₃ᴾ": ["S", "R"],
  "Ω₄ᶜ": ["S", "R"],
  "Ω₅ᵀ": tdd,
  QA: tdd,
  DE: tdd,
  "Ω₆ⱽ": [],
};

/** Prints the required parameters and the context. @throws bad_param for a value that a line cannot contain */
export function printDispatch(dispatch: Dispatch): string {
  const { agent, sid, ctx } = dispatch;
  if (sid !== undefined && !isSessionName(sid)) {
    throw new AppError("bad_param", `${quoted(sid)} cannot name a session in a dispatch`, {
      hint: "A name has no blank, comma, bracket, brace, star or backslash, and begins with no colon.",
    });
  }
  const wanted = ctx === undefined ? required[agent] : new Set([...required[agent], "CTX" as const]);
  const line = `${agent}[${[...wanted].map((name) => printParameter(name, dispatch)).join(",")}]`;
  // The line must be readable again. Under dptr the context may be any text.
  parseDispatch(line, "dptr");
  return line;
}

export function parseDispatch(line: string, symbolSet: SymbolSet): Dispatch {
  const open = line.indexOf("[");
  if (open === -1) throw new LineFault(line, line.length, "bad_syntax", 'expected "["').error();
  const name = line.slice(0, open);
  const agent = findAgent(name, symbolSet);
  if (agent === null) throw unknownMode(name, symbolSet, { line, column: 1 });
  try {
    return readParameters(line, { open, agent, symbolSet });
  } catch (error) {
    if (error instanceof LineFault) throw error.error(agent);
    throw error;
  }
}

/** `QA[S{sid},R{round},C{cycle},P:{phase}]`. */
export function expectedForm(agent: AgentMode): string {
  return `${agent}[${required[agent].map((name) => forms[name]).join(",")}]`;
}

const order = Object.keys(parameters) as Parameter[];
const forms: Readonly<Record<Parameter, string>> = {
  S: "S{sid}",
  R: "R{round}",
  C: "C{cycle}",
  P: "P:{phase}",
  CTX: "CTX:{context}",
};

function printParameter(name: Parameter, { sid, round, cycle, phase, ctx }: Dispatch): string {
  switch (name) {
    case "S":
      return `S${sid ?? ""}`;
    case "R":
      return `R${round ?? ""}`;
    case "C":
      return `C${cycle ?? ""}`;
    case "P":
      return `P:${phase ?? ""}`;
    case "CTX":
      return `CTX:${(ctx ?? "").replace(/[\\,\]\n\r]/gu, (char) => escapes[char] ?? char)}`;
  }
}

const escapes: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  ",": "\\,",
  "]": "\\]",
  "\n": "\\n",
  "\r": "\\r",
};
const unescapes = new Map(Object.entries(escapes).map(([char, escape]) => [escape, char]));

interface Piece {
  readonly at: number;
  readonly text: string;
}

interface ReadContext {
  readonly open: number;
  readonly agent: AgentMode;
  readonly symbolSet: SymbolSet;
}

function readParameters(line: string, { open, agent, symbolSet }: ReadContext): Dispatch {
  const { pieces, end } = split(line, open + 1);
  if (end + 1 !== line.length) throw new LineFault(line, end + 1, "bad_syntax", 'expected the end after "]"');
  let dispatch: Dispatch = { agent };
  const seen: Parameter[] = [];
  for (const piece of pieces) {
    const fail = (code: ErrorCode, why: string, at = piece.at) => new LineFault(line, at, code, why);
    if (piece.text === "") throw fail("bad_syntax", "expected a parameter");
    const name = order.findLast((each) => piece.text.startsWith(each));
    if (name === undefined || (name !== "CTX" && !required[agent].includes(name)))
      throw fail("unexpected_param", `${agent} takes no ${name ?? quoted(piece.text)}`);
    if (seen.includes(name)) throw fail("bad_param", `${name} is given twice`);
    const later = seen.find((each) => order.indexOf(each) > order.indexOf(name));
    if (later !== undefined) throw fail("bad_param", `${name} has to stand before ${later}`);
    seen.push(name);
    const at = piece.at + name.length + (piece.text.startsWith(":", name.length) ? 1 : 0);
    const value = { at, text: piece.text.slice(at - piece.at) };
    dispatch = { ...dispatch, ...readValue(name, value, { line, agent, symbolSet }) };
  }
  const missing = required[agent].find((name) => !seen.includes(name));
  if (missing !== undefined) throw new LineFault(line, end, "missing_param", `${agent} requires ${missing}`);
  return dispatch;
}

/** Splits at commas, up to the closing bracket; a backslash escapes the next character. */
function split(line: string, from: number): { readonly pieces: readonly Piece[]; readonly end: number } {
  const pieces: Piece[] = [];
  let start = from;
  for (let at = from; at < line.length; at++) {
    const char = line.charAt(at);
    if (char === "\n" || char === "\r") throw new LineFault(line, at, "bad_syntax", "expected one line");
    if (char === "\\") at += 1;
    if (char !== "," && char !== "]") continue;
    pieces.push({ at: start, text: line.slice(start, at) });
    start = at + 1;
    if (char === "]") return { pieces: at === from ? [] : pieces, end: at };
  }
  throw new LineFault(line, line.length, "bad_syntax", 'expected "]"');
}

function readValue(
  name: Parameter,
  { at, text }: Piece,
  {
    line,
    agent,
    symbolSet,
  }: { readonly line: string; readonly agent: AgentMode; readonly symbolSet: SymbolSet },
): Partial<Dispatch> {
  const fail = (why: string) => new LineFault(line, at, "bad_param", why);
  switch (name) {
    case "S":
      if (!isSessionName(text)) throw fail("expected the name of a session");
      return { sid: text };
    case "R":
    case "C": {
      const minimum = name === "R" ? 0 : 1;
      const count = /^(?:0|[1-9]\d{0,8})$/u.test(text) ? Number(text) : -1;
      if (count < minimum) throw fail(`expected a whole number from ${minimum}`);
      return name === "R" ? { round: count } : { cycle: count };
    }
    case "P": {
      const phase = findPhase(text);
      if (phase === null) throw fail(`expected a phase: ${phaseHint(text)}`);
      const own = agent === "QA" || agent === "DE" ? phasesOf(agent) : [phase];
      if (!own.includes(phase)) throw fail(`${agent} works on ${own.join(", ")}`);
      return { phase };
    }
    case "CTX": {
      const ctx = unescape(line, { at, text });
      if (ctx === "") throw fail("expected a context");
      return { ctx: agent === "Ω₂ᴬ" && symbolSet === "riper" ? canonicalAudit(ctx, fail) : ctx };
    }
  }
}

/** Under riper the critic's context is an audit, printed in one spelling. */
function canonicalAudit(ctx: string, fail: (why: string) => LineFault): string {
  try {
    return printAudit(readAudit(ctx));
  } catch (error) {
    if (error instanceof AppError) throw fail(`${error.message}: ${error.hint}`);
    throw error;
  }
}

/** Whether a name is valid in a dispatch line and in an observation line. */
function isSessionName(text: string): boolean {
  return /^(?!:)[^\s,\][*{}\\]+$/u.test(text);
}

function unescape(line: string, { at, text }: Piece): string {
  return text.replace(/\\.?/gsu, (escape, offset: number) => {
    const char = unescapes.get(escape);
    if (char === undefined)
      throw new LineFault(
        line,
        at + offset,
        "bad_syntax",
        `expected one of ${[...unescapes.keys()].join(" ")}`,
      );
    return char;
  });
}

/** A fault of a line, before its agent is known. */
class LineFault extends Error {
  private readonly line: string;
  private readonly at: number;
  private readonly code: ErrorCode;

  constructor(line: string, at: number, code: ErrorCode, why: string) {
    super(why);
    this.line = line;
    this.at = at;
    this.code = code;
  }

  error(agent?: AgentMode): AppError {
    const expected =
      agent === undefined ? "Agent[S{sid},R{round},C{cycle},P:{phase},CTX:{context}]" : expectedForm(agent);
    return new AppError(this.code, `column ${this.at + 1}: ${this.message}, in ${quoted(this.line)}`, {
      hint: agent === undefined ? `expected ${expected}` : `expected ${expected}; CTX:{context} may follow`,
      detail: { column: this.at + 1, expected },
    });
  }
}
