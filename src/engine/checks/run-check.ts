/** Runs the gate of a check command and makes its verdict, proofs and reasons a settlement. */
import type { Verdict } from "../../gates/verdict.ts";
import { AppError } from "../../lib/errors.ts";
import { canonicalJson } from "../../lib/hash.ts";
import type { EventOf } from "../../log/run-event.ts";
import type { FamilyRun } from "../../family/family.ts";
import type { Settlement } from "../../run/settlement.ts";
import { findingsOf, reasonsOf } from "./reasons.ts";
import { refuseLeftOut, withIgnored } from "./left-out.ts";
import { refuseProtected } from "./protection.ts";
import type { GateCommand } from "../../family/gate.ts";

export async function runCheck(
  context: FamilyRun,
  command: GateCommand,
  signal: AbortSignal,
): Promise<Settlement | null> {
  const { gates } = context.families;
  const gate = Object.hasOwn(gates, command.gate) ? gates[command.gate] : undefined;
  if (!gate)
    throw new AppError("protocol_invalid", `there is no gate ${command.gate}`, {
      hint: `gates of this version: ${Object.keys(gates).join(", ")}`,
    });
  const judge = () => gate.check({ context: withKey(context, command), command, signal });
  context.progress({ type: "check", key: command.key, gate: command.gate, what: "judges the facts" });
  const {
    verdict,
    facts = [],
    drafts = [],
    proof,
    payload,
    items,
  } = gate.judgesCommit === true
    ? ((await refuseProtected(context, command)) ??
      (await refuseLeftOut(context, command)) ??
      withIgnored(context, command, await judge()))
    : await judge();
  if (signal.aborted) return null;
  const ref = await context.payloads.put(canonicalJson(verdict));
  const reasons = reasonsOf(verdict);
  const judged: EventOf<"gate.judged"> = {
    type: "gate.judged",
    key: command.key,
    gate: command.gate,
    verdict: verdict.verdict,
    ref,
    reasons: [...reasons],
    ...acceptable(verdict),
    findings: [...findingsOf(verdict)],
  };
  return {
    outcome: verdict.outcome,
    payload: payload ?? ref,
    ...(items === undefined ? {} : { items }),
    text: reasons.join("\n"),
    facts: [...facts, judged],
    drafts,
    ...(verdict.signature === undefined ? {} : { signature: verdict.signature }),
    ...(proof === undefined ? {} : { proof }),
  };
}

/** The progress of its proofs belongs to this command, also while others are judged. */
function withKey(context: FamilyRun, { key, gate }: GateCommand): FamilyRun {
  const { progress } = context;
  return {
    ...context,
    progress: (event) =>
      progress(event.type === "check" && event.key === "" ? { ...event, key, gate } : event),
  };
}

function acceptable({ checks }: Verdict): Pick<EventOf<"gate.judged">, "acceptable"> {
  const tests = [...new Set(checks.filter((check) => check.acceptable).flatMap((check) => check.tests))];
  return tests.length === 0 ? {} : { acceptable: tests };
}
