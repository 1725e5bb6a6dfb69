/** The prompt of a dispatch: its template, filled with documents and with what happened since the role's last dispatch. */
import type { DispatchCommand } from "../../kernel/command.ts";
import type { RunContext } from "../context.ts";
import { renderPrompt as render } from "../templates.ts";
import { filesVariables } from "./files.ts";
import { historyVariables } from "./history.ts";
import { allowedCodes } from "./codes.ts";
import { cycleVariables } from "../cycles/variables.ts";
import { testCommand } from "./test-command.ts";
import { variableNames, type PromptVariables } from "./variables.ts";
import type { GraphNode } from "../../protocol/graph-types/nodes.ts";
import { graphNodeOf } from "../nodes/input.ts";
import { nodeOf, type Node } from "../nodes/node.ts";
import { nodePrompt } from "../nodes/prompt.ts";
import { stepsVariables } from "../steps/variables.ts";
import { mayCommit } from "./workspace.ts";

export interface Prompt {
  /** All that the agent is told. */
  readonly text: string;
  /** The same without what was said before in another conversation. */
  readonly message: string;
  /** The codes the role may report, for reminders. */
  readonly codes: string;
  readonly tools: readonly string[];
  readonly model: string | null;
}

/** @param agent `asks`: it has the tools of the dispatch, so nothing of a dialogue is put into its prompt */
export async function renderPrompt(
  context: RunContext,
  command: DispatchCommand,
  agent: { readonly asks: boolean },
): Promise<Prompt> {
  const node = nodeOf(context, command);
  const as = node === null ? null : graphNodeOf(context, command);
  if (node !== null && as !== null) return promptOfNode(context, { command, node, as });
  const { protocol, settings, started } = context;
  const name = command.template ?? protocol.roles[command.role]?.template ?? command.role;
  const codes = allowedCodes(command).join(", ");
  const { attempt, limit } = attemptOf(command);
  const variables: PromptVariables = {
    ...nothing,
    task: started.task,
    allowed_codes: codes,
    attempt,
    limit,
    paths_tests: settings.paths.tests.join(", "),
    paths_source: settings.paths.source.join(", "),
    test_command: testCommand(settings),
    ...(await filesVariables(context, command)),
    ...(await historyVariables(context, command)),
    ...(await cycleVariables(context, command, agent)),
    ...(await stepsVariables(context, command)),
  };
  const { meta, prompt } = render({ name, templates: Object.fromEntries(context.templates), variables });
  return { text: prompt, message: prompt, codes, tools: meta.tools, model: meta.model ?? null };
}

/** The templates of a graph's nodes name no tools: who writes nothing only reads. */
async function promptOfNode(
  context: RunContext,
  asked: { readonly command: DispatchCommand; readonly node: Node; readonly as: GraphNode },
): Promise<Prompt> {
  const codes = allowedCodes(asked.command).join(", ");
  const reading = ["Read", "Grep", "Glob", "Bash"];
  const tools = mayCommit(context, asked.command) ? [...reading, "Write", "Edit"] : reading;
  const text = await nodePrompt(context, { ...asked, codes });
  return { text, message: text, codes, tools, model: null };
}

const nothing: PromptVariables = Object.fromEntries(variableNames.map((name) => [name, undefined]));

/** Which counter tells a role its attempt. */
const attempts: Readonly<Record<string, string>> = {
  intake: "documents",
  planner: "documents",
  tester: "red",
  coder: "green",
};

function attemptOf(command: DispatchCommand): { readonly attempt: string; readonly limit: string } {
  const count = command.counters[attempts[command.role] ?? ""];
  return { attempt: String(count?.value ?? 1), limit: String(count?.limit ?? 1) };
}
