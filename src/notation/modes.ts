/** The six modes of RIPER·Σ and DPTR·Σ, their agents, and all accepted spellings. Pure. */
import { AppError } from "../lib/errors.ts";
import { lookAlike, quoted, spelled } from "./spelling.ts";

/** The protocol whose symbols apply: dptr also has the names of its header. */
export type SymbolSet = "riper" | "dptr";

export type Mode = "Ω₁ᴾ" | "Ω₂ᴬ" | "Ω₃ᴾ" | "Ω₄ᶜ" | "Ω₅ᵀ" | "Ω₆ⱽ";

/** The addressee of a dispatch: in Ω₅ᵀ it is QA or DE. */
export type AgentMode = Mode | "QA" | "DE";

export type Loop = "Ω₁" | "Ω₂" | "Ω₃" | "Ω₄";

export interface ModeEntry {
  readonly mode: Mode;
  readonly ascii: string;
  /** Name in the protocol's documents. */
  readonly name: string;
  readonly meaning: string;
  readonly loop: Loop;
}

export const modes: readonly ModeEntry[] = [
  { mode: "Ω₁ᴾ", ascii: "O1P", name: "CC-Plan", meaning: "architecture and module design", loop: "Ω₁" },
  { mode: "Ω₂ᴬ", ascii: "O2A", name: "Arch-Critic", meaning: "audit of the design", loop: "Ω₁" },
  { mode: "Ω₃ᴾ", ascii: "O3P", name: "Plan", meaning: "plan of the test-driven cycles", loop: "Ω₂" },
  { mode: "Ω₄ᶜ", ascii: "O4C", name: "Plan-Critic", meaning: "audit of the plan", loop: "Ω₂" },
  { mode: "Ω₅ᵀ", ascii: "O5T", name: "TDD-Execute", meaning: "test-driven cycles of QA and DE", loop: "Ω₃" },
  { mode: "Ω₆ⱽ", ascii: "O6V", name: "Review", meaning: "final validation", loop: "Ω₄" },
];

export const loops: Readonly<Record<Loop, string>> = {
  "Ω₁": "Design Loop",
  "Ω₂": "Plan Loop",
  "Ω₃": "TDD Loop",
  "Ω₄": "Review",
};

/** The header names of dptr; Ω₅ᵀ has the name of its loop. */
export const aliases: Readonly<Record<AgentMode, string>> = {
  "Ω₁ᴾ": "Ω₁ᴰ",
  "Ω₂ᴬ": "Ω₁ᶜ",
  "Ω₃ᴾ": "Ω₂ˢ",
  "Ω₄ᶜ": "Ω₂ᶜ",
  "Ω₅ᵀ": "Ω₃",
  QA: "Ω₃ᵍ",
  DE: "Ω₃ᴱ",
  "Ω₆ⱽ": "Ω₄ᴿ",
};

export interface ParsedMode {
  readonly mode: Mode;
  /** QA or DE if the text names one of them, else the mode. */
  readonly agent: AgentMode;
}

/** The symbols of a protocol: its own, or those of the nearest base. Null: it has no symbols. */
export function symbolSetOf({
  name,
  bases,
}: {
  readonly name: string;
  readonly bases: readonly string[];
}): SymbolSet | null {
  return [name, ...bases].find((each): each is SymbolSet => each === "riper" || each === "dptr") ?? null;
}

/**
 * Reads a mode by its symbol or in ASCII; under dptr also by a header name, and Ω₁ to Ω₄ mean the first mode of the loop.
 * @throws unknown_mode
 */
export function readMode(text: string, symbolSet: SymbolSet): ParsedMode {
  const agent = spellings[symbolSet].get(text);
  if (agent === undefined) throw unknownMode(text, symbolSet);
  return { mode: modeOf(agent), agent };
}

/** The agent with this name: a mode in any spelling, QA or DE. Null: none. */
export function findAgent(text: string, symbolSet: SymbolSet): AgentMode | null {
  return text === "QA" || text === "DE" ? text : (spellings[symbolSet].get(text) ?? null);
}

/** The author of an observation in the stored spelling: MT, QA, DE or the symbol of a mode. Null: none. */
export function findSpeaker(text: string, symbolSet: SymbolSet): AgentMode | "MT" | null {
  return text === "MT" ? text : findAgent(text, symbolSet);
}

export function modeOf(agent: AgentMode): Mode {
  return agent === "QA" || agent === "DE" ? "Ω₅ᵀ" : agent;
}

export function loopOf(agent: AgentMode): Loop {
  const mode = modeOf(agent);
  return modes.find((entry) => entry.mode === mode)?.loop ?? "Ω₃";
}

/** The ASCII spelling of a symbol: Ω, a digit and a superscript letter. */
export function asciiOf(symbol: string): string {
  return symbol.replace("Ω", "O").normalize("NFKC").toUpperCase();
}

/** The error for an unknown mode. @param place where the name is, if it is part of a line */
export function unknownMode(
  text: string,
  symbolSet: SymbolSet,
  place?: { readonly line: string; readonly column: number },
): AppError {
  const own = [...spellings[symbolSet].keys(), "QA", "DE"];
  const meant = lookAlike(text, own);
  const elsewhere = symbolSet === "riper" ? spellings.dptr.get(text) : undefined;
  const listed = modes.map(({ mode, ascii, name }) =>
    symbolSet === "riper" ? `${mode} (${ascii}) ${name}` : `${mode} (${ascii}, ${namesOf(mode)}) ${name}`,
  );
  const hints = [
    ...(meant === null ? [] : [`write ${spelled(meant)}`]),
    ...(elsewhere === undefined ? [] : [`that is a name of dptr, here it is ${elsewhere}`]),
    `the modes are ${listed.join(", ")}`,
  ];
  const where = place === undefined ? "" : `column ${place.column}: `;
  const line = place === undefined ? "" : `, in ${quoted(place.line)}`;
  return new AppError("unknown_mode", `${where}${quoted(text)} is not a mode of ${symbolSet}${line}`, {
    hint: hints.join("; "),
    detail: {
      known: modes.map(({ mode }) => mode),
      meant: meant ?? elsewhere ?? null,
      ...(place === undefined ? {} : { column: place.column }),
    },
  });
}

function namesOf(mode: Mode): string {
  return mode === "Ω₅ᵀ" ? `${aliases.QA} QA, ${aliases.DE} DE` : aliases[mode];
}

/** Spellings under both protocols. Ω₅ means Ω₅ᵀ, which replaces it. */
const common: readonly (readonly [string, AgentMode])[] = [
  ...modes.flatMap(({ mode, ascii }): (readonly [string, AgentMode])[] => [
    [mode, mode],
    [ascii, mode],
  ]),
  ["Ω₅", "Ω₅ᵀ"],
  ["O5", "Ω₅ᵀ"],
];

const agents = Object.keys(aliases) as AgentMode[];
const header = agents.map((agent): readonly [string, AgentMode] => [aliases[agent], agent]);
const bare = modes.toReversed().map(({ mode, loop }): readonly [string, AgentMode] => [loop, mode]);

const spellings: Readonly<Record<SymbolSet, ReadonlyMap<string, AgentMode>>> = {
  riper: new Map(common),
  dptr: new Map([
    ...common,
    ...[...bare, ...header].flatMap(([name, agent]): (readonly [string, AgentMode])[] => [
      [name, agent],
      [asciiOf(name), agent],
    ]),
  ]),
};
