/** The text of a node's question to a person: node, reported fields, and the attempts of Impl (V3-67, 69, 70). */
import { wordOf } from "../../../protocol/routes.ts";
import type { AskCommand } from "../../../kernel/command.ts";
import { ImplMem } from "../../../protocol/graph-types/impl.ts";
import { safeLine } from "../../../lib/safe-text.ts";
import type { RunContext } from "../../../run/context.ts";
import type { Attempts } from "../../../family/family.ts";
import { specOf } from "../facts.ts";
import { nodeOf } from "../node.ts";
import { nodeDispute } from "./node-dispute.ts";
import { decisionPayload, readStored } from "../payloads.ts";
import { quoteNotes } from "../prompt/spec-quote.ts";
import { effectiveExit } from "../effective-exit.ts";

/** The attempts of the node's Impl, whatever stopped it. */
export function attemptsOfNode(context: RunContext, ask: AskCommand): Attempts | null {
  const node = nodeOf(context, ask);
  if (node === null) return null;
  const { value = 1, limit = 1 } = ask.counters["attempt"] ?? {};
  return { value, limit, reset: node.entry.head };
}

export async function nodeAskLines(context: RunContext, ask: AskCommand): Promise<readonly string[]> {
  const node = nodeOf(context, ask);
  if (node === null) return [];
  const causeText = await Promise.all(ask.causes.slice(-1).map((cause) => causeLines(context, ask, cause)));
  const disputed = await nodeDispute(context, ask, node);
  const asker = askerOf(context, ask.causes.at(-1)?.key ?? "");
  return [
    `  node: ${node.id}`,
    ...(asker === null || asker === node.id ? [] : [`  question from: ${asker}`]),
    ...(ask.trip === undefined
      ? []
      : [`  limit ${ask.trip.counter} used up: ${ask.trip.value} of ${ask.trip.limit}`]),
    ...(disputed.length > 0 ? disputed : causeText.flat()),
    ...(ask.as === "escalated" ? await attempts(context, node.entry.memory.impl) : []),
  ];
}

/** An exit with its fields, or a gate with its reasons. */
async function causeLines(
  context: RunContext,
  ask: AskCommand,
  { key, outcome }: AskCommand["causes"][number],
): Promise<readonly string[]> {
  const { commands, judged } = context.session.view;
  const entry = commands[key];
  const result = entry?.result;
  if (!entry || !result) return [];
  if (entry.command.type !== "dispatch") {
    const reasons = judged.findLast((gate) => gate.key === key)?.reasons ?? [];
    return [`  ${entry.command.state}: ${outcome}`, ...reasons.map((reason) => `    - ${safeLine(reason)}`)];
  }
  const payload = result.payload === null ? null : await decisionPayload(context, result.payload);
  const reported = typeof payload === "object" && payload !== null ? payload : {};
  const { word, fields } = effectiveExit({ word: wordOf(outcome), fields: reported }, ask.trip);
  const node = nodeOf(context, ask);
  // Without a payload the spec is not read, since the spec itself may be unreadable.
  const isMute = node === null || payload === null;
  const notes = isMute ? [] : quoteNotes(await specOf(context, node.entry), fields);
  return [
    `  ${word}${result.text === null || result.text === "" ? "" : `: ${safeLine(result.text)}`}`,
    ...Object.entries(fields).map(([name, value]) => `    ${name}: ${fieldText(value)}`),
    ...notes.map((note) => `    ${note}`),
  ];
}

/** The node whose Scaffold has the question; the nodes above passed it on (V3-68). */
function askerOf(context: RunContext, key: string): string | null {
  const command = context.session.view.commands[key]?.command;
  if (command === undefined || command.type !== "dispatch") return null;
  const passed = command.causes.findLast(({ outcome }) => outcome === "asked");
  const deeper = passed === undefined ? null : askerOf(context, passed.key);
  return deeper ?? nodeOf(context, command)?.id ?? null;
}

async function attempts(context: RunContext, ref: string | null): Promise<readonly string[]> {
  if (ref === null) return ["  no attempt was judged yet"];
  const { attemptHistory } = await readStored(context, ref, ImplMem);
  if (attemptHistory.length === 0) return [];
  return [
    "  Attempts so far:",
    ...attemptHistory.map(
      ({ strategy, outcome }, index) => `    ${index + 1}. ${safeLine(strategy)}: ${safeLine(outcome)}`,
    ),
  ];
}

function fieldText(value: unknown): string {
  if (typeof value === "string") return safeLine(value);
  if (Array.isArray(value) && value.every((item) => typeof item === "string"))
    return safeLine(value.join(", "));
  return safeLine(JSON.stringify(value));
}
