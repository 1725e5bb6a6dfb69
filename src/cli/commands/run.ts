import { shippedFamilies } from "../../families/families.ts";
import { uncommittedPaths } from "../../git/repository.ts";
import { withHost, type OpenHost } from "../../run/host.ts";
import { requirePerson } from "../../channel/person.ts";
import { loadSettings } from "../../config/settings.ts";
import { readTrigger } from "../../families/orchestrate/trigger.ts";
import { startRun } from "../../engine/start/start-run.ts";
import { hostedStart, type HostedStart } from "../../families/steps/start.ts";
import type { InputValues } from "../../lib/command-line/input-values.ts";
import { AppError } from "../../lib/errors.ts";
import { withChosenRunners } from "../choose-runner.ts";
import type { CommandHandler } from "../command.ts";
import { driveRun } from "../drive-run.ts";
import { withLiveProgress } from "../live-line.ts";
import { specFrom } from "../read-spec.ts";

export const run: CommandHandler = async (io, given) => {
  if (given.flag("detach") && given.flag("land"))
    throw new AppError("usage", "--land does not go with --detach: nobody waits for the result", {
      hint: "`mettle land RUN` when the run is done",
    });
  // Both options decide in a person's place before the run exists.
  const by = given.flag("land") || given.text("approve") !== null ? requirePerson() : null;
  return withHost(io.cwd, async (host) => {
    const { protocol: usual } = await loadSettings(host.repository.root);
    const request = requestOf(given, usual);
    if (request.hint !== null) io.warn(`hint: ${request.hint}`);
    if (request.isUsual)
      io.warn(
        `protocol: ${request.protocol} (--protocol NAME, or \`protocol\` in mettle.yaml, takes another)`,
      );
    const spec = request.spec === null ? null : await specFrom(host, io.cwd, request.spec);
    const depth = wholeNumber(given, "max-depth", { from: 0, to: 8 });
    const parallel = wholeNumber(given, "parallel", { from: 1, to: 256 });
    const base = given.text("base");
    const hosted = await hostedFrom(host, request, given);
    const uncommitted = (await uncommittedPaths(host.repository)).length;
    const start = (progress: (what: string) => void) =>
      startRun(
        host,
        {
          task: spec === null ? request.task : spec.spec.description,
          protocol: request.protocol,
          ...hosted,
          ...(spec === null ? {} : { spec }),
          graph: {
            ...(depth !== null && { maxDepth: depth }),
            ...(parallel !== null && { parallel }),
          },
          ...(base !== null && { base }),
          mergeRequests: given.flag("pr"),
          detach: given.flag("detach"),
          agents: agentsOf(given),
          preapproved: preapprovedGates(given),
          demo: false,
          signal: io.signal,
          progress,
        },
        shippedFamilies,
      );
    const started = await withChosenRunners(io, host.repository.root, () => withLiveProgress(io, start));
    if (uncommitted > 0) io.warn(`note: ${uncommittedNote(uncommitted)}; it starts from ${base ?? "HEAD"}`);
    if (started.detached) io.warn("note: HEAD is detached; the run starts from this commit");
    if (started.note !== null) io.warn(`note: ${started.note}`);
    if (started.enrolled !== null)
      io.warn(
        `note: the shared store had no key, so that of this host was enrolled as ${started.enrolled}; \`mettle keys enrol\` adds others`,
      );
    if (started.unsigned !== null) io.warn(`note: ${started.unsigned}`);
    if (spec !== null) io.print(`run ${started.run}, first node ${spec.spec.id}\n`);
    const result = await driveRun({ io, host, run: started.run, waits: !given.flag("no-wait") });
    if (!given.flag("land") || by === null || result.exit !== 0) return result;
    const { openRun } = await import("../../families/open-run.ts");
    const { landRun } = await import("../../verify/land-run.ts");
    const landing = await landRun(await openRun(host, { run: started.run }), by).catch(refusal);
    // The run is proven nevertheless; its summary says how to take the result over.
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
};

function refusal(error: unknown): AppError {
  if (error instanceof AppError && ["land_refused", "not_permitted"].includes(error.code)) return error;
  throw error;
}

function uncommittedNote(files: number): string {
  return files === 1
    ? "1 uncommitted file is not part of this run"
    : `${files} uncommitted files are not part of this run`;
}

interface RunRequest {
  readonly task: string;
  readonly protocol: string;
  readonly spec: string | null;
  readonly hint: string | null;
  readonly isUsual: boolean;
}

/** A graph starts with a spec, a protocol of steps with its inputs, every other protocol with a task. */
function requestOf(given: InputValues, usual: string): RunRequest {
  const task = given.text("task") ?? "";
  const named = given.text("protocol");
  const spec = given.text("spec");
  // A start without a task is checked later, when the protocol is known.
  if (spec === null && named !== null && task.trim() === "")
    return { task: "", protocol: named, spec, hint: null, isUsual: false };
  if (spec === null) return { ...readTrigger(task, named, usual), spec };
  if (task === "") return { task, protocol: named ?? "graph", spec, hint: null, isUsual: false };
  throw new AppError("usage", "a run begins with a task in words or with --spec, not with both", {
    hint: "leave one of the two out",
  });
}

/** The start options of a protocol of steps, from the plan and the inputs; empty for other protocols. */
async function hostedFrom(
  host: OpenHost,
  { task, protocol, spec }: RunRequest,
  given: InputValues,
): Promise<Partial<HostedStart>> {
  const inputs = given.list("input") ?? [];
  const parallel = wholeNumber(given, "parallel", { from: 1, to: 256 });
  const hosted = await hostedStart(host, {
    protocol,
    task,
    inputs,
    atOnce: parallel,
  });
  if (hosted !== null) return hosted;
  if (inputs.length > 0)
    throw new AppError("usage", `${protocol} takes no --input`, {
      hint: "protocols of steps do: mettle run --protocol implementation --input prompt_num=1",
    });
  // The start of a graph reports a missing spec itself.
  if (task === "" && spec === null && protocol !== "graph") readTrigger(task, protocol, protocol);
  return {};
}

function wholeNumber(
  given: InputValues,
  name: string,
  { from, to }: { readonly from: number; readonly to: number },
): number | null {
  const text = given.text(name);
  if (text === null) return null;
  const value = /^\d+$/u.test(text) ? Number(text) : Number.NaN;
  if (value >= from && value <= to) return value;
  throw new AppError("usage", `--${name} is a whole number from ${from} to ${to}, not ${text}`, {
    hint: "`mettle run --help`",
  });
}

/** `--agent X` for all roles, `--agent ROLE=X` for one. */
export function agentsOf(given: InputValues): Readonly<Record<string, string>> {
  const agents: Record<string, string> = {};
  for (const value of given.list("agent") ?? []) {
    const match = /^([a-z][a-z_-]*)=(.+)$/u.exec(value);
    if (match) agents[match[1] ?? ""] = match[2] ?? "";
    else agents["default"] = value;
  }
  return agents;
}

function preapprovedGates(given: InputValues): readonly string[] {
  const gates = given
    .text("approve")
    ?.split(",")
    .map((gate) => gate.trim());
  if (gates === undefined) return [];
  const wrong = gates.find((gate) => gate !== "plan" && gate !== "code");
  if (wrong !== undefined)
    throw new AppError("usage", `--approve: there is no gate ${wrong}`, {
      hint: "--approve plan, code, or plan,code",
    });
  return gates;
}
