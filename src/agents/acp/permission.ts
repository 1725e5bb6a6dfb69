/** Whether a tool call that an agent asks about is within its role's rights. Pure. */
import { isAbsolute, relative, resolve } from "node:path";
import type { PermissionOption, RequestPermissionResponse, ToolCallUpdate } from "@agentclientprotocol/sdk";

export interface Rights {
  /** The role's tools, in the seeds' names. */
  readonly tools: readonly string[];
  /** The workspace; nothing is written beside it. */
  readonly cwd: string;
  /** Name of our own MCP server, whose tools every role has; null: there is none. */
  readonly server: string | null;
}

type ToolCall = Pick<ToolCallUpdate, "kind" | "title" | "locations" | "content">;

export function isPermitted(call: ToolCall, { tools, cwd, server }: Rights): boolean {
  const hasOneOf = (...names: readonly string[]) => names.some((name) => tools.includes(name));
  switch (call.kind) {
    case "read":
    case "search":
      return hasOneOf("Read", "Grep", "Glob");
    case "edit":
    case "delete":
    case "move":
      return hasOneOf("Write", "Edit") && pathsOf(call).every((path) => isInside(cwd, path));
    case "execute":
      return hasOneOf("Bash");
    case "fetch":
      return hasOneOf("WebFetch");
    case "think":
      return true;
    // Another mode could ask about nothing any more.
    case "switch_mode":
      return false;
    // Tools of MCP servers have no kind of their own, and no file.
    default:
      return server !== null && pathsOf(call).length === 0 && (call.title ?? "").includes(server);
  }
}

/** For this call alone where it can be said so; an agent that offers no way to refuse hears that its turn is cancelled. */
export function permissionResponse(
  permitted: boolean,
  options: readonly PermissionOption[],
): RequestPermissionResponse {
  const kinds = permitted ? ["allow_once", "allow_always"] : ["reject_once", "reject_always"];
  const [option] = kinds.flatMap((kind) => options.find((each) => each.kind === kind) ?? []);
  if (option === undefined) return { outcome: { outcome: "cancelled" } };
  return { outcome: { outcome: "selected", optionId: option.optionId } };
}

function pathsOf({ locations, content }: ToolCall): readonly string[] {
  const changed = (content ?? []).flatMap((part) => (part.type === "diff" ? part.path : []));
  return [...(locations ?? []).map(({ path }) => path), ...changed];
}

function isInside(cwd: string, path: string): boolean {
  const way = relative(cwd, resolve(cwd, path));
  return way !== ".." && !way.startsWith("../") && !isAbsolute(way);
}
