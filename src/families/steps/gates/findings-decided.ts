/** The findings of specialists wait for a person; requested changes go back to the specialist (ENV-85, ENV-90). */
import { putJson } from "../../../journal/payload-parts.ts";
import { conclude, failed, passed } from "../../../gates/check.ts";
import { AppError } from "../../../lib/errors.ts";
import { gateOptions } from "../../../plans/gates/gate-options.ts";
import { blockFindingsGate } from "../../../plans/gates/findings.ts";
import type { PlanLocation } from "../../../plans/find-plan.ts";
import { parseId } from "../../../plans/prompt/prompt-id.ts";
import type { EventOf } from "../../../log/run-event.ts";
import { segmentHash } from "../segments.ts";
import { GateFile, type OpenGate } from "../../../family/open-gate.ts";
import { shownFile } from "../../../run/run-host.ts";
import { planOfRun, segmentsOfRun, type References } from "../work.ts";
import type { Gate } from "../../../family/gate.ts";

const gate = "findings_gate";

export const findingsDecidedGate: Gate = {
  outcomes: ["pass", "again", "waiting", "inconclusive"],
  async check({ context, command }) {
    const plan = await planOfRun(context);
    // After a survey the gate opens again; after a person's answer it reads the answer.
    const isAnswered = command.causes.at(-1)?.outcome === "given";
    const answered = await readAnswer(plan, { again: !isAnswered });
    if (answered.type === "waiting") {
      const opened: EventOf<"plan.gate_opened"> = {
        type: "plan.gate_opened",
        key: command.key,
        gate,
        file: shownFile(context, answered.file),
      };
      const { file } = answered;
      const open: OpenGate = { tool: "envoy_plan_block_findings_gate", args: {}, gate, file };
      return {
        verdict: { ...refused(`${gate} waits for a person`), outcome: "waiting" },
        payload: await putJson(context.payloads, open),
        facts: [opened],
      };
    }
    const references: References = {};
    for (const { specialist, number, variant } of answered.affected)
      (references[specialist] ??= []).push({
        specialist_name: specialist,
        approach_num: number,
        ...(variant === null ? {} : { variant }),
      });
    if (Object.keys(references).length === 0)
      return { verdict: conclude({ checks: [passed("findings")], findings: [] }) };
    const { segments } = await segmentsOfRun(context);
    const items = segments.map(({ agent, requirements }) => {
      const wanted = references[agent];
      // A specialist without requested changes keeps its result.
      const again = wanted === undefined ? null : { wanted, at: command.key };
      return { id: agent, hash: segmentHash(requirements, again) };
    });
    return {
      verdict: {
        ...refused(`changes are wanted of ${Object.keys(references).join(", ")}`),
        outcome: "again",
      },
      payload: await putJson(context.payloads, references),
      items,
    };
  },
};

const refused = (reason: string) => conclude({ checks: [failed("findings", reason)], findings: [] });

type FindingsAnswer =
  | { readonly type: "waiting"; readonly file: string }
  | {
      readonly type: "answered";
      readonly affected: readonly {
        readonly specialist: string;
        readonly number: number;
        readonly variant: string | null;
      }[];
    };

async function readAnswer(
  plan: PlanLocation,
  { again }: { readonly again: boolean },
): Promise<FindingsAnswer> {
  try {
    const asking = gateOptions(plan, { waitMs: 0, again, warn: () => undefined });
    const answer = await blockFindingsGate(plan, asking);
    const affected = "affected_approaches" in answer ? (answer.affected_approaches ?? []) : [];
    return {
      type: "answered",
      affected: affected.flatMap(({ specialist_name: specialist, approach_id }) => {
        const id = parseId(`${approach_id}`);
        return id === null ? [] : [{ specialist, ...id }];
      }),
    };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "waiting_for_person") throw error;
    return { type: "waiting", file: GateFile.parse(error.detail).file };
  }
}
