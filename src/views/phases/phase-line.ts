/** The line of a phase: symbol, name, agent, time, verdict in words, cost. Pure: the caller passes the time. */
import { columnsOf, splitColumns } from "../../lib/columns.ts";
import { safeLine } from "../../lib/safe-text.ts";
import type { RunView } from "../../log/run-view.ts";
import { elapsedText } from "../run/progress-line.ts";
import { cell, cutTo, type Span, type StyledLine, type Tone } from "../styled.ts";
import type { Phase } from "./phase.ts";
import { phaseVerdict, type VerdictKind } from "./phase-verdict.ts";

type Of = Pick<Phase, "name" | "node" | "keys">;

/** Widths of name, agent and time from so many columns on; a narrow terminal shows the verdict before the agent. */
const layouts = [
  { from: 110, name: 34, agent: 26, time: 7 },
  { from: 72, name: 22, agent: 16, time: 7 },
  { from: 48, name: 20, agent: 0, time: 7 },
  { from: 0, name: 16, agent: 0, time: 0 },
] as const;
const [wide] = layouts;

const symbols: Readonly<Record<VerdictKind, string>> = {
  good: "✓",
  bad: "✗",
  waits: "?",
  unknown: "!",
  claim: "•",
  none: "-",
};

const tones: Readonly<Record<VerdictKind, Tone>> = {
  good: "good",
  bad: "bad",
  waits: "warn",
  unknown: "warn",
  claim: "dim",
  none: "dim",
};

/**
 * The line of an ended phase; words that do not fit go on in the next line, below the first ones.
 * @param columns of the terminal; null: words are not wrapped
 */
export function phaseLines(phase: Of, view: RunView, columns: number | null): readonly StyledLine[] {
  const { kind, words } = phaseVerdict(phase, view);
  const { start, width } = columnsFor(phase, view, {
    columns: columns ?? wide.from,
    ms: endedMs(phase, view),
  });
  const room = columns === null ? Infinity : Math.max(10, columns - width);
  const cost = costText(phase, view);
  const [first = "", ...more] = splitWords(cost === null ? words : `${words}  ${cost}`, room);
  const isCostHere = cost !== null && first.endsWith(cost);
  const verdict = isCostHere ? first.slice(0, -cost.length) : first;
  return [
    [
      { text: ` ${symbols[kind]} `, tone: tones[kind] },
      ...start,
      { text: verdict, tone: tones[kind] },
      ...(isCostHere ? [{ text: cost, tone: "dim" as const }] : []),
    ],
    ...more.map((text): StyledLine => [{ text: " ".repeat(width) }, { text, tone: tones[kind] }]),
  ];
}

/** The line of a phase at work. @param doing what its agent or the tests do now */
export function runningLine(
  phase: Of,
  view: RunView,
  {
    columns,
    nowMs,
    spinner,
    doing,
  }: { readonly columns: number; readonly nowMs: number; readonly spinner: string; readonly doing: string },
): StyledLine {
  const { start, width } = columnsFor(phase, view, { columns, ms: nowMs - beganMs(phase, view) });
  return [
    { text: ` ${spinner} ` },
    ...start,
    { text: cutTo(safeLine(doing), Math.max(0, columns - width - 1)), tone: "dim" },
  ];
}

/** Name, agent and time in columns; a wide terminal has wider ones. */
function columnsFor(
  phase: Of,
  view: RunView,
  { columns, ms }: { readonly columns: number; readonly ms: number },
): { readonly start: readonly Span[]; readonly width: number } {
  const layout = layouts.find(({ from }) => columns >= from) ?? wide;
  const name = phase.node === null ? phase.name : `${phase.node} ${phase.name}`;
  const agent = layout.agent === 0 ? "" : `${cell(agentsIn(phase, view, layout.agent), layout.agent)} `;
  const time = layout.time === 0 ? "" : `${cell(timeText(ms), layout.time, "right")}  `;
  return {
    start: [{ text: `${cell(safeLine(name), layout.name)} ` }, { text: `${agent}${time}`, tone: "dim" }],
    width: 3 + layout.name + 1 + columnsOf(`${agent}${time}`),
  };
}

/** `coder (claude)`, `gemini, claude`; mettle itself judges, a person answers. */
export function agentsText({ keys }: Of, { commands, dispatches }: RunView): string {
  const entries = keys.flatMap((key) => commands[key] ?? []);
  const roles = entries.flatMap(({ command }) => (command.type === "dispatch" ? [command.role] : []));
  if (roles.length === 0) return entries.some(({ command }) => command.type === "ask") ? "you" : "mettle";
  const agents = new Set(keys.flatMap((key) => dispatches[key]?.agent ?? []));
  const [agent] = agents;
  const names = [...new Set(roles)].join(", ");
  return agents.size !== 1 || agent === undefined || agent === names ? names : `${names} (${agent})`;
}

/** The roles alone where the agent's name has no room. */
function agentsIn(phase: Of, view: RunView, room: number): string {
  const text = safeLine(agentsText(phase, view));
  return columnsOf(text) <= room ? text : text.replace(/ \([^()]*\)$/u, "");
}

function costText({ keys }: Of, { used }: RunView): string | null {
  const costs = keys.flatMap((key) => used[key]?.costUsd ?? []);
  return costs.length === 0 ? null : `$${costs.reduce((sum, cost) => sum + cost, 0).toFixed(2)}`;
}

function beganMs({ keys }: Of, { commands }: RunView): number {
  return Math.min(...keys.flatMap((key) => commands[key]?.at ?? []).map((at) => Date.parse(at)));
}

function endedMs(phase: Of, { commands }: RunView): number {
  const ends = phase.keys.flatMap((key) => commands[key]?.result?.at ?? []).map((at) => Date.parse(at));
  return ends.length === 0 ? 0 : Math.max(...ends) - beganMs(phase, { commands } as RunView);
}

/** `0.4s` below ten seconds, then as everywhere. */
function timeText(ms: number): string {
  return ms < 10_000 ? `${(Math.max(0, ms) / 1000).toFixed(1)}s` : elapsedText(ms);
}

function splitWords(text: string, room: number): readonly string[] {
  if (columnsOf(text) <= room) return [text];
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const joined = line === "" ? word : `${line} ${word}`;
    if (line !== "" && columnsOf(joined) > room) {
      lines.push(line);
      line = word;
    } else line = joined;
  }
  return [...lines, line].flatMap((one) => splitColumns(one, { first: room, next: room }));
}
