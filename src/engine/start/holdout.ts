/** Refuses `proof.holdout` where nothing would be withheld: the setting would promise what the run does not do (PRV-16). */
import type { Settings } from "../../config/settings.ts";
import { AppError } from "../../lib/errors.ts";
import type { Protocol } from "../../protocol/machine.ts";

/** The gates that lock the tests for an implementer. */
const locking = ["red", "cycle_red"];

/** @param isReferee a person's own session works in the checkout, which holds all tests */
export function refuseHoldout(
  { name, gates }: Pick<Protocol, "name" | "gates">,
  { proof }: Pick<Settings, "proof">,
  isReferee: boolean,
): void {
  if ((proof?.holdout ?? 0) === 0) return;
  if (isReferee)
    throw new AppError("holdout_unsupported", "proof.holdout needs agents that Mettle starts", {
      hint: "this session works in the checkout with all tests; set proof.holdout: 0, or start the run with `mettle run`",
    });
  if (locking.some((gate) => gate in gates)) return;
  throw new AppError("holdout_unsupported", `${name} locks no tests that proof.holdout could withhold`, {
    hint: "set proof.holdout: 0, or take orchestrate, riper or dptr",
  });
}
