/** Selects the prompts of the plan that start now, after releasing those whose agent is gone (ENV-86). */
import { sha256 } from "../../../lib/hash.ts";
import { conclude, failed, passed } from "../../../gates/check.ts";
import { nextPrompts } from "../../../plans/next.ts";
import { idText } from "../../../plans/prompt/prompt-id.ts";
import { releasePrompt } from "../../../plans/prompt/start-prompt.ts";
import type { Verdict } from "../../../gates/verdict.ts";
import { abandonedPrompts } from "../abandoned-prompts.ts";
import { planOfRun } from "../work.ts";
import type { Gate } from "../../../family/gate.ts";

export const nextPromptsGate: Gate = {
  outcomes: ["pass", "prompts", "blocked", "inconclusive"],
  async check({ context, command }) {
    const plan = await planOfRun(context);
    for (const id of await abandonedPrompts(context, plan)) await releasePrompt(plan, id);
    const { at_once: atOnce } = context.started.steps?.inputs ?? {};
    const { prompts, done, in_progress, blocked } = await nextPrompts(
      plan,
      typeof atOnce === "number" ? atOnce : 1,
    );
    if (done) return { verdict: conclude({ checks: [passed("prompts")], findings: [] }) };
    if (prompts.length === 0) {
      const waits = blocked.map(({ id, waiting_for }) => `${id} waits for ${waiting_for.join(", ")}`);
      const works = in_progress.map((id) => `${id} is in progress elsewhere`);
      return { verdict: stuck([...works, ...waits].join("; ") || "the plan has no prompts") };
    }
    const items = prompts.map(({ prompt_num: number, variant }) => {
      const id = idText({ number, variant });
      // Each visit is separate work, even if a prompt comes back.
      return { id, hash: sha256(`${command.key} ${id}`) };
    });
    return { verdict: goOn(items.map(({ id }) => id).join(", ")), items };
  },
};

function stuck(reason: string): Verdict {
  return { ...conclude({ checks: [failed("prompts", reason)], findings: [] }), outcome: "blocked" };
}

/** A pass that continues with more prompts. */
function goOn(message: string): Verdict {
  const findings = [{ code: "next", severity: "finding" as const, message }];
  return { ...conclude({ checks: [passed("prompts")], findings }), outcome: "prompts" };
}
