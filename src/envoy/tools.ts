/** Every command as a tool, made of the same table: the same arguments, the same object, the same errors. */
import { AppError } from "../lib/errors.ts";
import { appError, errorLine, obey, successLine } from "./answer.ts";
import type { EnvoyCommand, Input } from "./command.ts";
import { everywhere, requireInputs, usage, type Line } from "./line.ts";
import { commands } from "./table.ts";

export interface EnvoyTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: {
    readonly type: "object";
    readonly properties: Readonly<Record<string, object>>;
    readonly required: string[];
    readonly additionalProperties: false;
  };
}

export interface ToolAnswer {
  readonly exit: number;
  /** What the command prints. */
  readonly text: string;
}

/** Clients give a tool a minute where nothing else is set; a gate then answers "call again". */
const toolWaitMs = 50_000;

/** `envoy_plan_read_prompt`. */
const toolName = (command: string): string => `envoy_${command.replaceAll(/[ -]/gu, "_")}`;
const fieldName = (input: string): string => input.replaceAll("-", "_");

const protocolInputs: readonly Input[] = [
  { name: "name", place: "argument", required: true, about: "the protocol", takes: { type: "word" } },
  { name: "json", place: "option", required: false, about: "one object", takes: { type: "flag" } },
  { name: "inputs", place: "option", required: false, about: "a JSON object", takes: { type: "word" } },
];

export function tools(): readonly EnvoyTool[] {
  return [
    toolOf("protocol", "the numbered steps of a protocol, with its inputs", protocolInputs),
    ...commands.map(({ name, summary, inputs }) => toolOf(name, summary, [...inputs, ...everywhere])),
  ];
}

function toolOf(command: string, summary: string, inputs: readonly Input[]): EnvoyTool {
  return {
    name: toolName(command),
    description: `envoy ${command}: ${summary}`,
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
      return { type: "array", items: { type: "string" }, description: about };
    case "text":
      return { type: "string", description: `${about}; @FILE for that of a file, @@ for a literal @` };
    case "word":
      return { type: "string", description: about };
  }
}

/** @param cwd where the command is called */
export async function callTool(name: string, args: unknown, cwd: string): Promise<ToolAnswer> {
  if (name === toolName("protocol")) return printed(args);
  const command = commands.find((one) => toolName(one.name) === name);
  try {
    if (command === undefined)
      throw new AppError("usage", `there is no tool ${name}`, { hint: "list the tools" });
    const manner = { texts: "no stdin", waitMs: toolWaitMs } as const;
    return { exit: 0, text: successLine(await obey(lineOf(command, args), cwd, manner)) };
  } catch (thrown) {
    const error = appError(thrown);
    return { exit: error.exitCode, text: errorLine(error, command?.name ?? name) };
  }
}

async function printed(args: unknown): Promise<ToolAnswer> {
  const given = objectOf(args);
  try {
    const { protocol } = await import("./protocol.ts");
    const { inputs } = given;
    const answer = await protocol([
      ...(typeof given["name"] === "string" ? [given["name"]] : []),
      ...(given["json"] === true ? ["--json"] : []),
      ...(inputs === undefined
        ? []
        : ["--inputs", typeof inputs === "string" ? inputs : JSON.stringify(inputs)]),
    ]);
    return { exit: 0, text: "text" in answer ? answer.text : successLine(answer.data) };
  } catch (thrown) {
    const error = appError(thrown);
    return { exit: error.exitCode, text: errorLine(error, "protocol") };
  }
}

function objectOf(args: unknown): Readonly<Record<string, unknown>> {
  return typeof args === "object" && args !== null ? { ...args } : {};
}

function lineOf(command: EnvoyCommand, args: unknown): Line {
  const inputs = [...command.inputs, ...everywhere];
  const words: Record<string, string[]> = {};
  const flags = new Set<string>();
  for (const [field, value] of Object.entries(objectOf(args))) {
    const input = inputs.find(({ name }) => fieldName(name) === field);
    if (input === undefined) throw usage(command, `unknown option '${field}'`);
    if (value === null || value === undefined) continue;
    if (input.takes.type === "flag") {
      if (typeof value !== "boolean") throw usage(command, `${field} is true or false`);
      if (value) flags.add(input.name);
    } else words[input.name] = wordsOf(command, input, value);
  }
  const line = { command, words, flags };
  requireInputs(line);
  return line;
}

function wordsOf(command: EnvoyCommand, { name, takes }: Input, value: unknown): string[] {
  const items = takes.type === "list" && Array.isArray(value) ? [...(value as readonly unknown[])] : [value];
  const texts = items.map((item) => {
    if (typeof item === "string" || typeof item === "number") return String(item);
    throw usage(command, `${fieldName(name)} is no text`);
  });
  // A list of one item is not split: it was given as a list.
  return Array.isArray(value) && texts.length === 1 ? [...texts, ""] : texts;
}
