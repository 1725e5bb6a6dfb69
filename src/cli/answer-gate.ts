/** `mettle answer <gate> --set <field>=<value> …`: answers a gate of Envoy. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { environment } from "../config/env.ts";
import { stateHome } from "../config/home.ts";
import { currentBranch, openRepository, type Repository } from "../git/repository.ts";
import { systemClock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { answerGate } from "../plans/gates/answer-gate.ts";
import { listOpenGates, listPlans } from "../plans/gates/open-gates.ts";
import { payloadsOf } from "../plans/gates/logs.ts";
import { readBranch } from "../plans/worktree/branch-names.ts";
import type { PlanLocation } from "../plans/find-plan.ts";
import { placeGate } from "./background/hand-over.ts";
import type { CliResult, Io } from "./command.ts";
import { requirePerson } from "../channel/person.ts";

export async function answerEnvoyGate(io: Io, gate: string, sets: readonly string[]): Promise<CliResult> {
  const by = requirePerson();
  const repository = await openRepository(io.cwd, { path: environment()["PATH"] ?? "" });
  if (stateHome({ repository: repository.id }).store.kind === "postgres") await placeGate(io.cwd, gate);
  const plan = await planOf(repository, gate);
  const answer = await answerGate(plan, gate, {
    sets: await Promise.all(sets.map((option) => readSet(option, io.cwd))),
    by,
    clock: systemClock,
    payloads: payloadsOf(plan),
  });
  return {
    exit: 0,
    json: { gate, branch: plan.branch, answered: true, fields: answer.fields },
    text: `answered ${gate} of ${plan.branch}`,
  };
}

/** The plan in which the gate is open. If several plans have an open gate of this name: the one of the current branch. */
async function planOf(repository: Repository, gate: string): Promise<PlanLocation> {
  const plans = await listPlans(repository);
  const open = (await listOpenGates(repository))
    .filter((one) => one.gate === gate)
    .map(({ branch }) => branch);
  const here = readBranch((await currentBranch(repository)) ?? "").feature;
  const wanted = open.length === 1 ? open[0] : here;
  const plan = plans.find(({ branch }) => branch === wanted);
  if (plan !== undefined) return plan;
  if (open.length === 0 && plans.length === 1 && plans[0] !== undefined) return plans[0];
  const isAmbiguous = open.length > 1;
  throw new AppError(
    isAmbiguous ? "usage" : "not_found",
    isAmbiguous ? `the gate ${gate} is open for ${open.join(", ")}` : `no gate ${gate} waits for an answer`,
    { hint: isAmbiguous ? "check out the branch that is meant" : "mettle status lists the open gates" },
  );
}

/** Parses `field=value`; `field=@file` reads the file, `field=@@value` is a value that begins with @. */
async function readSet(option: string, cwd: string): Promise<readonly [string, string]> {
  const [, field, value = ""] = /^([^=\s]+)=([\s\S]*)$/u.exec(option) ?? [];
  if (field === undefined)
    throw new AppError("usage", `--set takes FIELD=VALUE, not ${option}`, { hint: "--set test_passed=true" });
  if (value.startsWith("@@")) return [field, value.slice(1)];
  if (!value.startsWith("@")) return [field, value];
  const text = await readFile(resolve(cwd, value.slice(1)), "utf8").catch((cause: unknown) => {
    throw new AppError("usage", `${value.slice(1)} cannot be read`, { hint: "--set FIELD=@FILE", cause });
  });
  return [field, text];
}
