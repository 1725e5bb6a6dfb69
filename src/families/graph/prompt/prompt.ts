/** The whole prompt of a node: its template, the feedback, and how to report. */
import type { DispatchCommand } from "../../../kernel/command.ts";
import { TDDMem } from "../../../protocol/graph-types/tdd.ts";
import { ImplMem } from "../../../protocol/graph-types/impl.ts";
import type { GraphNode, NodeMemory } from "../../../protocol/graph-types/nodes.ts";
import type { RunContext } from "../../../run/context.ts";
import { allowedCodes } from "../../../dispatch/prompt/codes.ts";
import { mayCommit } from "../../../dispatch/workspace/workspace.ts";
import type { Prompt } from "../../../family/family.ts";
import { briefingFor } from "./briefing.ts";
import { payloadsFor, largePayloadsSection } from "./payload-references.ts";
import { nodeAt, nodeInput } from "../input.ts";
import type { Node } from "../node.ts";
import { readStored } from "../payloads.ts";
import { feedbackSection, reportSection } from "./sections.ts";
import { renderNode } from "./templates.ts";
import { personAnswers, feedbackSince } from "./feedback.ts";

/** Graph templates name no tools: a role that writes nothing gets the reading tools. Null for a custom template. */
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
  /** Codes that the agent may report. */
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
    feedbackSection("Since your last dispatch", await feedbackSince(context, command, as)),
    feedbackSection("Answers", as === "scaffold" ? [] : personAnswers(context)),
    await largePayloadsSection(context, await payloadsFor(context, command, node)),
    reportSection(codes),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** The node's own memory only (V3-55). */
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
