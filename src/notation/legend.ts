/** All symbols of RIPER·Σ and DPTR·Σ with their meanings and, where people type them, ASCII spellings. Pure. */
import type { Protocol } from "../protocol/machine.ts";
import { parameters } from "./dispatch-line.ts";
import { codesIn, leadsOf, type Lead } from "./leads.ts";
import { aliases, asciiOf, loops, modes, type SymbolSet } from "./modes.ts";
import { phases } from "./phases.ts";
import { memoryNames, type MemoryNumber } from "./memory-reference.ts";
import { statuses } from "./status-line.ts";

export interface LegendSymbol {
  readonly symbol: string;
  readonly meaning: string;
  /** Other accepted spellings. */
  readonly also: readonly string[];
}

export interface LegendGroup {
  readonly title: string;
  readonly symbols: readonly LegendSymbol[];
}

export interface LegendStatus {
  readonly code: string;
  readonly meaning: string;
  readonly leads: readonly Lead[];
}

export interface Legend {
  readonly groups: readonly LegendGroup[];
  readonly statuses: readonly LegendStatus[];
}

export function legendOf(protocol: Protocol, symbolSet: SymbolSet): Legend {
  const riper = symbolSet === "riper";
  return {
    groups: [
      { title: "Modes", symbols: modes.flatMap((entry) => modeSymbols(entry, symbolSet)) },
      ...(riper ? [] : [{ title: "Loops", symbols: loopSymbols }]),
      { title: "Phases of a cycle in Ω₅ᵀ", symbols: phaseSymbols },
      { title: "Roles", symbols: roleSymbols(symbolSet) },
      { title: "Memory", symbols: memorySymbols(riper) },
      ...(riper ? [{ title: "Audits of a design", symbols: auditSymbols }] : []),
      { title: "Sessions", symbols: sessionSymbols(riper) },
      { title: "Decision", symbols: [of("∇", "decision of Ω₂ᴬ: ACCEPT, REVISE or REJECT")] },
      { title: "Flow", symbols: flowSymbols },
      { title: "Logic", symbols: logicSymbols },
      { title: "Signs", symbols: riper ? [...signs, ...riperSigns] : signs },
      { title: "Lines", symbols: lines },
      {
        title: "Parameters of a dispatch",
        symbols: Object.entries(parameters).map(([name, text]) => of(name, text)),
      },
    ],
    statuses: codesIn(protocol).map((code) => ({
      code,
      meaning: meanings.get(code) ?? "a code of this protocol's own",
      leads: leadsOf(protocol, code),
    })),
  };
}

const meanings = new Map<string, string>(Object.entries(statuses));

function of(symbol: string, meaning: string, ...also: readonly string[]): LegendSymbol {
  return { symbol, meaning, also };
}

function modeSymbols(
  { mode, ascii, name, meaning }: (typeof modes)[number],
  symbolSet: SymbolSet,
): readonly LegendSymbol[] {
  const text = `${name}: ${meaning}`;
  if (mode !== "Ω₅ᵀ") {
    const alias = aliases[mode];
    return [symbolSet === "riper" ? of(mode, text, ascii) : of(mode, text, ascii, alias, asciiOf(alias))];
  }
  return [of(mode, text, ascii), of("Ω₅", "execution, which is always Ω₅ᵀ", "O5")];
}

const loopSymbols = Object.entries(loops).map(([loop, name]) =>
  of(loop, `${name}; in input its first mode`, asciiOf(loop)),
);

const phaseSymbols: readonly LegendSymbol[] = [
  ...phases.map(({ phase, meaning, spellings: [ascii, ...others] }) =>
    ascii === undefined ? of(phase, meaning) : of(phase, meaning, ascii, ...others),
  ),
  of("ℜᶠ", "REFACTOR: QA and DE in turn", "Ω₅ᶠ"),
];

function roleSymbols(symbolSet: SymbolSet): readonly LegendSymbol[] {
  const names = (agent: "QA" | "DE") =>
    symbolSet === "riper" ? [] : [aliases[agent], asciiOf(aliases[agent])];
  return [
    of("MT", "Main Thread: Mettle itself, which schedules everybody else"),
    of("QA", "writes, refactors and defends the tests in Ω₅ᵀ", ...names("QA")),
    of("DE", "writes and refactors the implementation in Ω₅ᵀ", ...names("DE")),
  ];
}

