/**
 * Commands of Mettle that only a person decides on: a model neither starts Orchestrate by itself (ORC-04) nor answers for
 * the person (ORC-69). As far as a shell command can be read; who gets around it shows in the journal as who they are.
 */
import { objectOf, textOf, type Answer, type HookCall } from "./call.ts";
import { simpleCommands } from "../lib/shell-commands.ts";

export const notTriggered: Answer = {
  type: "deny",
  reason:
    "Mettle: error[not_triggered]: only a person starts Orchestrate. Ask them to begin a line with @orchestrate and the task.",
};

export const notThePerson: Answer = {
  type: "deny",
  reason:
    "Mettle: error[agent_cannot_approve]: only the person answers a run. Show them the command; they call it in a terminal, or type `approve` here.",
};

/** Somebody feeds the hook what a session would tell it. */
export const notOfSession = {
  type: "tell",
  text: "Mettle: nothing was taken: error[agent_cannot_approve]: this does not come from the hook of a person's session.",
} as const satisfies Answer;

export function startsOrchestrate(call: HookCall): boolean {
  return commandsOf(call, "orchestrate").some(([verb, ...args]) => verb === "run" && namesIt(args));
}

/** Orchestrate's run would begin or go on. */
export function drivesRun(call: HookCall): boolean {
  const drives = commandsOf(call, "mettle").some(([verb = ""]) => verb === "run" || verb === "resume");
  return drives || /^mcp_.*mettle.*_start$/u.test(call.tool);
}

/** By a command, or by answers that it puts into a question to the person itself. */
export function answersForPerson(call: HookCall): boolean {
  if (call.tool === "AskUserQuestion") return Object.keys(objectOf(call.input["answers"])).length > 0;
  return commandsOf(call, "mettle").some(([verb = ""]) => /^(?:approve|reject|answer)$/u.test(verb));
}

/** The plan, the code, or whatever waits; null where a prompt is no approval. Nothing else may stand in it. */
export function approvedBy(prompt: string): "plan" | "code" | "any" | null {
  const found = /^\s*approved?(?:\s+(?:the\s+)?(plan|code))?\s*[.!]?\s*$/iu.exec(prompt);
  if (found === null) return null;
  const gate = found[1]?.toLowerCase();
  return gate === "plan" || gate === "code" ? gate : "any";
}

/** What is called of Mettle in a shell command, without the program. @param word stands in it, else it is not read at all */
function commandsOf({ tool, input, session }: HookCall, word: string): readonly (readonly string[])[] {
  const command = textOf(input["command"]) ?? "";
  const isShell = tool === "Bash" || tool === "run_shell_command";
  if (!isShell || session === null || !command.includes(word)) return [];
  return simpleCommands(command).flatMap(({ words }) => {
    const at = words.findIndex((each) => /(?:^|\/)mettle(?:\.c?js)?$/u.test(each));
    return at === -1 ? [] : [words.slice(at + 1)];
  });
}

function namesIt(args: readonly string[]): boolean {
  const at = args.findIndex((arg) => /^--protocol(?:=|$)/u.test(arg));
  if (at === -1) return args.some((arg) => /(?:^|\n)[@/]orchestrate(?=\s|$)/u.test(arg));
  return (args[at]?.split("=")[1] ?? args[at + 1]) === "orchestrate";
}
