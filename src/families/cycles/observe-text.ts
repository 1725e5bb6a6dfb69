/** Adds the answer of an agent without Mettle's tools, without its decision, to the dialogue. */
import { fencesOf } from "../../lib/markdown.ts";
import { readStatusLine } from "../../notation/status-line.ts";
import type { AgentResult } from "../../family/agent-result.ts";
import { observe } from "./observations.ts";

/** Does nothing if the agent has the tools, the dispatch has no dialogue, or the answer has no text. */
export async function observeText({ context, command, agent, turns }: AgentResult): Promise<void> {
  if (agent.withoutMcp !== true || !command.params.includes("S") || turns.outcome.type !== "ok") return;
  const text = wordsOf(turns.final);
  if (text !== "") await observe(context, command, text);
}

const maxCharacters = 200_000;

/** The answer without its last line `→CODE: message` and the JSON block before it. */
export function wordsOf(answer: string): string {
  const lines = answer.trimEnd().split(/\r?\n/u);
  const isDecided = readStatusLine(lines.at(-1) ?? "") !== null;
  const words = (isDecided ? withoutPayload(lines.slice(0, -1)) : lines).join("\n").trim();
  return words.length <= maxCharacters ? words : `${words.slice(0, maxCharacters)}\n[… cut]`;
}

/** Removes a closed JSON block at the end, which is the payload. */
function withoutPayload(lines: readonly string[]): readonly string[] {
  const end = lines.findLastIndex((line) => line.trim() !== "");
  const fences = fencesOf(lines);
  if (fences[end]?.role !== "closes") return lines;
  const start = fences.findLastIndex(({ role }) => role === "opens");
  return /^json\b/iu.test(fences[start]?.info ?? "")
    ? [...lines.slice(0, start), ...lines.slice(end + 1)]
    : lines;
}
