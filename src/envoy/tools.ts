/** Offers every command as a tool with the same arguments, answers and errors, from the same table. */
import { AppError } from "../lib/errors.ts";
import { appError, errorLine, execute, successLine } from "./answer.ts";
import { fieldsOf } from "../lib/json.ts";
import type { EnvoyTool, ToolAnswer, ToolCallOptions } from "../plans/envoy-program.ts";
import { requireInputs, usage, type CommandLine } from "../lib/command-line/read-line.ts";
import { isShown, type Input, type CommandRow } from "../lib/command-line/row.ts";
import type { EnvoyCommand } from "./command.ts";
import { withCallLog, noteOf, type CallFacts } from "./call-facts.ts";
import { protocolRow } from "./protocol-line.ts";
import { commands, program } from "./table.ts";
import { valuesOf } from "./values.ts";

/** MCP clients end a tool call after a minute by default; a gate answers "call again" before. */
const toolWaitMs = 50_000;

/** Such as `envoy_plan_read_prompt`. */
export const toolName = (command: string): string => `envoy_${command.replaceAll(/[ -]/gu, "_")}`;
export const fieldName = (input: string): string => input.replaceAll("-", "_");

const everywhere = program.everywhere.filter(isShown);

export function tools(which: ToolCallOptions["which"] = "all"): readonly EnvoyTool[] {
  const offered = commands.filter(({ reads }) => which === "all" || reads === true);
  return [
    toolOf(protocolRow),
    ...offered.map((row) => toolOf({ ...row, inputs: [...row.inputs, ...everywhere] })),
  ];
}

function toolOf({ name, summary, inputs }: CommandRow): EnvoyTool {
  return {
    name: toolName(name),
    description: `envoy ${name}: ${summary}`,
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(inputs.map((input) => [fieldName(input.name), schemaOf(input)])),
      required: inputs.filter(({ required }) => required).map(({ name }) => fieldName(name)),
      additionalProperties: false,
    },
  };
}

function schemaOf({ takes, about }: Input): object {
  switch (takes.type) {
    case "flag":
      return { type: "boolean", description: about };
    case "list":
    case "words":
      return { type: "array", items: { type: "string" }, description: about };
    case "text":
      return { type: "string", description: `${about}; @FILE reads a file, @@ is a literal @` };
    case "word":
      return { type: "string", description: about };
  }
}

export async function callTool(name: string, args: unknown, options: ToolCallOptions): Promise<ToolAnswer> {
  const command = commands.find((one) => toolName(one.name) === name)?.name ?? name.replace("envoy_", "");
  return withCallLog(
    () => options.cwd,
    () => executeTool(name, args, options),
    ({ exit, text }) => ({ ...factsOf(args), command, code: exit, ...noteOf(dataOf(text)) }),
  );
}

function dataOf(text: string): unknown {
  return text.startsWith("{") ? (JSON.parse(text) as { readonly data?: unknown }).data : null;
}

function factsOf(args: unknown): Omit<CallFacts, "command"> {
  const given = fieldsOf(args);
  const text = (name: string): string | null => (typeof given[name] === "string" ? given[name] : null);
  const words = Object.entries(given).map(
    ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return { words, agent: text("agent"), branch: text("feature_branch") };
}

async function executeTool(
  name: string,
  args: unknown,
  { cwd, texts, which, waitMs = toolWaitMs }: ToolCallOptions,
): Promise<ToolAnswer> {
  if (name === toolName("protocol"))
    return toolAnswer("protocol", async () => {
      const answer = await printProtocol(args, cwd);
      return "text" in answer ? answer.text : successLine(answer.data);
    });
  const command = commands.find((one) => toolName(one.name) === name);
  return toolAnswer(command?.name ?? name, async () => {
    if (command === undefined) throw noTool(name);
    if (which === "reading" && command.reads !== true)
      throw new AppError("not_in_protocol", `${command.name} is not available to agents of this run`, {
        hint: "only agents of a steps protocol may change a plan; report your findings instead",
      });
    const source = texts === "literal" ? "literal" : "no stdin";
    return successLine(await execute(lineOf(command, args), cwd, { texts: source, waitMs }));
  });
}

/** Replaces `@FILE` arguments by the texts of the files, for execution in another process. */
export async function readTexts(
  name: string,
  args: unknown,
  cwd: string,
): Promise<{ readonly args: Readonly<Record<string, unknown>> } | ToolAnswer> {
  const command = commands.find((one) => toolName(one.name) === name);
  if (command === undefined) return { args: fieldsOf(args) };
  let read: Readonly<Record<string, unknown>> = {};
  const answer = await toolAnswer(command.name, async () => {
    const values = Object.entries(await valuesOf(lineOf(command, args), cwd, "no stdin"));
    read = {
      ...fieldsOf(args),
      ...Object.fromEntries(values.map(([key, value]) => [fieldName(key), value])),
    };
    return "";
  });
  return answer.exit === 0 ? { args: read } : answer;
}

async function toolAnswer(command: string, work: () => Promise<string>): Promise<ToolAnswer> {
  try {
    return { exit: 0, text: await work() };
  } catch (thrown) {
    const error = appError(thrown);
    return { exit: error.exitCode, text: errorLine(error, command) };
  }
}

function noTool(name: string): AppError {
  return new AppError("usage", `there is no tool ${name}`, { hint: "list the tools first" });
}

async function printProtocol(args: unknown, cwd: string) {
  const { name, json, inputs } = fieldsOf(args);
  const { protocol } = await import("./protocol.ts");
  const given = typeof inputs === "string" ? inputs : JSON.stringify(inputs);
  return protocol(
    [
      ...(typeof name === "string" ? [name] : []),
      ...(json === true ? ["--json"] : []),
      ...(inputs === undefined || inputs === null ? [] : ["--inputs", given]),
    ],
    cwd,
  );
}

function lineOf(command: EnvoyCommand, args: unknown): CommandLine<EnvoyCommand> {
  const inputs = [...command.inputs, ...everywhere];
  const words: Record<string, string[]> = {};
  const flags = new Set<string>();
  for (const [field, value] of Object.entries(fieldsOf(args))) {
    const input = inputs.find(({ name }) => fieldName(name) === field);
    if (input === undefined) throw usage(program, command, `unknown option '${field}'`);
    if (value === null || value === undefined) continue;
    if (input.takes.type === "flag") {
      if (typeof value !== "boolean") throw usage(program, command, `${field} must be true or false`);
      if (value) flags.add(input.name);
    } else words[input.name] = wordsOf(command, input, value);
  }
  const line = { row: command, words, flags };
  requireInputs(program, line);
  return line;
}

function wordsOf(command: EnvoyCommand, { name, takes }: Input, value: unknown): string[] {
  const items = takes.type === "list" && Array.isArray(value) ? [...(value as readonly unknown[])] : [value];
  const texts = items.map((item) => {
    if (typeof item === "string" || typeof item === "number") return String(item);
    throw usage(program, command, `${fieldName(name)} is not a text`);
  });
  // The empty second item keeps a list of one item from being split.
  return Array.isArray(value) && texts.length === 1 ? [...texts, ""] : texts;
}
