/** Lists the open gates of a repository, and finds a gate by its name. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Repository } from "../../git/repository.ts";
import { planBranch, planFile } from "../plan.ts";
import { plansFolder, type PlanLocation } from "../find-plan.ts";
import { readPrompt } from "../prompt/prompt.ts";
import { parseId } from "../prompt/prompt-id.ts";
import { safeLine } from "../../lib/safe-text.ts";
import { commandIn, gateFile, readError, readOpening, readText } from "./gate-files.ts";
import { findingsGate, findingsGateName } from "./findings.ts";
import type { PlanGate } from "./gate.ts";
import { loggingGate } from "./logging.ts";
import { waitingGates } from "./obsolete.ts";
import { openQuestionsGate } from "./questions.ts";
import { failedReviews, reviewLimitGate } from "./review-limit.ts";
import { testingGate } from "./testing.ts";
import { variantsGate } from "./variants.ts";

export interface OpenPlanGate {
  readonly gate: string;
  /** The feature branch. */
  readonly branch: string;
  readonly file: string;
  readonly opened_at: string | null;
  /** The command that answers the gate; null if its file was not written by Mettle. */
  readonly command: string | null;
  /** Why the saved answer was refused; null if none was. */
  readonly refused: string | null;
}

/** The plans of all branches of the repository. */
export async function listPlans(repository: Repository): Promise<readonly PlanLocation[]> {
  const plans = plansFolder(repository);
  const names = await readdir(plans).catch(() => [] as string[]); // no plan yet
  const found = await Promise.all(
    names.toSorted().map(async (name): Promise<readonly PlanLocation[]> => {
      const dir = join(plans, name);
      const text = await readText(planFile(dir));
      // Commands that need an unreadable plan report it.
      if (text === null) return [];
      try {
        return [{ repository, dir, branch: planBranch(planFile(dir), text) }];
      } catch {
        return [];
      }
    }),
  );
  return found.flat();
}

export async function listOpenGates(repository: Repository): Promise<readonly OpenPlanGate[]> {
  const open: OpenPlanGate[] = [];
  for (const plan of await listPlans(repository))
    for (const gate of await waitingGates(plan)) {
      const opening = await readOpening(plan, gate);
      open.push({
        gate,
        branch: plan.branch,
        file: gateFile(plan, gate),
        opened_at: opening?.opened_at ?? null,
        command: commandIn(gate, opening?.template ?? ""),
        refused: await readError(plan, gate),
      });
    }
  return open;
}

/** Lines for people; none if no gate is open. */
export function openGatesText(gates: readonly OpenPlanGate[]): readonly string[] {
  if (gates.length === 0) return [];
  const lines = gates.map(({ gate, branch, file, command, refused }) =>
    [
      `  ${gate} (${branch})`,
      `    ${file}`,
      ...(command === null ? [] : [`    ${command}`]),
      ...(refused === null ? [] : [`    the saved answer is invalid: ${safeLine(refused)}`]),
    ].join("\n"),
  );
  return [`gates of envoy that wait for you, by their file or by their command:\n${lines.join("\n")}`];
}

/** Calls `use` with the gate of this name; null if there is no such gate. */
export async function withGateByName<T>(
  plan: PlanLocation,
  name: string,
  use: <Fields extends object>(gate: PlanGate<Fields>) => Promise<T>,
): Promise<T | null> {
  if (name === findingsGateName) {
    const gate = await findingsGate(plan);
    return gate === null ? null : use(gate);
  }
  const [, idWord = "", kind = ""] = /^([0-9]+(?:_[A-Z])?)_([a-z_]+)$/u.exec(name) ?? [];
  const id = parseId(idWord);
  if (id === null) return null;
  switch (kind) {
    case "testing":
      return use(await testingGate(plan, id));
    case "logging":
      return use(await loggingGate(plan, id));
    case "variants":
      return use(await variantsGate(plan, id.number));
    case "review_questions": {
      const prompt = await readPrompt(plan, id);
      const gate = await openQuestionsGate(plan, prompt, { key: "", iteration: null, tree: null });
      return gate === null ? null : use(gate);
    }
    case "review_limit": {
      const prompt = await readPrompt(plan, id);
      return use(reviewLimitGate(plan, prompt, failedReviews(prompt)));
    }
    default:
      return null;
  }
}
