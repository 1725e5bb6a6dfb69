/** Mettle's server in `.mcp.json`: put in beside others, and taken out again. Text in, text out. */
import { z } from "zod";
import { AppError } from "../../lib/errors.ts";

export const serverEntry = { command: "mettle", args: ["mcp"] };

const name = "mettle";
const File = z.looseObject({ mcpServers: z.record(z.string(), z.unknown()).optional() });
type File = z.infer<typeof File>;

/** null when a server of that name stands there already, whoever put it there. */
export function withServer(text: string | null, file: string): string | null {
  const value = text === null ? {} : parse(text, file);
  if (value.mcpServers?.[name] !== undefined) return null;
  return print({ ...value, mcpServers: { ...value.mcpServers, [name]: serverEntry } }, text);
}

/** null when it holds none of ours, and an empty text when nothing else is left. */
export function withoutServer(text: string, file: string): string | null {
  const value = parse(text, file);
  const { [name]: own, ...left } = value.mcpServers ?? {};
  if (JSON.stringify(own) !== JSON.stringify(serverEntry)) return null;
  const { mcpServers: _, ...others } = value;
  const rest = Object.keys(left).length === 0 ? others : { ...value, mcpServers: left };
  return Object.keys(rest).length === 0 ? "" : print(rest, text);
}

function parse(text: string, file: string): File {
  const hint = `mend ${file} and try again; nothing was changed`;
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/u, ""));
  } catch (cause) {
    throw new AppError("settings_invalid", `${file} is no valid JSON`, { hint, cause });
  }
  if (isFile(value)) return value;
  throw new AppError("settings_invalid", `${file} is not shaped like a list of MCP servers`, { hint });
}

/** The value itself goes on, not what the schema made of it: keys keep their order. */
function isFile(value: unknown): value is File {
  return File.safeParse(value).success;
}

/** In the file's own indentation and with its own end. */
export function print(value: object, like: string | null): string {
  const indent = like === null ? "  " : (/\n([ \t]+)\S/u.exec(like)?.[1] ?? "  ");
  return `${JSON.stringify(value, null, indent)}${like === null || /\n\s*$/u.test(like) ? "\n" : ""}`;
}
