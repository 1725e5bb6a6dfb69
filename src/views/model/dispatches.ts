/** The dispatches of a run with what their agents used. Pure. */
import type { EventOf } from "../../log/run-event.ts";
import type { RunView } from "../../log/run-view.ts";
import { spentByAgent, spentByRole, spentOf, type Spent } from "../../log/spent.ts";
import { safeText } from "../../lib/safe-text.ts";
import { excerptOf } from "../../lib/text.ts";
import type { RunFacts } from "./facts.ts";
import type { DispatchModel, SpentModel, StepModel, UsedModel } from "./step-model.ts";

export function dispatchesOf(
  { view, events }: Pick<RunFacts, "view" | "events">,
  steps: readonly StepModel[],
): readonly DispatchModel[] {
  const said = new Map<string, EventOf<"agent.said">>();
  const nudges = new Map<string, number>();
  const commits = new Map<string, string>();
  for (const event of events) {
    if (event.type === "agent.said") said.set(event.key, event);
    if (event.type === "agent.nudged") nudges.set(event.key, event.nudge);
    if (event.type === "commit.made") commits.set(event.key, event.commit);
  }
  return steps.flatMap((step): readonly DispatchModel[] => {
    const started = view.dispatches[step.key];
    if (step.kind !== "dispatch" || started === undefined) return [];
    const used = view.used[step.key];
    return [
      {
        key: step.key,
        phase: step.phase,
        node: step.node,
        role: started.role,
        agent: started.agent,
        vendor: started.vendor,
        attempt: step.attempt,
        resumed: started.resumed,
        isolation: started.isolation,
        hosts: started.hosts ?? null,
        startedAt: step.startedAt,
        endedAt: step.endedAt,
        outcome: step.outcome,
        message: excerptOf(safeText(view.commands[step.key]?.result?.text ?? ""), maxMessage),
        tokens: used?.tokens ?? null,
        costUsd: used?.costUsd ?? null,
        workedMs: used?.workedMs ?? 0,
        nudges: nudges.get(step.key) ?? 0,
        prompt: started.prompt,
        output: said.get(step.key)?.ref ?? null,
        outputBytes: said.get(step.key)?.bytes ?? 0,
        commit: commits.get(step.key) ?? null,
        state: step.state,
      },
    ];
  });
}

const maxMessage = 2000;

export function spentModel(view: RunView): SpentModel {
  return {
    total: usedModel("run", spentOf(view)),
    roles: Object.entries(spentByRole(view)).map(([name, spent]) => usedModel(name, spent)),
    agents: Object.entries(spentByAgent(view)).map(([name, spent]) => usedModel(name, spent)),
  };
}

function usedModel(name: string, { dispatches, withoutCost, tokens, costUsd, workedMs }: Spent): UsedModel {
  return { name, dispatches, withoutCost, tokens, costUsd, workedMs };
}
