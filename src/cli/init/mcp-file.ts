/** Adds Mettle's server to `.mcp.json`, and removes it. Text in, text out. */
import * as z from "zod";
import { AppError } from "../../lib/errors.ts";

export const serverEntry = { command: "mettle", args: ["mcp"] };

const name = "mettle";
const File = z.looseObject({ mcpServers: z.record(z.string(), z.unknown()).optional() });
type File = z.infer<typeof File>;

/** null if the file already has a server of this name. */
export function withServer(text: string | null, file: string): string | null {
  const value = text === null ? {} : parse(text, file);
  if (value.mcpServers?.[name] !== undefined) return null;
  return print({ ...value, mcpServers: { ...value.mcpServers, [name]: serverEntry } }, text);
}

/** null if the file does not have Mettle's server, empty if nothing else is left. */
export function withoutServer(text: string, file: string): string | null {
  const value = parse(text, file);
  const { [name]: own, ...left } = value.mcpServers ?? {};
  if (JSON.stringify(own) !== JSON.stringify(serverEntry)) return null;
  const { mcpServers: _, ...others } = value;
  const rest = Object.keys(left).length === 0 ? others : { ...value, mcpServers: left };
  return Object.keys(rest).length === 0 ? "" : print(rest, text);
}

function parse(text: string, file: string): File {
  const hint = `fix ${file} and try again; nothing was changed`;
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/u, ""));
  } catch (cause) {
    throw new AppError("settings_invalid", `${file} is not valid JSON`, { hint, cause });
  }
  if (isFile(value)) return value;
  throw new AppError("settings_invalid", `${file} is not a list of MCP servers`, { hint });
}

/** Checks the value instead of parsing it, so that keys keep their order. */
function isFile(value: unknown): value is File {
  return File.safeParse(value).success;
}

/** JSON with the indentation and the line end of the text `like`. */
export function print(value: object, like: string | null): string {
  const indent = like === null ? "  " : (/\n([ \t]+)\S/u.exec(like)?.[1] ?? "  ");
  return `${JSON.stringify(value, null, indent)}${like === null || /\n\s*$/u.test(like) ? "\n" : ""}`;
}
