/** Within a dispatch `envoy` is a client of the channel: it parses the line, the runtime executes it. It opens no store (CORE-98). */
import { channelFromEnvironment } from "../channel/environment.ts";
import { callChannel, maxCommandMs } from "../channel/client.ts";
import type { PrintedError } from "../lib/answer.ts";
import { readLine } from "../lib/command-line/read-line.ts";
import type { ToolAnswer } from "../plans/envoy-program.ts";
import { errorLine, exitOf } from "./answer.ts";
import { readProtocolLine } from "./protocol-line.ts";
import { program } from "./table.ts";
import { fieldName, toolName } from "./tools.ts";
import { valuesOf } from "./values.ts";

export async function callDispatch(argv: readonly string[], cwd: string): Promise<ToolAnswer> {
  const { command, tool, args } = await request(argv, cwd);
  const answer = await callChannel(channelFromEnvironment(), { call: "envoy", tool, args }, maxCommandMs);
  if (answer.ok) return answer.result as ToolAnswer;
  const refusal: PrintedError =
    answer.error.code === "bad_request" && answer.error.field === "call"
      ? {
          code: "not_in_protocol",
          message: "this dispatch offers no envoy commands",
          hint: "follow your prompt, and end with a report",
        }
      : answer.error;
  return { exit: exitOf(refusal.code), text: errorLine(refusal, command) };
}

async function request(argv: readonly string[], cwd: string) {
  const [first, ...rest] = argv;
  if (first === "protocol") {
    const { name, json, inputs } = readProtocolLine(rest);
    const args = { name, json, ...(inputs === null ? {} : { inputs }) };
    return { command: "protocol", tool: toolName("protocol"), args };
  }
  const line = readLine(program, argv);
  const args: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(await valuesOf(line, cwd))) args[fieldName(name)] = value;
  for (const { name } of program.everywhere) {
    const value = line.words[name]?.[0];
    if (value !== undefined) args[fieldName(name)] = value;
  }
  return { command: line.row.name, tool: toolName(line.row.name), args };
}
