/** Takes the answers that a person saved in the files of gates, where the person is: a worker would sign them with its own user's name. */
import { gateNames, readOpening } from "../../../plans/gates/gate-files.ts";
import { withGateByName } from "../../../plans/gates/open-gates.ts";
import { takeSavedAnswer } from "../../../plans/gates/settle.ts";
import { settleInterrupted, withGatesLock } from "../../../plans/gates/wait.ts";
import type { PlanLocation } from "../../../plans/find-plan.ts";
import type { RunContext } from "../../../run/context.ts";

/** An answer that is not valid stays in its file, and the worker that asks again says why. */
export async function settleSavedGates({ payloads, clock }: RunContext, plan: PlanLocation): Promise<void> {
  for (const name of await gateNames(plan))
    await withGateByName(plan, name, (gate) =>
      withGatesLock(gate, async () => {
        await settleInterrupted(gate);
        const opening = await readOpening(plan, name);
        if (opening !== null) await takeSavedAnswer(gate, { opening, clock, payloads });
      }),
    );
}
