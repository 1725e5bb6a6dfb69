/** A model behind one tool of an MCP server: it answers the prompt and has no tools (ORC-63). */
import type { Agent } from "../agent.ts";
import { findProgram, notInstalled } from "../../process/find-program.ts";
import { runEventLineTurn } from "../event-line-turn.ts";

export interface McpToolOptions {
  readonly name: string;
  readonly vendor: string;
  /** The server's program and its arguments. */
  readonly server: readonly [string, ...string[]];
  readonly tool: string;
  /** Environment variables for the server, in addition to those of every agent. */
  readonly env: Readonly<Record<string, string>>;
  /** Folders to search for a program given by name, as in PATH. */
  readonly path: string;
  /** Absolute path of the built caller. */
  readonly caller: string;
  /** Absolute path of the Node.js program that runs the caller. */
  readonly node: string;
}

export function mcpToolAgent({ name, vendor, server, tool, env, path, caller, node }: McpToolOptions): Agent {
  const [program] = server;
  return {
    name,
    vendor,
    remembers: false,
    withoutMcp: true,
    async probe() {
      if ((await findProgram(program, path)) !== null) return { type: "ready", version: "unknown" };
      return {
        type: "missing",
        why: notInstalled(program),
        hint: "install it, or fix `reviewers` in mettle.yaml",
      };
    },
    start(spec, sink, signal) {
      const argv = [caller, tool, String(spec.wallMs), ...server];
      const program = { file: node, argv, env: { ...spec.env, ...env }, input: spec.prompt, starts: server };
      return runEventLineTurn({ program, spec, sink, signal });
    },
  };
}
