/** Answers a gate of an Envoy plan in the page, as `mettle answer GATE --set` does. */
import { environment, programPath } from "../../config/env.ts";
import { personInPage } from "../../channel/person.ts";
import { openRepository } from "../../git/repository.ts";
import { systemClock } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { answerGate } from "../../plans/gates/answer-gate.ts";
import { payloadsOf } from "../../plans/gates/logs.ts";
import { listPlans } from "../../plans/gates/open-gates.ts";
import type { Deciders } from "../../ui/decisions.ts";

export const decideGate: Deciders["answerGate"] = async ({ folder }, { branch, gate, hash, sets }) => {
  const repository = await openRepository(folder, { path: programPath(), user: environment() });
  const plan = (await listPlans(repository)).find((one) => one.branch === branch);
  if (plan === undefined)
    throw new AppError("not_found", `there is no plan of the branch ${branch}`, {
      hint: "mettle status lists the open gates",
    });
  // Agents of plans work in sessions of people, which Mettle does not confine.
  const by = personInPage(false);
  await answerGate(plan, gate, { sets, by, clock: systemClock, payloads: payloadsOf(plan), seen: hash });
};
