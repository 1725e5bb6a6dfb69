/** A scripted model that plays a cassette through the real Claude Code: each act becomes a tool call. */
import { basename, join } from "node:path";
import type { CassetteFile, TurnFile } from "../orchestrate/world.ts";
import type { ModelRequest, ModelStep } from "./wire.ts";

/** How the decision reaches Mettle: by the tool `report`, or by the last line of the text. */
export type ReportBy = "tool" | "text";

/**
 * Chooses the model's answer to each request. The workspace's name ends with the role; within a role the turns are played in
 * order, as by the scripted agent.
 */
export function cassetteModel(
  cassette: Pick<CassetteFile, "roles">,
  reportBy: ReportBy,
): (request: ModelRequest) => ModelStep {
  return playing(cassette.roles, roleOf, reportBy);
}

/** The same for a graph, whose cassettes have roles for each node: a workspace is named after frame and role. */
export function treeModel({
  nodes,
}: {
  readonly nodes: Readonly<Record<string, Readonly<Record<string, TurnFile[]>>>>;
}): (request: ModelRequest) => ModelStep {
  const turns = Object.entries(nodes).flatMap(([node, roles]) => {
    const [, ...below] = node.split("--");
    const frames = below.map((id) => `work-children-children-${id}`);
    const frame = frames.length === 0 ? "main" : frames.join("-");
    return Object.entries(roles).map(([role, own]) => [`${frame}-${role}`, own] as const);
  });
  return playing(Object.fromEntries(turns), (request) => basename(workspaceOf(request)), "tool");
}

/** @param cast name of a player, read from the request -> its turns */
function playing(
  cast: Readonly<Record<string, readonly TurnFile[]>>,
  nameOf: (request: ModelRequest) => string,
  reportBy: ReportBy,
): (request: ModelRequest) => ModelStep {
  const queues = new Map(
    Object.entries(cast).map(([name, turns]) => [
      name,
      turns.map((turn) => (cwd: string) => stepsOf(turn, cwd, reportBy)),
    ]),
  );
  // A repeating last turn is played at each further dispatch.
  const next = (name: string) => {
    const repeats = cast[name]?.at(-1)?.repeat === true;
    const queue = queues.get(name) ?? [];
    return repeats && queue.length === 1 ? queue[0] : queue.shift();
  };
  const begun = new Map<string, ModelStep[]>();
  return (request) => {
    const name = nameOf(request);
    const now = begun.get(name) ?? [];
    if (now.length === 0)
      now.push(...(next(name)?.(workspaceOf(request)) ?? [{ text: "the cassette is at its end" }]));
    begun.set(name, now);
    return now.shift() ?? { text: "" };
  };
}

/** Name of the workspace that a request comes from. */
export function roleOf(request: ModelRequest): string {
  return basename(workspaceOf(request)).replace(/^.*-/u, "");
}

/** Claude Code and Codex tell their models the working folder, again if a conversation continues in another one. */
export function workspaceOf({ body }: ModelRequest): string {
  const folders = [...body.matchAll(/(?:Working directory: |<cwd>)([^\s"\\<]+)/giu)];
  return folders.at(-1)?.[1] ?? "unknown";
}

function stepsOf({ does = [], report }: TurnFile, cwd: string, reportBy: ReportBy): ModelStep[] {
  const steps: ModelStep[] = [];
  const texts: string[] = [];
  for (const act of does) {
    if (typeof act["say"] === "string") texts.push(act["say"]);
    else steps.push(...toolSteps(act, cwd));
  }
  if (report !== undefined && reportBy === "tool")
    steps.push({ tools: [{ name: "mcp__mettle__report", input: report }] });
  if (report !== undefined && reportBy === "text") {
    if (report.payload !== undefined) texts.push(`\`\`\`json\n${JSON.stringify(report.payload)}\n\`\`\``);
    texts.push(`→${report.status}: ${report.message ?? ""}`);
  }
  return [...steps, { text: texts.length === 0 ? "I am finished." : texts.join("\n") }];
}

/** One act of a turn as tool calls of Claude Code; empty for text. */
export function toolSteps(act: Record<string, unknown>, cwd: string): ModelStep[] {
  const { write, edit, shell, query, observe } = act as {
    write?: { path: string; content: string };
    edit?: { path: string; find: string; replace: string };
    shell?: string;
    query?: string;
    observe?: string;
  };
  // Claude Code edits only files that it has read.
  const read = (path: string): ModelStep => ({
    tools: [{ name: "Read", input: { file_path: join(cwd, path) } }],
  });
  if (write) {
    const input = { file_path: join(cwd, write.path), content: write.content };
    return [read(write.path), { tools: [{ name: "Write", input }] }];
  }
  if (edit) {
    const input = { file_path: join(cwd, edit.path), old_string: edit.find, new_string: edit.replace };
    return [read(edit.path), { tools: [{ name: "Edit", input }] }];
  }
  if (query !== undefined) return [{ tools: [{ name: "mcp__mettle__query", input: { pattern: query } }] }];
  if (observe !== undefined)
    return [{ tools: [{ name: "mcp__mettle__observe", input: { content: observe } }] }];
  if (shell !== undefined) return [{ tools: [{ name: "Bash", input: { command: shell } }] }];
  return [];
}
