/**
 * Refuses commands of Mettle that only a person may call: a model neither starts Orchestrate (ORC-04) nor answers for the person
 * (ORC-69). It reads shell commands as far as possible; the journal records the true author of any other call.
 */
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { textOf, type HookDecision, type HookCall } from "./call.ts";
import { mettleCalls, unknownWord, type MettleCall } from "./mettle-calls.ts";
import { targetsOf } from "./writes.ts";
import { fieldsOf } from "../lib/json.ts";

export const notTriggered: HookDecision = {
  type: "deny",
  reason:
    "Mettle: error[not_triggered]: only a person starts Orchestrate. Ask them to begin a line with @orchestrate and the task.",
};

export const notThePerson: HookDecision = {
  type: "deny",
  reason:
    "Mettle: error[agent_cannot_approve]: only the person answers a run. Show them the command; they run it in a terminal, or type `approve` here.",
};

/** For input that imitates a session's hook call. */
export const notFromSession = {
  type: "tell",
  text: "Mettle: the input was ignored: error[agent_cannot_approve]: it does not come from the hook of a person's session.",
} as const satisfies HookDecision;

export function startsOrchestrate(call: HookCall): boolean {
  return callsIn(call).some(([verb, ...args]) => verb === "run" && namesOrchestrate(args));
}

/** Whether the call starts or continues a run of Orchestrate. */
export function drivesRun(call: HookCall): boolean {
  const drives = callsIn(call).some(([verb = ""]) => verb === "run" || verb === "resume");
  return drives || /^mcp_.*mettle.*_start$/u.test(call.tool);
}

/** Whether the model answers for the person: by a command, or by answers that it adds to its own question. */
export function answersForPerson(call: HookCall): boolean {
  if (call.tool === "AskUserQuestion") return Object.keys(fieldsOf(call.input["answers"])).length > 0;
  return callsIn(call).some(decides) || writesGate(call);
}

/** The approved gate: the plan, the code, or any that waits. Null: the prompt is not an approval, or has other text too. */
export function approvalIn(prompt: string): "plan" | "code" | "any" | null {
  const found = /^\s*approved?(?:\s+(?:the\s+)?(plan|code))?\s*[.!]?\s*$/iu.exec(prompt);
  if (found === null) return null;
  const gate = found[1]?.toLowerCase();
  return gate === "plan" || gate === "code" ? gate : "any";
}

/** Whether only a person may make the call. An unknown verb counts as such. */
function decides([verb = "", ...args]: MettleCall): boolean {
  const has = (...options: readonly string[]) =>
    args.some((arg) => options.includes(arg.split("=")[0] ?? ""));
  if (has("--help", "-h")) return false;
  switch (verb) {
    case "approve":
    case "reject":
    case "answer":
    case "abort":
    case "land":
    case "hook":
    case "--land":
    case "--approve":
      return true;
    case "run":
      return has("--land", "--approve");
    case "resume":
      return has("--reset", "--context", "--approach", "--set", "--agent");
    case "clean":
      return has("--all");
    default:
      return verb.startsWith(unknownWord) || /[`*?]/u.test(verb);
  }
}

/** Whether the call writes the file in which the person answers a gate of a plan. */
function writesGate(call: HookCall): boolean {
  return targetsOf(call).some(({ path }) => /(?:^|\/)user_feedback\/[^/]+\.(?:yaml|md|json)$/u.test(path));
}

function callsIn({ tool, input, session, cwd }: HookCall): readonly MettleCall[] {
  const command = textOf(input["command"]) ?? "";
  const isShell = tool === "Bash" || tool === "run_shell_command";
  if (!isShell || session === null) return [];
  return mettleCalls(command, (path) => textAt(resolve(cwd ?? ".", path)));
}

/** Longer scripts are not read. */
const maxScriptBytes = 256 << 10;

function textAt(path: string): string | null {
  try {
    const found = statSync(path);
    return found.isFile() && found.size <= maxScriptBytes ? readFileSync(path, "utf8") : null;
  } catch {
    return null; // missing or unreadable
  }
}

function namesOrchestrate(args: readonly string[]): boolean {
  const at = args.findIndex((arg) => /^--protocol(?:=|$)/u.test(arg));
  if (at === -1) return args.some((arg) => /(?:^|\n)[@/]orchestrate(?=\s|$)/u.test(arg));
  return (args[at]?.split("=")[1] ?? args[at + 1]) === "orchestrate";
}
