/**
 * Envoy as a program beside this one, for those who call its commands without being a part of it: it is loaded by its path,
 * since no layer below it may know its commands, and the programs of its own layer are its equals.
 */
import { pathToFileURL } from "node:url";
import type { Shell } from "../lib/command-line/completions.ts";
import { packageRoot } from "../config/package-root.ts";

export interface EnvoyProgram {
  /** Reads a line, prints the answer and gives the exit code. */
  readonly envoy: (argv: readonly string[]) => Promise<number>;
  /** The script that completes its lines in a shell. */
  readonly completions: (shell: Shell) => string;
  readonly tools: (which?: ToolManner["which"]) => readonly EnvoyTool[];
  readonly callTool: (name: string, args: unknown, manner: ToolManner) => Promise<ToolAnswer>;
  /** The arguments with the texts in them that they name by file; an answer where that is refused. */
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

export interface ToolManner {
  /** Where the command is called. */
  readonly cwd: string;
  /** Whether `@FILE` names a file; literal where the caller has read it already. */
  readonly texts: "files" | "literal";
  readonly which: "all" | "reading";
  /** How long a person is waited for where the arguments do not say it; usual for a tool where nothing is given. */
  readonly waitMs?: number;
}

export interface ToolAnswer {
  readonly exit: number;
  /** What the command prints. */
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
