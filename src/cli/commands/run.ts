import { uncommittedPaths } from "../../git/repository.ts";
import { withHost, type OpenHost } from "../../run/host.ts";
import { person } from "../../channel/person.ts";
import { readTrigger } from "../../runtime/trigger.ts";
import { startRun } from "../../runtime/start/start-run.ts";
import { hostedStart, type HostedStart } from "../../runtime/families/steps/start.ts";
import { AppError } from "../../lib/errors.ts";
import { withRunners } from "../choose-runner.ts";
import type { CliCommand } from "../command.ts";
import { driveRun } from "../drive-run.ts";
import { toldLive } from "../live-line.ts";
import { specFrom } from "../read-spec.ts";

export const command: CliCommand = {
  define: (line) =>
    line
      .argument("[task]", "what to build, e.g. '@orchestrate \"Build a login page\"'")
      .option(
        "--protocol <name>",
        "protocol to follow; the keyword @orchestrate at the start of the task names it too",
      )
      .option("--agent <agent...>", "AGENT for all roles, or ROLE=AGENT; e.g. scripted:cassette.yaml")
      .option("--approve <gates>", "approve gates beforehand: plan, code, or plan,code")
      .option("--spec <file>", "graph: what to build, as YAML or JSON; - for standard input")
      .option("--max-depth <n>", "graph: how deep children may have children, 0 to 8")
      .option("--parallel <n>", "graph: agents at work at once; continue: prompts at once")
      .option("--input <name=value...>", "an input of a protocol of steps: prompt_num=1")
      .option("--base <branch>", "graph: the branch to start from (default: the current one)")
      .option("--pr", "graph: open a merge request for each published node, with gh or glab")
      .option("--land", "take a proven result over into the branch that the run started from"),

  async run(io, [task = ""], options) {
    // Both decide in a person's place, before anything is there to decide about.
    if (options["land"] === true || options["approve"] !== undefined) person();
    const wanted = wantedOf(task, options);
    if (wanted.hint !== null) io.warn(`hint: ${wanted.hint}`);
    return withHost(io.cwd, async (host) => {
      const spec = wanted.spec === null ? null : await specFrom(host, io.cwd, wanted.spec);
      const hosted = await hostedFrom(host, wanted, options);
      const uncommitted = (await uncommittedPaths(host.repository)).length;
      const start = (progress: (what: string) => void) =>
        startRun(host, {
          task: spec === null ? wanted.task : spec.spec.description,
          protocol: wanted.protocol,
          ...hosted,
          ...(spec === null ? {} : { spec }),
          graph: {
            ...wholeNumber(options, "maxDepth", { from: 0, to: 8 }),
            ...wholeNumber(options, "parallel", { from: 1, to: 256 }),
          },
          ...(typeof options["base"] === "string" ? { base: options["base"] } : {}),
          mergeRequests: options["pr"] === true,
          agents: agentsOf(options["agent"]),
          preapproved: gatesOf(options["approve"]),
          demo: false,
          signal: io.signal,
          progress,
        });
      const started = await withRunners(io, host.repository.root, () => toldLive(io, start));
      if (uncommitted > 0) io.warn(`note: ${notIncluded(uncommitted)}; it starts from ${baseOf(options)}`);
      if (started.detached) io.warn("note: HEAD is detached; the run starts from this commit");
      if (started.note !== null) io.warn(`note: ${started.note}`);
      if (started.unsigned !== null) io.warn(`note: ${started.unsigned}`);
      if (spec !== null) io.say(`run ${started.run}, first node ${spec.spec.id}\n`);
      const result = await driveRun({ io, host, run: started.run });
      if (options["land"] !== true || result.exit !== 0) return result;
      const { landRun } = await import("../../runtime/verify/land-run.ts");
      const landing = await landRun(host, started.run).catch(refusal);
      // The run is proven all the same, and its summary says how to take the result over.
      if (landing instanceof AppError) {
        const { code, message, hint, detail } = landing;
        return { ...result, exit: landing.exitCode, error: { code, message, hint, detail } };
      }
      const { unsigned: _, ...landed } = landing;
      return {
        ...result,
        text: `${result.text}\nlanded on ${landed.branch}`,
        json: { ...result.json, landed },
      };
    });
  },
};

