/** `mettle completions SHELL`: one script for both programs. `envoy` prints objects for agents, and has no such command. */
import { completions, shells } from "../../lib/command-line/completions.ts";
import { loadEnvoy } from "../../plans/envoy-program.ts";
import type { Run } from "../command.ts";

export const run: Run = async (_io, given, program) => {
  const shell = shells.find((name) => name === given.need("shell")) ?? "bash";
  const script = `${completions(program, shell)}\n${(await loadEnvoy()).completions(shell)}`;
  return { exit: 0, json: { shell, script }, text: script.trimEnd(), isData: true };
};
