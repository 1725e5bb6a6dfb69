/** A plan is written when it has prompts. */
import { conclude, failed, passed } from "../../../gates/check.ts";
import { promptIds } from "../../../plans/prompt/prompt.ts";
import { planOfRun } from "../work.ts";
import { plainOutcomes, type Gate } from "../../../family/gate.ts";

export const promptsWrittenGate: Gate = {
  outcomes: plainOutcomes,
  async check({ context }) {
    const ids = await promptIds(await planOfRun(context));
    const reason = "the plan has no prompts: call `envoy plan write-prompt` for each approach";
    const checks = [ids.length > 0 ? passed("prompts") : failed("prompts", reason)];
    return { verdict: conclude({ checks, findings: [] }) };
  },
};
