/** Starts `mettle run` for a steps protocol, for the prompts of a plan, and for a new plan. */
import { AppError } from "../../lib/errors.ts";
import { currentBranch, type Repository } from "../../git/repository.ts";
import type { Journal } from "../../journal/journal.ts";
import { findFeatureBranch, findPlan, type PlanLocation } from "../../plans/find-plan.ts";
import { initPlan } from "../../plans/init.ts";
import { refuseDecided } from "../../plans/prompt/change-prompt.ts";
import { idText } from "../../plans/prompt/prompt-id.ts";
import { readPrompt, type PlanPrompt } from "../../plans/prompt/prompt.ts";
import { readSpecialist } from "../../plans/findings/findings.ts";
import { refuseUnmergedDependencies } from "../../plans/prompt/start-prompt.ts";
import { readInputs } from "../../protocol/steps/inputs.ts";
import { safeLine } from "../../lib/safe-text.ts";
import type { OpenHost } from "../../run/host.ts";
import { isStepsProtocol, stepsProtocol } from "./steps-protocols.ts";
import { readInputOptions } from "./input-options.ts";
import { outputsOf } from "./final-answer.ts";
import { runHandedOver, runHoldingPrompt } from "./abandoned-prompts.ts";
import type { StepsStart } from "../../family/start-options.ts";
import { orderText } from "./hosted-protocol.ts";
import { subjectOf } from "./work.ts";

export interface StepsStartRequest {
  readonly protocol: string;
  /** Task in words; empty if the inputs describe it. */
  readonly task: string;
  /** `NAME=VALUE`. */
  readonly inputs: readonly string[];
  /** Number of prompts at once; null: one. */
  readonly atOnce: number | null;
}

export interface HostedStart {
  /** Name of the machine that hosts it. */
  readonly protocol: string;
  readonly task: string;
  readonly steps: StepsStart;
}

/** The repository, and the journal of its runs. */
type Place = Pick<OpenHost, "repository" | "journal">;

/** Null for any other protocol, which takes no inputs. */
export async function hostedStart(place: Place, request: StepsStartRequest): Promise<HostedStart | null> {
  const { repository } = place;
  const { protocol, task, inputs, atOnce } = request;
  switch (protocol) {
    case "continue":
      refuseTask(request, "it goes on with the plan of the branch: mettle run --protocol continue");
      refuseInputs(request);
      return { protocol, ...(await startContinue(place, { atOnce })) };
    case "plan":
      refuseInputs(request);
      return { protocol, ...(await startPlan(place, task)) };
    case "steps":
      throw new AppError("usage", "steps only hosts a protocol of steps", {
        hint: "name the protocol that an agent is to follow: mettle run --protocol implementation --input prompt_num=1",
      });
    default:
      if (!(await isStepsProtocol(protocol, repository.root))) return null;
      refuseTask(request, "its inputs say what is to be done: --input NAME=VALUE");
      return { protocol: "steps", ...(await startSteps(place, { protocol, inputs })) };
  }
}

type StartInputs = Omit<HostedStart, "protocol">;

async function startContinue(
  { repository, journal }: Place,
  { atOnce }: { readonly atOnce: number | null },
): Promise<StartInputs> {
  const { branch } = await findPlan(placeOf(repository, null));
  await refuseHanded(journal, branch);
  const inputs = { feature_branch: branch, at_once: atOnce ?? 1 };
  return { task: `Go on with the plan of ${branch}`, steps: { protocol: "continue", inputs } };
}

async function startPlan({ repository, journal }: Place, task: string): Promise<StartInputs> {
  if (task === "")
    throw new AppError("empty_task", "there is nothing to plan", {
      hint: 'mettle run --protocol plan "what to build, or what is broken"',
    });
  await refuseHanded(journal, (await findFeatureBranch(placeOf(repository, null))).branch);
  const { branch } = await initPlan(placeOf(repository, null));
  return { task, steps: { protocol: "plan", inputs: { feature_branch: branch } } };
}

async function startSteps(
  { repository, journal }: Place,
  { protocol, inputs }: Pick<StepsStartRequest, "protocol" | "inputs">,
): Promise<StartInputs> {
  const { root, path } = repository;
  const found = await stepsProtocol(protocol, { cwd: root, path });
  if (outputsOf(found).length === 0)
    throw new AppError(
      "protocol_invalid",
      `${protocol} has no outputs, so its answer cannot be checked against the plan`,
      {
        hint: 'one output is enough: value: "{ success: true, merged: true }"',
      },
    );
  const given = readInputOptions(found, inputs);
  const branch = given["feature_branch"] ?? (await currentBranch(repository));
  const takesBranch = found.inputs.some(({ name }) => name === "feature_branch");
  const whole = takesBranch && branch !== null ? { ...given, feature_branch: branch } : given;
  const steps = { protocol, inputs: Object.fromEntries(readInputs(found, JSON.stringify(whole))) };
  const subject = subjectOf(steps);
  if (subject === null)
    throw new AppError("protocol_invalid", `a plan cannot show that ${protocol} was done`, {
      hint: `it has neither the input prompt_num nor agent_name; let an agent follow it: envoy protocol ${protocol}`,
    });
  if (subject.type === "findings") readSpecialist(subject.agent);
  const plan = await findPlan(placeOf(repository, typeof branch === "string" ? branch : null));
  await refuseHanded(journal, plan.branch);
  if (subject.type === "prompt") await refuseTaken(journal, plan, await readPrompt(plan, subject.id));
  return { task: orderText(shortened(steps)), steps };
}

/** Shortened for people: a segment's context may be many pages. */
function shortened({ protocol, inputs }: StepsStart): StepsStart {
  const short = (value: unknown): unknown => {
    const text = safeLine(typeof value === "string" ? value : JSON.stringify(value));
    return text.length <= shownLetters ? value : `${text.slice(0, shownLetters).trim()} …`;
  };
  return {
    protocol,
    inputs: Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, short(value)])),
  };
}

const shownLetters = 80;

/** Refuses what its agent would be refused at its first step. */
async function refuseTaken(journal: Journal, plan: PlanLocation, prompt: PlanPrompt): Promise<void> {
  refuseDecided(prompt);
  await refuseUnmergedDependencies(plan, prompt);
  const id = idText(prompt.id);
  const run = await runHoldingPrompt(journal, plan.branch, id);
  if (run === null) return;
  throw new AppError("already_in_progress", `the run ${run} works on prompt ${id}`, {
    hint: `go on with it: mettle resume ${run}; or end it: mettle abort ${run}`,
    detail: { run },
  });
}

/** While workers have a plan, another run would go on from an old state of it. */
async function refuseHanded(journal: Journal, branch: string): Promise<void> {
  const run = await runHandedOver(journal, branch);
  if (run === null) return;
  throw new AppError("already_in_progress", `workers have the plan of ${branch}, for run ${run}`, {
    hint: `wait for its end: mettle watch ${run}; or end it: mettle abort ${run}`,
    detail: { run },
  });
}

function refuseTask({ protocol, task }: StepsStartRequest, hint: string): void {
  if (task.trim() !== "") throw new AppError("usage", `${protocol} takes no task in words`, { hint });
}

function refuseInputs({ protocol, inputs }: StepsStartRequest): void {
  if (inputs.length > 0)
    throw new AppError("usage", `${protocol} takes no --input`, {
      hint: "protocols of steps do: mettle run --protocol implementation --input prompt_num=1",
    });
}

function placeOf({ root, path }: Repository, featureBranch: string | null) {
  return { cwd: root, path, featureBranch };
}
