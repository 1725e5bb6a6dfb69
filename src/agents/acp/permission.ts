/** Whether an agent's role permits a tool call. Pure. */
import { isAbsolute, relative, resolve } from "node:path";
import type { PermissionOption, RequestPermissionResponse, ToolCallUpdate } from "@agentclientprotocol/sdk";

export interface Rights {
  /** The role's tools, by their names in the protocol: `Read`, `Bash`, … */
  readonly tools: readonly string[];
  /** The workspace; the agent may write only in it. */
  readonly cwd: string;
  /** Name of our MCP server, whose tools every role may use; null: there is none. */
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
    // In another mode the agent might stop asking.
    case "switch_mode":
      return false;
    // Tools of MCP servers have no kind and no file.
    default:
      return server !== null && pathsOf(call).length === 0 && (call.title ?? "").includes(server);
  }
}

/** Applies to this call only, where the agent offers that; without a reject option the turn is cancelled. */
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
  const fromCwd = relative(cwd, resolve(cwd, path));
  return fromCwd !== ".." && !fromCwd.startsWith("../") && !isAbsolute(fromCwd);
}
