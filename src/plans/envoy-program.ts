/**
 * Loads Envoy as a separate program, by its path, for callers that are not part of it: lower layers may not import its commands,
 * and programs of the same layer do not import each other.
 */
import { pathToFileURL } from "node:url";
import type { Shell } from "../lib/command-line/completions.ts";
import { packageRoot } from "../config/package-root.ts";

export interface EnvoyProgram {
  /** Runs a line and prints the answer. @returns the exit code */
  readonly envoy: (argv: readonly string[]) => Promise<number>;
  /** The completion script for a shell. */
  readonly completions: (shell: Shell) => string;
  readonly tools: (which?: ToolCallOptions["which"]) => readonly EnvoyTool[];
  readonly callTool: (name: string, args: unknown, options: ToolCallOptions) => Promise<ToolAnswer>;
  /** Replaces `@FILE` arguments by the texts of the files; an error answer if a file is refused. */
  readonly readTexts: (
    name: string,
    args: unknown,
    cwd: string,
  ) => Promise<{ readonly args: Readonly<Record<string, unknown>> } | ToolAnswer>;
}

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

export interface ToolCallOptions {
  /** The folder of the call. */
  readonly cwd: string;
  /** Whether `@FILE` names a file; `literal` if the caller has already read it. */
  readonly texts: "files" | "literal";
  readonly which: "all" | "reading";
  /** Maximum wait for a person in milliseconds if the arguments have none; by default that of a tool. */
  readonly waitMs?: number;
}

export interface ToolAnswer {
  readonly exit: number;
  /** The output of the command. */
  readonly text: string;
}

export async function loadEnvoy(): Promise<EnvoyProgram> {
  const loaded: unknown = await import(pathToFileURL(packageRoot("dist", "bin", "envoy.js")).href);
  if (!isEnvoy(loaded)) throw new Error("dist/bin/envoy.js has another shape");
  return loaded;
}

function isEnvoy(loaded: unknown): loaded is EnvoyProgram {
  return (
    typeof loaded === "object" &&
    loaded !== null &&
    ["envoy", "completions", "tools", "callTool", "readTexts"].every(
      (name) => typeof Reflect.get(loaded, name) === "function",
    )
  );
}
