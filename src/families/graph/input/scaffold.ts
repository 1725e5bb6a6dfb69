/** Input of Scaffold: its spec, its parent's context, and the feedback that re-entered it (V3-20, 25, 68). */
import type { Cause, DispatchCommand } from "../../../kernel/command.ts";
import { feedbackOf, MergeFailed, type Feedback } from "../../../protocol/graph-types/feedback.ts";
import type { NodeInput } from "../../../protocol/graph-types/nodes.ts";
import { RebaseConflict } from "../../../protocol/graph-types/rebaser.ts";
import { ParentContext } from "../../../protocol/graph-types/scaffold.ts";
import type { Spec } from "../../../protocol/graph-types/shared.ts";
import { wordOf } from "../../../protocol/routes.ts";
import type { RunContext } from "../../../run/context.ts";
import { exportersOf } from "../exporters.ts";
import { resultOf } from "../history.ts";
import { specOf } from "../facts.ts";
import { nodeOf, type Node } from "../node.ts";
import { acceptedOf, decisionPayload, readStored } from "../payloads.ts";
import { quoteNotes } from "../prompt/spec-quote.ts";

export async function scaffoldInput(
  context: RunContext,
  command: DispatchCommand,
  node: Node,
): Promise<NodeInput<"scaffold">> {
  const { entry, depth } = node;
  const spec = await specOf(context, entry);
  const parentContext =
    entry.parentContext === null ? null : await readStored(context, entry.parentContext, ParentContext);
  const feedback = await Promise.all(
    command.causes.map((cause) => feedbackFrom(context, { cause, node, spec })),
  );
  return {
    spec,
    parentContext,
    feedback: feedback.flat(),
    depth,
    maxDepth: context.settings.graph.maxDepth,
  };
}

interface FeedbackCause {
  readonly cause: Cause;
  readonly node: Node;
  readonly spec: Spec;
}

async function feedbackFrom(context: RunContext, source: FeedbackCause): Promise<readonly Feedback[]> {
  const { cause, node } = source;
  const child = childOf(context, cause, node);
  if (child !== null) return childFeedback(context, { cause, child, spec: source.spec });
  const result = resultOf(context, cause.key);
  if (result === null) return [];
  switch (result.command.type) {
    case "dispatch":
      return [await exitFeedback(context, source)];
    case "ask":
      return [feedbackOf("Answer", { answer: result.text })];
    default:
      // A passed gate only starts a child and gives no feedback.
      return /^(fail|rejected)\b/u.test(cause.outcome)
        ? [await gateFeedback(context, cause, result.text)]
        : [];
  }
}

/** A gate that aborted a rebase reports the same RebaseConflict as the Rebaser (V3-13, 64). */
async function gateFeedback({ payloads }: RunContext, cause: Cause, reasons: string): Promise<Feedback> {
  const stored: unknown = cause.payload === undefined ? null : JSON.parse(await payloads.text(cause.payload));
  const conflict = RebaseConflict.safeParse(stored);
  return conflict.success
    ? feedbackOf("RebaseConflict", conflict.data)
    : feedbackOf("Refused", { by: cause.path, reasons });
}

async function exitFeedback(context: RunContext, { cause, node, spec }: FeedbackCause): Promise<Feedback> {
  const payload = await payloadOf(context, cause);
  const exit = wordOf(cause.outcome);
  return feedbackOf(exit, payload, [
    ...(await exportersOf(context, node, payload)),
    ...quoteNotes(spec, payload),
  ]);
}

/** The child that ended or has a question; null if the cause belongs to the node itself. */
function childOf(context: RunContext, { path, key }: Cause, node: Node): Node | null {
  const frame = context.session.view.commands[key]?.command.frame;
  const place = context.session.state.frames[path] === undefined ? frame : path;
  if (place === undefined || place === node.frame || context.session.state.frames[place] === undefined)
    return null;
  const found = nodeOf(context, { frame: place });
  return found !== null && found.parent === node.id ? found : null;
}

async function childFeedback(
  context: RunContext,
  { cause, child, spec }: { readonly cause: Cause; readonly child: Node; readonly spec: Spec },
): Promise<readonly Feedback[]> {
  const childId = child.id;
  if (cause.outcome === "asked") {
    const payload = await payloadOf(context, cause);
    return [feedbackOf("ClarificationNeeded", { childId, ...payload }, quoteNotes(spec, payload))];
  }
  const failed = await acceptedOf(context, { entry: child.entry, exit: "MergeFailed", type: MergeFailed });
  return [feedbackOf("MergeFailed", failed ?? { childId, reason: cause.outcome })];
}

async function payloadOf(context: RunContext, { payload }: Cause): Promise<object> {
  if (payload === undefined) return {};
  const found = await decisionPayload(context, payload);
  return typeof found === "object" && found !== null ? found : {};
}
