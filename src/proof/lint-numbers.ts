/**
 * Counts the findings of the project's own lint tool in changed files before and after (TDP-35), in clean checkouts.
 * The numbers inform the reviewer and decide nothing. Mettle brings no tool and no rules.
 */
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { lintTools, settingsOfTools, type LintTool } from "../gates/cycle/lint-tools.ts";
import { isExecutable } from "../lib/files.ts";
import { parseJson } from "../lib/json.ts";
import { withCheckout, type Checkout } from "./checkout/checkout.ts";
import { systemPath } from "./execute/execute-command.ts";
import { startProgram } from "./execute/start-program.ts";
import type { Project } from "./project/project.ts";
import type { ProofPorts } from "./ports.ts";
import { committedModules } from "./setting.ts";

export interface LintRequest {
  readonly before: Project;
  readonly after: Project;
  readonly paths: readonly string[];
  /** The longest run of the tool; the figures are optional. */
  readonly maxMs: number;
}

type Numbers = Readonly<Record<string, number | string>>;

const notMeasured = (why: string): Numbers => ({ lint: `not measured (${why})` });

/** @returns the tool with its counts, or why there are none */
export async function lintNumbers(
  ports: ProofPorts,
  { before: old, after: now, paths, maxMs }: LintRequest,
): Promise<Numbers> {
  const tool = await toolOf(now);
  if (tool === null) return notMeasured("no known lint tool is configured");
  if ((await toolOf(old)) !== tool) return notMeasured("the change configures another lint tool");
  const read = paths.filter((path) => tool.reads.test(path));
  if (read.length === 0) return notMeasured(`${tool.name} reads no changed file`);
  const run = (project: Project) => findings(ports, { tool, project, paths: read, maxMs });
  const before = await run(old);
  const after = typeof before === "number" ? await run(now) : before;
  if (typeof before === "string") return notMeasured(before);
  if (typeof after === "string") return notMeasured(after);
  return { lint: tool.name, lint_before: before, lint_after: after };
}

/** The tool that the commit's own files configure. */
async function toolOf(project: Project): Promise<LintTool | null> {
  const names = new Set([...project.files.keys()].filter((path) => !path.includes("/")));
  const texts = await project.texts(settingsOfTools);
  const configured = { names, text: (name: string) => texts.get(name) ?? "" };
  return lintTools.find((tool) => tool.isConfigured(configured)) ?? null;
}

interface ToolRun {
  readonly tool: LintTool;
  readonly project: Project;
  readonly paths: readonly string[];
  readonly maxMs: number;
}

/** The count, or why there is none. */
async function findings(
  ports: ProofPorts,
  { tool, project, paths, maxMs }: ToolRun,
): Promise<number | string> {
  const present = paths.filter((path) => project.files.has(path));
  if (present.length === 0) return 0;
  const files = [...project.files.values()];
  const committed = committedModules(project);
  return withCheckout({ ports, files, committed }, async (checkout) => {
    const program = await programOf(tool, checkout, ports.repository.path);
    if (program === null) return `${tool.name} is not installed`;
    const env = {
      PATH: [dirname(ports.node), ports.repository.path, systemPath].join(delimiter),
      HOME: checkout.scratch,
      TMPDIR: checkout.scratch,
      NO_COLOR: "1",
    };
    const timeoutMs = Math.min(maxMs, ports.timeoutMs);
    const { signal } = ports;
    // The commit's own configuration may be code.
    const { ran } = await startProgram(ports, {
      file: program,
      argv: tool.argv(present),
      options: { cwd: checkout.path, env, timeoutMs, ...(signal === undefined ? {} : { signal }) },
      checkout: checkout.path,
      place: checkout.scratch,
      reads: checkout.dependencies,
    });
    const { stdout, timedOut, exitCode } = ran;
    // Exit code 1 means findings, a higher one that the tool failed.
    if (timedOut) return `${tool.name} took over ${timeoutMs / 1000} s`;
    if (exitCode === null || exitCode > 1) return `${tool.name} ended with ${exitCode ?? "a signal"}`;
    return tool.count(parseJson(stdout.toString("utf8"))) ?? `${tool.name} printed no report`;
  });
}

/** Looks in the project's dependencies, then on the PATH that Mettle was started with. */
async function programOf({ name }: LintTool, { path }: Checkout, PATH: string): Promise<string | null> {
  const folders = [join(path, "node_modules", ".bin"), ...PATH.split(delimiter).filter(isAbsolute)];
  for (const folder of folders) {
    const file = join(folder, name);
    if (await isExecutable(file)) return file;
  }
  return null;
}
