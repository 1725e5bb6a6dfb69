/**
 * The text of a stopped loop of RIPER or DPTR: what stopped it, its rounds with their codes and findings, and the last
 * words of each side (TDP-18, TDP-25, TDP-63).
 */
import { findingsOf } from "../../gates/payloads/findings.ts";
import type { AskCommand } from "../../kernel/command.ts";
import { lastLines } from "../../lib/text.ts";
import type { CommandEntry } from "../../log/commands.ts";
import type { RunView } from "../../log/run-view.ts";
import { safeLine } from "../../lib/safe-text.ts";
import type { RunContext } from "../../run/context.ts";
import { issuesIn } from "./critique.ts";
import { reportOf } from "./history.ts";

type LoopContext = Pick<RunContext, "session" | "payloads">;
type Entry = CommandEntry & { readonly key: string };

const maxLines = 80;

/** Empty for a run without modes. */
export async function loopLines(context: LoopContext, ask: AskCommand): Promise<readonly string[]> {
  const { view } = context.session;
  const entries = entriesOf(view, ask);
  if (entries.length === 0) return [];
  const rounds = await Promise.all(entries.map((entry) => roundLines(context, entry)));
  return [
    `Stopped by: ${stopper(view, ask)}`,
    "Rounds:",
    ...rounds
      .flat()
      .slice(-maxLines)
      .map((line) => `  ${line}`),
    ...lastWords(view, { ask, entries }),
    ...(await lastOutput(context, ask)),
  ];
}

/** The changes that a critic or reviewer requests, for the question to a person (DPT-02, TDP-30). */
export async function requestedChanges(
  context: LoopContext,
  { causes }: AskCommand,
): Promise<readonly string[]> {
  const { commands } = context.session.view;
  const lines = causes.map(async ({ key, outcome }) => {
    const entry = commands[key];
    const wants = outcome === "REVISE" || outcome === "NEEDS_CHANGE";
    return wants && entry?.line !== undefined ? roundLines(context, { ...entry, key }) : [];
  });
  return (await Promise.all(lines)).flat();
}

/** The commands of the asking dialogue, else of the design loop. */
function entriesOf({ order, commands }: RunView, ask: AskCommand): readonly Entry[] {
  return order.flatMap((key) => {
    const entry = commands[key];
    if (!entry?.result) return [];
    const { mode, session } = entry.command;
    const isOwn = ask.session === undefined ? mode === "Ω₁ᴾ" || mode === "Ω₂ᴬ" : session === ask.session;
    const isShown = entry.line !== undefined || entry.result.outcome.startsWith("fail");
    return isOwn && isShown && entry.command.type !== "ask" ? [{ ...entry, key }] : [];
  });
}

function stopper({ commands }: RunView, { trip, causes, text }: AskCommand): string {
  if (trip) return `limits.${trip.counter}, ${trip.value} of ${trip.limit} used`;
  const entry = commands[causes.at(-1)?.key ?? ""];
  return entry ? reportLine(entry) : text;
}

async function roundLines(context: LoopContext, entry: Entry): Promise<readonly string[]> {
  const found = await findingsIn(context, entry);
  return [reportLine(entry), ...found.map((finding) => `  - ${safeLine(finding)}`)];
}

/** `Ω₄ᶜ[R1,CTX:disagree] →NR: text`, or for a gate `refactor: fail`. */
function reportLine({ command, line, result }: CommandEntry): string {
  const { outcome = "", text = null } = result ?? {};
  if (line === undefined) return `${command.type === "check" ? command.gate : command.state}: ${outcome}`;
  return `${withoutSession(line)} →${outcome}${text ? `: ${safeLine(text)}` : ""}`;
}

async function findingsIn(context: LoopContext, entry: Entry): Promise<readonly string[]> {
  const outcome = entry.result?.outcome ?? "";
  if (outcome === "NEEDS_CHANGE") return findingsOf((await reportOf(context, entry)) ?? { message: "" });
  if (outcome === "REVISE") {
    const issues = issuesIn((await reportOf(context, entry))?.payload);
    return issues.map(({ problem, suggestion }) => `${problem} (suggestion: ${suggestion})`);
  }
  if (entry.command.type !== "check") return [];
  return context.session.view.judged.findLast(({ key }) => key === entry.key)?.reasons ?? [];
}

interface Loop {
  readonly ask: AskCommand;
  readonly entries: readonly Entry[];
}

/** The newest observation of each agent, else the message of its newest report. */
function lastWords({ observed }: RunView, { ask, entries }: Loop): readonly string[] {
  const agents = new Set(entries.flatMap(({ line }) => line?.split("[")[0] ?? []));
  return [...agents].flatMap((name) => {
    const observation = observed.findLast(({ session, agent }) => session === ask.session && agent === name);
    const report = entries.findLast(({ line }) => line?.startsWith(`${name}[`));
    const words = observation?.excerpt ?? report?.result?.text ?? "";
    return words === "" ? [] : [`Last of ${name}: ${safeLine(words)}`];
  });
}

/** Output of an agent that could not finish. */
async function lastOutput({ session, payloads }: LoopContext, ask: AskCommand): Promise<readonly string[]> {
  const ref = session.view.outputs[ask.causes.at(-1)?.key ?? ""];
  if (ask.state !== "trouble" || ref === undefined) return [];
  const lines = lastLines(await payloads.text(ref), 5).filter((line) => line.trim() !== "");
  return lines.length === 0 ? [] : ["Last output:", ...lines.map((line) => `  ${line}`)];
}

function withoutSession(line: string): string {
  return line.replace(/S(?:PLAN|TDD)_[^,\]]*,?/u, "");
}
