/** Renders the prompt of a dispatch: its template, with documents and the history since the role's last dispatch. */
import type { DispatchCommand } from "../../kernel/command.ts";
import type { FamilyRun, Prompt } from "../../family/family.ts";
import { renderPrompt as render, type Variables } from "../../protocol/template.ts";
import { filesVariables } from "../workspace/files.ts";
import { sourceText } from "../../source/paths.ts";
import { historyVariables } from "./history.ts";
import { allowedCodes } from "./codes.ts";
import { readableBy } from "../holdout/told.ts";
import { testCommand } from "./test-command.ts";
import { type PromptVariables } from "./variables.ts";

/**
 * The prompt of a dispatch, with what a person added when the run went on (SEE-06).
 * @param agent `asks`: it has a tool to query its dialogue, so the prompt does not contain the dialogue
 */
export async function renderPrompt(
  context: FamilyRun,
  command: DispatchCommand,
  agent: { readonly asks: boolean },
): Promise<Prompt> {
  const prompt = await renderTemplate(context, command, agent);
  const texts = context.session.view.added[command.key] ?? [];
  if (texts.length === 0) return prompt;
  const added = `\n\nA PERSON ADDS:\n${texts.join("\n\n")}\n`;
  const readable = readableBy(context, command)(added);
  return { ...prompt, text: `${prompt.text}${readable}`, message: `${prompt.message}${readable}` };
}

async function renderTemplate(
  context: FamilyRun,
  command: DispatchCommand,
  agent: { readonly asks: boolean },
): Promise<Prompt> {
  const whole = await context.family.prompt(context, command);
  if (whole !== null) return whole;
  const { protocol, settings, started } = context;
  const name = command.template ?? protocol.roles[command.role]?.template ?? command.role;
  const codes = allowedCodes(command).join(", ");
  const { attempt, limit } = attemptOf(command);
  const own: PromptVariables = {
    task: started.task,
    allowed_codes: codes,
    attempt,
    limit,
    paths_tests: settings.paths.tests.join(", "),
    paths_source: sourceText(settings.paths),
    test_command: testCommand(settings),
    ...(await filesVariables(context, command)),
    ...(await historyVariables(context, command)),
  };
  const variables: Variables = {
    ...Object.fromEntries(context.families.variableNames.map((variable) => [variable, undefined])),
    ...own,
    ...(await context.family.variables(context, command, agent)),
  };
  const { meta, prompt: filled } = render({
    name,
    templates: Object.fromEntries(context.templates),
    variables,
  });
  const prompt = readableBy(context, command)(filled);
  return { text: prompt, message: prompt, codes, tools: meta.tools, model: meta.model ?? null };
}

/** The counter of a role's attempts. */
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
