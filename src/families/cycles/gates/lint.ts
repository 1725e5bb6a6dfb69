/**
 * Counts the findings of the project's own lint tool in changed files before and after (TDP-35), in clean checkouts.
 * The numbers inform the reviewer and decide nothing. Mettle brings no tool and no rules.
 */
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { lintTools, settingsOfTools, type LintTool } from "../../../gates/cycle/lint-tools.ts";
import { isExecutable } from "../../../lib/files.ts";
import { parseJson } from "../../../lib/json.ts";
import type { RunContext } from "../../../run/context.ts";
import { proofPorts } from "../../../run/proof-ports.ts";
import { withCheckout, type Checkout } from "../../../proof/checkout/checkout.ts";
import { systemPath } from "../../../proof/execute/execute-command.ts";
import { startProgram } from "../../../proof/execute/start-program.ts";
import { projectAt, type Project } from "../../../proof/project/project.ts";
import { committedModules } from "../../../proof/setting.ts";

export interface LintRequest {
  readonly from: string;
  readonly to: string;
  readonly paths: readonly string[];
}

type Numbers = Readonly<Record<string, number | string>>;

const notMeasured: Numbers = { lint: "not measured" };

/** Returns the numbers for a row. */
export async function lintNumbers(
  context: RunContext,
  signal: AbortSignal,
  { from, to, paths }: LintRequest,
): Promise<Numbers> {
  const [old, now] = await Promise.all([
    projectAt(context.repository, from),
    projectAt(context.repository, to),
  ]);
  const tool = await toolOf(now);
  if (tool === null || (await toolOf(old)) !== tool) return notMeasured;
  const read = paths.filter((path) => tool.reads.test(path));
  if (read.length === 0) return notMeasured;
  const before = await findings(context, signal, { tool, project: old, paths: read });
  const after = before === null ? null : await findings(context, signal, { tool, project: now, paths: read });
  return before === null || after === null
    ? notMeasured
    : { lint: tool.name, lint_before: before, lint_after: after };
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
}

/** Null if the tool is missing or printed no report. */
async function findings(
  context: RunContext,
  signal: AbortSignal,
  { tool, project, paths }: ToolRun,
): Promise<number | null> {
  const present = paths.filter((path) => project.files.has(path));
  if (present.length === 0) return 0;
  const files = [...project.files.values()];
  const committed = committedModules(project);
  const ports = proofPorts(context, signal);
  return withCheckout({ ports, files, committed }, async (checkout) => {
    const program = await programOf(tool, checkout, context.host.path);
    if (program === null) return null;
    const env = {
      PATH: [dirname(context.host.node), context.host.path, systemPath].join(delimiter),
      HOME: checkout.scratch,
      TMPDIR: checkout.scratch,
      NO_COLOR: "1",
    };
    const timeoutMs = Math.min(maxMs, context.settings.deadlines.testMs);
    // The commit's own configuration may be code.
    const { ran } = await startProgram(ports, {
      file: program,
      argv: tool.argv(present),
      options: { cwd: checkout.path, env, timeoutMs, signal },
      checkout: checkout.path,
      place: checkout.scratch,
      reads: checkout.dependencies,
    });
    const { stdout, timedOut, exitCode } = ran;
    // Exit code 1 means findings, a higher one that the tool failed.
    if (timedOut || exitCode === null || exitCode > 1) return null;
    return tool.count(parseJson(stdout.toString("utf8")));
  });
}

/** The number is optional, so the wait is short. */
const maxMs = 60_000;

/** Looks in the project's dependencies, then on the PATH that Mettle was started with. */
async function programOf({ name }: LintTool, { path }: Checkout, PATH: string): Promise<string | null> {
  const folders = [join(path, "node_modules", ".bin"), ...PATH.split(delimiter).filter(isAbsolute)];
  for (const folder of folders) {
    const file = join(folder, name);
    if (await isExecutable(file)) return file;
  }
  return null;
}
