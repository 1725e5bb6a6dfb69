/** Adds Mettle's server to `.mcp.json`, and removes it. Text in, text out. */
import * as z from "zod";
import { printJson, readJsonFile } from "./json-file.ts";

export const serverEntry = { command: "mettle", args: ["mcp"] };

const name = "mettle";
const File = z.looseObject({ mcpServers: z.record(z.string(), z.unknown()).optional() });

/** null if the file already has a server of this name. */
export function withServer(text: string | null, file: string): string | null {
  const value = text === null ? {} : parse(text, file);
  if (value.mcpServers?.[name] !== undefined) return null;
  return printJson({ ...value, mcpServers: { ...value.mcpServers, [name]: serverEntry } }, text);
}

/** null if the file does not have Mettle's server, empty if nothing else is left. */
export function withoutServer(text: string, file: string): string | null {
  const value = parse(text, file);
  const { [name]: own, ...left } = value.mcpServers ?? {};
  if (JSON.stringify(own) !== JSON.stringify(serverEntry)) return null;
  const { mcpServers: _, ...others } = value;
  const rest = Object.keys(left).length === 0 ? others : { ...value, mcpServers: left };
  return Object.keys(rest).length === 0 ? "" : printJson(rest, text);
}

function parse(text: string, file: string): z.infer<typeof File> {
  return readJsonFile(File, text, { file, kind: "a list of MCP servers" });
}
