/** Makes a scripted model play a cassette through the real Claude Code: what the scripted agent does, done with its tools. */
import { basename, join } from "node:path";
import type { CassetteFile, TurnFile } from "../orchestrate/world.ts";
import type { ModelRequest, ModelStep } from "./wire.ts";

/** How the decision reaches Mettle: by the tool `report`, or by the last line of the text. */
export type ReportBy = "tool" | "text";

/**
 * Chooses the model's answer to each request. The role is read from the workspace's name, which ends with it; within a role
 * the turns are played in their order, as the scripted agent plays them.
 */
export function cassetteModel(
  cassette: CassetteFile,
  reportBy: ReportBy,
): (request: ModelRequest) => ModelStep {
  const queues = new Map(
    Object.entries(cassette.roles).map(([role, turns]) => [
      role,
      turns.map((turn) => (cwd: string) => stepsOf(turn, cwd, reportBy)),
    ]),
  );
  // A last turn that repeats is played at each further dispatch.
  const next = (role: string) => {
    const repeats = cassette.roles[role]?.at(-1)?.repeat === true;
    const queue = queues.get(role) ?? [];
    return repeats && queue.length === 1 ? queue[0] : queue.shift();
  };
  const playing = new Map<string, ModelStep[]>();
  return (request) => {
    const cwd = workspaceOf(request);
    const role = roleOf(request);
    const now = playing.get(role) ?? [];
    if (now.length === 0) now.push(...(next(role)?.(cwd) ?? [{ text: "the cassette is at its end" }]));
    playing.set(role, now);
    return now.shift() ?? { text: "" };
  };
}

/** Who asks, as its workspace is named. */
export function roleOf(request: ModelRequest): string {
  return basename(workspaceOf(request)).replace(/^.*-/u, "");
}

/** Claude Code tells its model where it works. */
export function workspaceOf({ body }: ModelRequest): string {
  return /Working directory: ([^\s"\\]+)/iu.exec(body)?.[1] ?? "unknown";
}

function stepsOf({ does = [], report }: TurnFile, cwd: string, reportBy: ReportBy): ModelStep[] {
  const steps: ModelStep[] = [];
  const said: string[] = [];
  for (const act of does) {
    if (typeof act["say"] === "string") said.push(act["say"]);
    else steps.push(...toolSteps(act, cwd));
  }
  if (report !== undefined && reportBy === "tool")
    steps.push({ tools: [{ name: "mcp__mettle__report", input: report }] });
  if (report !== undefined && reportBy === "text") {
    if (report.payload !== undefined) said.push(`\`\`\`json\n${JSON.stringify(report.payload)}\n\`\`\``);
    said.push(`→${report.status}: ${report.message ?? ""}`);
  }
  return [...steps, { text: said.length === 0 ? "I am finished." : said.join("\n") }];
}

/** One act of a turn by the tools of Claude Code; none for words. */
export function toolSteps(act: Record<string, unknown>, cwd: string): ModelStep[] {
  const { write, edit, shell, query, observe } = act as {
    write?: { path: string; content: string };
    edit?: { path: string; find: string; replace: string };
    shell?: string;
    query?: string;
    observe?: string;
  };
  // Claude Code changes no file that it has not read.
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
