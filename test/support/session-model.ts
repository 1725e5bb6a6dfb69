/**
 * The model of a person's own session of Claude Code, scripted: as the Main Thread it does what Mettle's slash commands and
 * tools say and no more, and as a sub-agent it plays the turn that a cassette has for the role.
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
  /** Words of the person and what the Main Thread does at them; a slash command says that itself. */
  readonly at: Readonly<Record<string, readonly ModelStep[]>>;
  /** End of a dispatch line -> what its sub-agent is told at the first try in the place of its prompt. */
  readonly misled?: Readonly<Record<string, string>>;
  /** Ends of the lines of dispatches that are reported a second time. */
  readonly twice?: readonly string[];
}

/** The names that init gives the sub-agents in `.claude/agents`. */
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
  /** The mode that the person asked for: the Main Thread works in no other. */
  let mode: string | null = null;
  let begun: ModelStep[] = [];

  const onUserMessage = (text: string): ModelStep => {
    mode = null;
    const exactly = /with exactly `(\{.*?\})`/u.exec(text)?.[1];
    // The command for a module says what its blank becomes.
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
      // Either is a session's to choose; the background is what Claude Code advises.
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

/** A tool of Mettle's server as `.mcp.json` names it. */
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

/** What a sub-agent ended with, in the words of `report`. Claude Code indents what it hands back. */
function reportIn(handed: string): object {
  const text = handed.replaceAll(/^ {2}/gmu, "");
  const [, status = "BL", message = ""] = /^→(\w+): (.*)$/mu.exec(text) ?? [];
  const payload = /```json\n([\s\S]*?)\n```/u.exec(text)?.[1];
  return { status, message, ...(payload === undefined ? {} : { payload: JSON.parse(payload) as unknown }) };
}
