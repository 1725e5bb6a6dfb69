/** `mettle completions SHELL`: one script for `mettle` and `envoy`; `envoy` itself prints only JSON objects. */
import { completions, shells } from "../../lib/command-line/completions.ts";
import { loadEnvoy } from "../../plans/envoy-program.ts";
import type { CommandHandler } from "../command.ts";

export const run: CommandHandler = async (_io, given, program) => {
  const shell = shells.find((name) => name === given.need("shell")) ?? "bash";
  const script = `${completions(program, shell)}\n${(await loadEnvoy()).completions(shell)}`;
  return { exit: 0, json: { shell, script }, text: script.trimEnd(), isData: true };
};
