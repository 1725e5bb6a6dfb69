/** `mettle verify --replay`: the accepted result's suite executed again; each test that differs is named (CORE-42). */
import { EvidenceRecord } from "../evidence/record.ts";
import type { RunContext } from "./context.ts";
import { baselineCache, proofPorts } from "./proof-ports.ts";
import { proveFinal } from "./proof/final-proof.ts";
import type { Verification } from "./verify-run.ts";

export async function replayRun(context: RunContext, signal: AbortSignal): Promise<Verification> {
  const { session, payloads, settings, started } = context;
  const event = session.view.records.findLast(({ purpose, tree }) => tree !== null && purpose === "final");
  const records = session.view.records.length;
  if (!event?.commit)
    return {
      verdict: "inconclusive",
      why: "the run has no final record to replay",
      record: null,
      phase: null,
      records,
    };
  const recorded = EvidenceRecord.parse(JSON.parse(await payloads.text(event.ref)));
  const { tests, verdict } = await proveFinal({
    ports: proofPorts(context, signal),
    cache: baselineCache(context),
    settings,
    base: started.base,
    head: event.commit,
    approved: event.commit,
    required: recorded.required,
  });
  const before = new Map(recorded.tests.map(({ id, status }) => [id, status]));
  const now = new Map(tests.map(({ id, status }) => [id, status]));
  const differing = [...new Set([...before.keys(), ...now.keys()])].filter(
    (id) => before.get(id) !== now.get(id),
  );
  if (differing.length > 0)
    return {
      verdict: "fail",
      why: `replayed differently: ${differing.join(", ")}`,
      record: event.id,
      phase: event.phase,
      records,
    };
  return {
    verdict: verdict.verdict,
    why: verdict.verdict === "pass" ? "" : "the replay could not be judged",
    record: event.id,
    phase: event.phase,
    records,
  };
}
