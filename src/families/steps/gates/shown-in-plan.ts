/** Accepts the final answer of printed steps only if the plan and git confirm it (ENV-31, CORE-46). */
import { conclude, failed, passed } from "../../../gates/check.ts";
import type { EventOf } from "../../../log/run-event.ts";
import { treeOf } from "../../../git/objects/tree.ts";
import {
  answerText,
  finalAnswer,
  FinalAnswerPayload,
  outputsOf,
  sameAnswer,
  isConfirmedBy,
  type FinalAnswer,
} from "../final-answer.ts";
import { planResult } from "../plan-result.ts";
import { planOfRun, stepsWork } from "../work.ts";
import { stepsProtocol } from "../steps-protocols.ts";
import { plainOutcomes, type GateRequest, type Gate } from "../../../family/gate.ts";

export const shownInPlanGate: Gate = {
  outcomes: plainOutcomes,
  async check(request) {
    const { context, command } = request;
    const { repository, host } = context;
    const work = await stepsWork(context, command);
    const answerGiven = await reported(request);
    const protocol = await stepsProtocol(work.protocol, { cwd: repository.root, path: host.path });
    const outputs = outputsOf(protocol);
    const isOutput = outputs.some((output) => sameAnswer(output, answerGiven));
    const plan = await planOfRun(context);
    const { answer, text } = await planResult(plan, work.subject);
    const isShown = answer !== null && isConfirmedBy(answer, answerGiven);
    const checks = [
      isOutput
        ? passed("output")
        : failed(
            "output",
            `${answerText(answerGiven)} is none of the outputs of ${work.protocol}: ${outputs.map(answerText).join(", ")}`,
          ),
      isShown ? passed("plan") : failed("plan", `${answerText(answerGiven)} is UNVERIFIED: ${text}`),
    ];
    const verdict = conclude({
      checks,
      findings: isShown ? [{ code: "plan", severity: "finding", message: text }] : [],
    });
    if (isShown) return { verdict };
    const claim: EventOf<"claim.unverified"> = {
      type: "claim.unverified",
      key: command.key,
      phrase: answerText(answerGiven),
      excerpt: answerText(answerGiven),
      shown: text,
      tree: await treeOf(repository, plan.branch),
    };
    return { verdict, facts: [claim] };
  },
};

async function reported({ context, command }: GateRequest): Promise<FinalAnswer> {
  const ref = command.causes.findLast(({ payload }) => payload !== undefined)?.payload;
  const report = ref === undefined ? null : (JSON.parse(await context.payloads.text(ref)) as Report);
  return finalAnswer(FinalAnswerPayload.parse(report?.payload));
}

interface Report {
  readonly payload: unknown;
}