function refusal(error: unknown): AppError {
  if (error instanceof AppError && error.code === "land_refused") return error;
  throw error;
}

function baseOf({ base }: Readonly<Record<string, unknown>>): string {
  return typeof base === "string" ? base : "HEAD";
}

function notIncluded(files: number): string {
  return files === 1
    ? "1 uncommitted file is not part of this run"
    : `${files} uncommitted files are not part of this run`;
}

interface Wanted {
  readonly task: string;
  readonly protocol: string;
  readonly spec: string | null;
  readonly hint: string | null;
}

/** A graph is started with a spec and a protocol of steps with its inputs, both without words; everything else with words. */
function wantedOf(task: string, options: Readonly<Record<string, unknown>>): Wanted {
  const asked = typeof options["protocol"] === "string" ? options["protocol"] : null;
  const spec = typeof options["spec"] === "string" ? options["spec"] : null;
  // What begins without words is looked at where the protocols are known.
  if (spec === null && asked !== null && task.trim() === "")
    return { task: "", protocol: asked, spec, hint: null };
  if (spec === null) return { ...readTrigger(task, asked), spec };
  if (task === "") return { task, protocol: asked ?? "graph", spec, hint: null };
  throw new AppError("usage", "a run begins with a task in words or with --spec, not with both", {
    hint: "leave one of the two out",
  });
}

/** What a protocol of steps begins with, of the plan and of its inputs; nothing of another protocol. */
async function hostedFrom(
  host: OpenHost,
  { task, protocol, spec }: Wanted,
  options: Readonly<Record<string, unknown>>,
): Promise<Partial<HostedStart>> {
  const inputs = Array.isArray(options["input"]) ? options["input"].map(String) : [];
  const { parallel = null } = wholeNumber(options, "parallel", { from: 1, to: 256 });
  const hosted = await hostedStart(host, { protocol, task, inputs, atOnce: parallel });
  if (hosted !== null) return hosted;
  if (inputs.length > 0)
    throw new AppError("usage", `${protocol} takes no --input`, {
      hint: "protocols of steps do: mettle run --protocol implementation --input prompt_num=1",
    });
  // A graph says itself that it wants a spec.
  if (task === "" && spec === null && protocol !== "graph") readTrigger(task, protocol);
  return {};
}

function wholeNumber<Name extends string>(
  options: Readonly<Record<string, unknown>>,
  name: Name,
  { from, to }: { readonly from: number; readonly to: number },
): Partial<Record<Name, number>> {
  const given = options[name];
  if (typeof given !== "string") return {};
  const value = /^\d+$/u.test(given) ? Number(given) : Number.NaN;
  const flag = `--${name.replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)}`;
  if (!(value >= from && value <= to))
    throw new AppError("usage", `${flag} is a whole number from ${from} to ${to}, not ${given}`, {
      hint: "`mettle run --help`",
    });
  return { [name]: value } as Partial<Record<Name, number>>;
}

/** `--agent X` for all roles, `--agent ROLE=X` for one. */
export function agentsOf(given: unknown): Readonly<Record<string, string>> {
  const agents: Record<string, string> = {};
  for (const value of Array.isArray(given) ? given.map(String) : []) {
    const match = /^([a-z][a-z_-]*)=(.+)$/u.exec(value);
    if (match) agents[match[1] ?? ""] = match[2] ?? "";
    else agents["default"] = value;
  }
  return agents;
}

function gatesOf(given: unknown): readonly string[] {
  if (typeof given !== "string") return [];
  const gates = given.split(",").map((gate) => gate.trim());
  const wrong = gates.find((gate) => gate !== "plan" && gate !== "code");
  if (wrong !== undefined)
    throw new AppError("usage", `--approve knows no gate ${wrong}`, {
      hint: "--approve plan, code, or plan,code",
    });
  return gates;
}
