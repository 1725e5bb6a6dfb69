/** A role's sub-agent may start only for the open dispatch: its prompt must begin with the dispatch line (TDP-45, RIP-01). */
import type { HookFacts } from "../run/hook-files.ts";
import { pass, textOf, type HookDecision, type HookCall } from "./call.ts";

/** Agents that `mettle init` adds to `.claude/agents` -> the mode in which each works. */
const modeOfAgent: Readonly<Record<string, string>> = {
  design: "Ω₁ᴾ",
  "arch-critic": "Ω₂ᴬ",
  plan: "Ω₃ᴾ",
  "plan-critic": "Ω₄ᶜ",
  qa: "Ω₅ᵀ",
  de: "Ω₅ᵀ",
  review: "Ω₆ⱽ",
};

/** Whether the sub-agent plays a role of the run; other sub-agents are the person's own. */
export function isRoleAgent(call: HookCall): boolean {
  return modeOfAgent[agentIn(call)] !== undefined;
}

/** Without the plugin's prefix: `mettle:qa` is `qa`. */
function agentIn({ input }: HookCall): string {
  return (textOf(input["subagent_type"]) ?? "").split(":").at(-1) ?? "";
}

export function judgeSubAgent({ open, mode }: HookFacts, call: HookCall): HookDecision {
  const { input } = call;
  const agent = agentIn(call);
  const own = modeOfAgent[agent];
  if (own === undefined) return pass;
  const [first = ""] = (textOf(input["prompt"]) ?? "").split(/\r?\n/u);
  const sentTo = modeOfLine(first);
  const reason =
    own !== mode
      ? `error[mode_mismatch]: the run is in ${mode}, and ${agent} works in ${own}`
      : sentTo !== null && sentTo !== mode
        ? `error[mode_mismatch]: the run is in ${mode}, and the prompt's dispatch is one of ${sentTo}`
        : open === null
          ? "error[no_dispatch]: no dispatch is open"
          : agent !== open.agent
            ? `error[role_busy]: the open dispatch is that of ${open.agent}, not of ${agent}`
            : first === open.line
              ? isolationFault(input)
              : `the first line of the sub-agent's prompt is ${JSON.stringify(first.slice(0, 200))}`;
  if (reason === null) return pass;
  const expected =
    open === null
      ? "call the tool next, and start the sub-agent with the prompt that it gives"
      : `start ${open.agent} with the prompt that next gives; its first line must be ${open.line}`;
  return { type: "deny", reason: `Mettle: ${reason}. Now: ${expected}` };
}

/** The mode of a dispatch line; null: not a dispatch line. */
function modeOfLine(line: string): string | null {
  const name = /^(QA|DE|Ω[₁-₆][ᴾᴬᶜᵀⱽ])\[/u.exec(line)?.[1];
  return name === "QA" || name === "DE" ? "Ω₅ᵀ" : (name ?? null);
}

/** Refuses a separate worktree, which the gates do not check. */
function isolationFault(input: HookCall["input"]): string | null {
  const isolation = textOf(input["isolation"]);
  return isolation === null
    ? null
    : `a role works in the checkout, so start it without isolation ${JSON.stringify(isolation.slice(0, 40))}`;
}
