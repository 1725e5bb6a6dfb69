#!/usr/bin/env node
/** The program that agents call while they follow a steps protocol. `mettle envoy` loads it and calls `envoy`; `mettle mcp` uses the tools. */
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { completions as completionsOf, type Shell } from "../lib/command-line/completions.ts";
import { envoy } from "./envoy.ts";
import { program } from "./table.ts";
import { callTool, readTexts, tools } from "./tools.ts";

export { callTool, envoy, readTexts, tools };

export const completions = (shell: Shell): string => completionsOf(program, shell);

/** Runs the line and sets the exit code of the process. */
export async function start(words: readonly string[]): Promise<void> {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // The reader may exit early: `envoy protocol … | head`.
    if (error.code !== "EPIPE") throw error;
  });
  process.exitCode = await envoy(words);
}

const [, started = "", ...words] = process.argv;

if (isThisFile(started)) await start(words);

function isThisFile(path: string): boolean {
  try {
    return realpathSync(path) === fileURLToPath(import.meta.url);
  } catch {
    return false; // the program was not started from a file
  }
}
