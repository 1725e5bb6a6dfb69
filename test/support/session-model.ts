/**
 * The scripted model of a person's Claude Code session: as the Main Thread it follows Mettle's slash commands and tools, and as
 * a sub-agent it plays the role's turn of a cassette.
 */
import type { CyclesCassette, Role } from "../cycles/world.ts";
import type { TurnFile } from "../orchestrate/world.ts";
import type { NextStep } from "../../src/referee/advance.ts";
import { toolSteps, workspaceOf } from "./cassette-model.ts";
import { conversationOf, type ToolCallResult, type Entry } from "./conversation.ts";
import type { ModelRequest, ModelStep } from "./wire.ts";

type Dispatched = Extract<NextStep, { type: "dispatch" }>;

export interface SessionScript {
  readonly cassette: CyclesCassette;
  /** Text of the person -> steps of the Main Thread; slash commands contain their own step. */
  readonly at: Readonly<Record<string, readonly ModelStep[]>>;
  /** End of a dispatch line -> a wrong prompt for the first attempt of its sub-agent. */
  readonly misled?: Readonly<Record<string, string>>;
  /** Line ends of dispatches that are reported twice. */
  readonly twice?: readonly string[];
}

/** Role -> name of its sub-agent in `.claude/agents`. */
const agentOf: Readonly<Record<Role, string>> = {
  designer: "design",
  arch_critic: "arch-critic",
  planner: "plan",
  plan_critic: "plan-critic",
  qa: "qa",
  de: "de",
  reviewer: "review",
};

export function sessionModel({
  cassette,
  at,
  misled = {},
  twice = [],
}: SessionScript): (request: ModelRequest) => ModelStep {
  const wrong = new Map(Object.entries(misled));
  const again = [...twice];
  const open = new Map<string, Role>();
  const playing = new Map<string, ModelStep[]>();
  /** The mode that the person requested: the Main Thread works only in it. */
  let mode: string | null = null;
  let begun: ModelStep[] = [];

  const onUserMessage = (text: string): ModelStep => {
    mode = null;
    const exactly = /with exactly `(\{.*?\})`/u.exec(text)?.[1];
    // The command describes how to write the module.
    if (exactly !== undefined) return call("enter", JSON.parse(exactly.replaceAll(/(?<=Λ₂) /gu, ":")));
    begun = [...(Object.entries(at).find(([words]) => text.includes(words))?.[1] ?? [])];
    return begun.shift() ?? { text: "Nothing was scripted for these words." };
  };
  const start = ({ line, role, prompt }: Dispatched): ModelStep => {
    open.set(line, role as Role);
    const [end] = [...wrong.keys()].filter((each) => line.endsWith(each));
    const instead = end === undefined ? undefined : wrong.get(end);
    if (end !== undefined) wrong.delete(end);
    const input = {
      description: line,
      subagent_type: agentOf[role as Role],
      prompt: instead ?? prompt,
      // Claude Code recommends background sub-agents, but a session may use both kinds.
      run_in_background: role === "qa" || role === "de",
    };
    return { tools: [{ name: "Agent", input }] };
  };
  const standing = ({ text, isError }: ToolCallResult): ModelStep => {
    if (isError) return { text };
    const now = JSON.parse(text) as NextStep;
    if (now.type !== "dispatch") return { text };
    mode ??= now.mode;
    return now.mode === mode ? start(now) : { text: now.line };
  };
  const reported = ({ text, input, isError }: ToolCallResult): ModelStep => {
    if (isError) return call("next", {});
    const { line } = JSON.parse(text) as { readonly line: string };
    const end = again.find((each) => line.endsWith(each));
    if (end === undefined) return call("next", {});
    again.splice(again.indexOf(end), 1);
    return call("report", input);
  };
  const mainThread = (last: Entry | undefined): ModelStep => {
    const step = begun.shift();
    if (step !== undefined) return step;
    if (last?.type === "finished") return call("report", reportIn(last.text));
    if (last?.type === "held") return { text: "I wait for the person." };
    if (last?.type !== "answered") return onUserMessage(last?.text ?? "");
    switch (last.tool) {
      case "mcp__mettle__enter":
      case "mcp__mettle__next":
        return standing(last);
      case "Agent":
        if (last.isError) return call("next", {});
        if (last.text.startsWith("Async agent launched")) return { text: "I wait for the sub-agent." };
        return call("report", reportIn(last.text));
      case "mcp__mettle__report":
        return reported(last);
      default:
        return { text: "I wait for the person." };
    }
  };
  const subAgent = (line: string, request: ModelRequest): ModelStep => {
    const role = open.get(line);
    const steps =
      playing.get(line) ?? (role === undefined ? [] : turnOf(cassette, role, workspaceOf(request)));
    playing.set(line, steps);
    return steps.shift() ?? { text: "→BL: the cassette is at its end" };
  };

  return (request) => {
    const conversation = conversationOf(request);
    const [line = ""] = (conversation.find(({ type }) => type === "user")?.text ?? "").split("\n");
    return /^\S+\[.*\]$/u.test(line) ? subAgent(line, request) : mainThread(conversation.at(-1));
  };
}

/** Calls a tool of Mettle's server from `.mcp.json`. */
export function call(tool: string, input: unknown): ModelStep {
  return { tools: [{ name: `mcp__mettle__${tool}`, input }] };
}

function turnOf(cassette: CyclesCassette, role: Role, cwd: string): ModelStep[] {
  const turns = cassette.roles[role];
  const { does = [], report } = (turns.length > 1 ? turns.shift() : turns[0]) ?? ({} satisfies TurnFile);
  const payload =
    report?.payload === undefined ? "" : `\`\`\`json\n${JSON.stringify(report.payload)}\n\`\`\`\n`;
  const words = `${payload}→${report?.status ?? "BL"}: ${report?.message ?? ""}`;
  return [...does.flatMap((act) => toolSteps(act, cwd)), { text: words }];
}

/** Reads the report from the result of a sub-agent, which Claude Code indents. */
function reportIn(handed: string): object {
  const text = handed.replaceAll(/^ {2}/gmu, "");
  const [, status = "BL", message = ""] = /^→(\w+): (.*)$/mu.exec(text) ?? [];
  const payload = /```json\n([\s\S]*?)\n```/u.exec(text)?.[1];
  return { status, message, ...(payload === undefined ? {} : { payload: JSON.parse(payload) as unknown }) };
}