const memoryMeanings: Readonly<Record<MemoryNumber, string>> = {
  1: "brief",
  2: "patterns",
  3: "tech",
  4: "context and state",
  5: "progress",
  6: "protection",
};

function memorySymbols(riper: boolean): readonly LegendSymbol[] {
  const numbers = ([1, 2, 3, 4, 5, 6] as const).filter((number) => riper || number !== 6);
  return [
    of("σ", "memory bank"),
    ...numbers.map((number) => of(memoryNames[number], memoryMeanings[number], `s${number}`)),
    ...(riper ? [of("Ω_current", "the mode a run is in, kept in σ₄")] : []),
    of("[↗️σₓ:Rₓ]", "reference to what is marked [Rₓ] in the memory file σₓ", "[->s2:R1]"),
  ];
}

const auditSymbols = [
  of("Λ₁", "audit of the architecture, the design as a whole", "L1"),
  of("Λ₂", "audit of one module, the low-level design", "L2"),
];

function sessionSymbols(riper: boolean): readonly LegendSymbol[] {
  const plan = "dialogue of planner and critic, session_id";
  const tdd = "dialogue of QA and DE in one cycle, tdd_session_id";
  if (!riper)
    return [
      of("session_id", "dialogue of planner and critic"),
      of("tdd_session_id", "dialogue of QA and DE in one cycle"),
    ];
  return [of("S_p", plan), of("S_t", tdd), of("Ω_session", "the agent now at work, for as long as it is")];
}

const flowSymbols = [
  of("→", "flow: leads to; before a code, a response", "->"),
  of("↔", "interact: both work with each other"),
  of("⟷", "loop: both answer each other until they agree"),
  of("⟲", "iterate: once more, in a new round or cycle"),
];

const logicSymbols = [
  of("∈", "is one of"),
  of("∃", "there is"),
  of("∧", "and"),
  of("∨", "or"),
  of("¬", "not"),
];

const signs = [of("✅", "success"), of("❌", "failure"), of("⚠️", "warning")];
const riperSigns = [of("🔄", "at work"), of("Ψ", "standards of the tests: those of the RED gate")];

const lines = [
  of("Agent[…]", "dispatch: whom the Main Thread asks, with the parameters it requires"),
  of(
    "→CODE: message",
    "response: the code decides what comes next, the message is optional",
    "-> CODE: message",
  ),
  of("OBS[S{sid},R{n},A:{agent},T:{timestamp}]: {content}", "observation in a dialogue"),
  of("OBS[S{sid},R{current},*,*]", "query: everything of the current round"),
  of("OBS[S{sid},R{n-1},*,*]", "query: everything of the previous round"),
  of("OBS[S{sid},*,A:{agent},*]", "query: everything of one agent"),
];

/** One line for each symbol and code, and one for each place that a code leads to. */
export function printLegend({ groups, statuses: codes }: Legend): string {
  const symbols = groups.flatMap(({ title, symbols: of_ }) => [
    title,
    ...of_.map(
      ({ symbol, meaning, also }) =>
        `  ${symbol.padEnd(12)}  ${meaning}${also.length === 0 ? "" : ` (also ${also.join(", ")})`}`,
    ),
    "",
  ]);
  const codeLines = codes.flatMap(({ code, meaning, leads }) => [
    `  ${code.padEnd(12)}  ${meaning}`,
    ...waysOf(leads),
  ]);
  return [...symbols, "Status codes, and where they lead", ...codeLines].join("\n");
}

/** One line for each target, with all agents that the code leads there. */
function waysOf(leads: readonly Lead[]): readonly string[] {
  const places = [...new Set(leads.map(({ to }) => to))];
  return places.map((place) => {
    const agents = new Set(leads.filter(({ to }) => to === place).map(({ agent }) => agent));
    return `${" ".repeat(16)}${[...agents].join(", ")} → ${place}`;
  });
}
