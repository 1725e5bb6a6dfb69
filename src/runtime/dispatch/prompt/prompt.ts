/** The prompt of a dispatch: its template, filled with documents and with what happened since the role's last dispatch. */
import type { DispatchCommand } from "../../../kernel/command.ts";
import type { FamilyRun, Prompt } from "../../family.ts";
import { renderPrompt as render } from "../../start/templates.ts";
import { filesVariables } from "../workspace/files.ts";
import { historyVariables } from "./history.ts";
import { allowedCodes } from "./codes.ts";
import { testCommand } from "./test-command.ts";
import { variableNames, type PromptVariables } from "./variables.ts";

/** @param agent `asks`: it has the tools of the dispatch, so nothing of a dialogue is put into its prompt */
export async function renderPrompt(
  context: FamilyRun,
  command: DispatchCommand,
  agent: { readonly asks: boolean },
): Promise<Prompt> {
  const own = await context.family.prompt(context, command);
  if (own !== null) return own;
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
    ...(await context.family.variables(context, command, agent)),
  };
  const { meta, prompt } = render({ name, templates: Object.fromEntries(context.templates), variables });
  return { text: prompt, message: prompt, codes, tools: meta.tools, model: meta.model ?? null };
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
