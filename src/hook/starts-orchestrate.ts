/** A model does not start Orchestrate by itself, by a shell command either (ORC-04). What is not recognised is no hole worth closing. */
import { textOf, type Answer, type HookCall } from "./call.ts";
import { simpleCommands } from "./shell-words.ts";

export const notTriggered: Answer = {
  type: "deny",
  reason:
    "Mettle: error[not_triggered]: only a person starts Orchestrate. Ask them to begin a line with @orchestrate and the task.",
};

export function startsOrchestrate({ tool, input, session }: HookCall): boolean {
  const command = textOf(input["command"]) ?? "";
  const isShell = tool === "Bash" || tool === "run_shell_command";
  if (!isShell || session === null || !command.includes("orchestrate")) return false;
  return simpleCommands(command).some(({ words }) => {
    const at = words.findIndex((word) => /(?:^|\/)mettle(?:\.c?js)?$/u.test(word));
    return at !== -1 && words[at + 1] === "run" && namesIt(words.slice(at + 2));
  });
}

function namesIt(args: readonly string[]): boolean {
  const at = args.findIndex((arg) => /^--protocol(?:=|$)/u.test(arg));
  if (at === -1) return args.some((arg) => /(?:^|\n)[@/]orchestrate(?=\s|$)/u.test(arg));
  return (args[at]?.split("=")[1] ?? args[at + 1]) === "orchestrate";
}
