/** The whole prompt of a node: its template, what came back to it, and how it reports. */
import type { DispatchCommand } from "../../../kernel/command.ts";
import { TDDMem } from "../../../protocol/graph-types/tdd.ts";
import { ImplMem } from "../../../protocol/graph-types/impl.ts";
import type { GraphNode, NodeMemory } from "../../../protocol/graph-types/nodes.ts";
import type { RunContext } from "../../../run/context.ts";
import { allowedCodes } from "../../../runtime/dispatch/prompt/codes.ts";
import { mayCommit } from "../../../runtime/dispatch/workspace/workspace.ts";
import type { Prompt } from "../../../runtime/family.ts";
import { briefingFor } from "./briefing.ts";
import { payloadsFor, largePayloadsSection } from "./payload-references.ts";
import { nodeAt, nodeInput } from "../input.ts";
import type { Node } from "../node.ts";
import { readStored } from "../payloads.ts";
import { feedbackSection, reportSection } from "./sections.ts";
import { renderNode } from "./templates.ts";
import { personAnswers, feedbackSince } from "./feedback.ts";

/** The templates of a graph's nodes name no tools: who writes nothing only reads. Null where a role has a template of its own. */
export async function nodePrompt(context: RunContext, command: DispatchCommand): Promise<Prompt | null> {
  const here = nodeAt(context, command);
  if (here === null) return null;
  const codes = allowedCodes(command).join(", ");
  const reading = ["Read", "Grep", "Glob", "Bash"];
  const tools = mayCommit(context, command) ? [...reading, "Write", "Edit"] : reading;
  const text = await textOf(context, { command, ...here, codes });
  return { text, message: text, codes, tools, model: null };
}

interface PromptRequest {
  readonly command: DispatchCommand;
  readonly node: Node;
  readonly as: GraphNode;
  /** The codes it may report. */
  readonly codes: string;
}

async function textOf(context: RunContext, { command, node, as, codes }: PromptRequest): Promise<string> {
  const input = await nodeInput(context, { command, node, as });
  const text = renderNode(context.templates, {
    node: as,
    input,
    memory: await memoryOf(context, node, as),
    briefing: await briefingFor(context, command, { node, as, input }),
  });
  const parts = [
    text.trimEnd(),
    feedbackSection("Since you were last asked", await feedbackSince(context, command, as)),
    feedbackSection("Answers", as === "scaffold" ? [] : personAnswers(context)),
    await largePayloadsSection(context, await payloadsFor(context, command, node)),
    reportSection(codes),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** A node's own memory and no other's (V3-55). */
export async function memoryOf(context: RunContext, { entry }: Node, as: GraphNode): Promise<NodeMemory> {
  const { tdd, impl } = entry.memory;
  const conversationId = "";
  switch (as) {
    case "tdd":
      if (tdd !== null) return readStored(context, tdd, TDDMem);
      return { conversationId, coveredCriteria: [], pendingTests: [] };
    case "impl":
      if (impl !== null) return readStored(context, impl, ImplMem);
      return { conversationId, passedTests: [], attemptHistory: [] };
    default:
      return {};
  }
}
