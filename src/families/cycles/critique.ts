/** The critic's answers to the current design, in order (σ₄.arch_critique; TDP-11 to 13). */
import { Issue } from "../../gates/payloads/critique.ts";
import type { ActiveState } from "../../memory/bank/active-state.ts";
import type { RunContext } from "../../run/context.ts";
import { reportOf } from "./history.ts";

type Critique = ActiveState["arch_critique"][number];

export async function critiqueOf(
  context: Pick<RunContext, "session" | "payloads">,
): Promise<readonly Critique[]> {
  const { view } = context.session;
  const entries = view.order.flatMap((key) => view.commands[key] ?? []);
  const designed = entries.findLastIndex(
    ({ command, result }) => command.mode === "Ω₁ᴾ" && command.type === "dispatch" && result !== null,
  );
  const found = entries.slice(designed + 1).map(async (entry): Promise<readonly Critique[]> => {
    const { command, result } = entry;
    const decision = decisions.find((word) => word === result?.outcome);
    if (command.mode !== "Ω₂ᴬ" || command.type !== "dispatch" || decision === undefined) return [];
    const report = await reportOf(context, entry);
    return [
      {
        module: moduleOf(command.frame),
        decision,
        text: report?.message ?? "",
        issues: issuesIn(report?.payload),
      },
    ];
  });
  return (await Promise.all(found)).flat();
}

/** The module of the frame `audit/{module}`, which may be gone. Null for the root: the whole design was audited. */
function moduleOf(frame: string): string | null {
  const at = frame.indexOf("/");
  return at === -1 ? null : frame.slice(at + 1).replace(/~\d+$/u, "");
}

const decisions = ["ACCEPT", "REVISE", "REJECT"] as const;

export function issuesIn(payload: unknown): Critique["issues"] {
  const issues = payload !== null && typeof payload === "object" && "issues" in payload ? payload.issues : [];
  const read = Issue.array().safeParse(issues);
  return read.success ? read.data : [];
}
