/**
 * The feedback for a node since its last dispatch: results that came back, gate reasons, and a person's answers. TDD
 * gets nothing of Impl's reasoning (V3-46).
 */
import type { Verdict } from "../../../gates/verdict.ts";
import type { DispatchCommand } from "../../../kernel/command.ts";
import { feedbackOf, type Feedback } from "../../../protocol/graph-types/feedback.ts";
import type { GraphNode } from "../../../protocol/graph-types/nodes.ts";
import { wordOf } from "../../../protocol/routes.ts";
import type { RunContext } from "../../../run/context.ts";
import { resultOf, resultsOf, sinceRole, type NodeResult } from "../history.ts";
import { decisionPayload } from "../payloads.ts";

/** Exits of other dispatches that a role gets as feedback. Scaffold gets its feedback as input. */
const exitsWithFeedback: Readonly<Record<GraphNode, readonly string[]>> = {
  scaffold: [],
  tdd: ["MoreTests", "TI"],
  impl: ["RequestRetry", "MergeRejected", "RebaseConflict"],
  merger: [],
  rebaser: [],
};

/** Gates whose refusal a role gets as feedback. */
const gatesWithFeedback: Readonly<Record<GraphNode, readonly string[]>> = {
  scaffold: [],
  tdd: ["node_red", "node_contracts"],
  impl: ["node_green", "squash", "node_rebased"],
  merger: [],
  rebaser: ["onto_parent", "node_rebased"],
};

export async function feedbackSince(
  context: RunContext,
  command: DispatchCommand,
  as: GraphNode,
): Promise<readonly Feedback[]> {
  // A reviewer judges the work alone, not what was reported about it.
  if (command.mode === "ReviewImpl") return [];
  // The answers to its own questions are in its input.
  if (as === "scaffold")
    return personAnswers(
      context,
      command.causes.map(({ key }) => key),
    );
  const since = [
    ...parentFindings(context, command),
    ...sinceRole(resultsOf(context, command.frame), command.role),
  ];
  const lists = await Promise.all(since.map((happened) => feedback(context, happened, as)));
  return lists.flat();
}

/** What the parent found in a child that had ended (V3-28). */
function parentFindings(context: RunContext, { frame, causes }: DispatchCommand): readonly NodeResult[] {
  const above = causes.flatMap(({ key }) => resultOf(context, key) ?? []);
  return above.filter(({ command }) => command.frame !== frame);
}

async function feedback(
  context: RunContext,
  happened: NodeResult,
  as: GraphNode,
): Promise<readonly Feedback[]> {
  const { command, outcome, payload, text } = happened;
  const word = wordOf(outcome);
  switch (command.type) {
    case "dispatch": {
      if (!exitsWithFeedback[as].includes(word)) return [];
      const fields = payload === null ? null : await decisionPayload(context, payload);
      const reported = typeof fields === "object" && fields !== null ? fields : {};
      return [feedbackOf(word, word === "TI" ? { reason: text, ...reported } : reported)];
    }
    case "check":
    case "merge":
    case "rebase":
      if (!gatesWithFeedback[as].includes(command.gate) || !isRefusal(outcome)) return [];
      return [feedbackOf(`refused by ${command.gate}`, await refusalOf(context, happened))];
    case "ask":
      return text === "" ? [] : [feedbackOf(`A person answered ${outcome}`, { text })];
    default:
      return [];
  }
}

/** For a squash and a rebase the fields of the exit; for a check its reasons and the end of its output. */
async function refusalOf({ payloads }: RunContext, { payload, text }: NodeResult): Promise<object> {
  const stored: unknown = payload === null ? null : JSON.parse(await payloads.text(payload));
  if (stored === null || typeof stored !== "object") return { reasons: text };
  if (!("checks" in stored)) return stored;
  const { findings } = stored as Verdict;
  const output = findings.find(({ code }) => code === "output")?.message;
  return { reasons: text, ...(output === undefined ? {} : { output }) };
}

function isRefusal(outcome: string): boolean {
  return /^(fail|rejected|repair)\b/u.test(outcome);
}

/** All answers of a person so far, to any node: shown to every later node (V3-67). */
export function personAnswers({ session }: RunContext, known: readonly string[] = []): readonly Feedback[] {
  const { order, commands } = session.view;
  return order.flatMap((key) => {
    const entry = known.includes(key) ? undefined : commands[key];
    if (entry?.command.type !== "ask" || entry.result?.outcome !== "answer") return [];
    return entry.result.text === null || entry.result.text === ""
      ? []
      : [feedbackOf("A person answered", { text: entry.result.text })];
  });
}
