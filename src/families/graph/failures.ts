/**
 * Builds the MergeFailed that a parent receives for a child that ended without a merge (V3-24). It is journaled with
 * the result that ended the child.
 */
import { canonicalJson } from "../../lib/hash.ts";
import type { RunEvent } from "../../log/run-event.ts";
import { endingOf } from "../../kernel/inspect.ts";
import type { Frame, RunState, Trip } from "../../kernel/state.ts";
import { feedbackOf, type MergeFailed } from "../../protocol/graph-types/feedback.ts";
import { wordOf } from "../../protocol/routes.ts";
import { readJson } from "../../journal/payload-parts.ts";
import type { Change, Session } from "../../run/session.ts";
import { nodeBranchName, nodeOf } from "./node.ts";
import { effectiveExit } from "./effective-exit.ts";

export async function failureFacts(
  change: Change,
  { run, ports }: Pick<Session, "run" | "ports">,
): Promise<readonly RunEvent[]> {
  const { before, after } = change;
  const ended = Object.values(after.frames).filter(
    ({ id, parent, outcome }) =>
      parent !== null && /^failed\b/u.test(outcome ?? "") && before.frames[id]?.outcome == null,
  );
  const facts = await Promise.all(
    ended.map(async (frame): Promise<RunEvent | null> => {
      const failure = failureOf(change, run, frame);
      if (failure === null) return null;
      const fields = await fieldsOf(change, ports, endingOf(after, frame.id)?.trip ?? null);
      failure.details = [failure.details, ...fields].filter((line) => line !== "").join("\n");
      const ref = await ports.payloads.put(canonicalJson(failure));
      return { type: "node.accepted", node: failure.childId, exit: "MergeFailed", ref };
    }),
  );
  return facts.filter((fact) => fact !== null);
}

type FrameNow = RunState["frames"][Frame["id"]];

function failureOf({ after, view, settlement }: Change, run: string, frame: FrameNow): MergeFailed | null {
  const node = nodeOf({ session: { state: after, view } }, { frame: frame.id });
  if (node === null) return null;
  const trip = endingOf(after, frame.id)?.trip ?? null;
  // The last commit comes with the result that ends the node.
  const newest = (settlement.facts ?? []).filter((fact) => fact.type === "commit.made");
  const commits = [...view.commits, ...newest].filter((commit) => commit.node === node.id);
  const partialCommit = commits.at(-1)?.commit ?? null;
  return {
    childId: node.id,
    reason: reasonOf(frame.outcome ?? "", settlement.outcome),
    details: trip === null ? (settlement.text ?? "") : limitText(trip, settlement.text),
    branch: nodeBranchName(run, node.id),
    attempts: trip?.counter === "attempt" ? trip.value : (frame.counters["attempt"]?.value ?? 1),
    ...(partialCommit === null ? {} : { partialCommit }),
    filesCreated: [...new Set(commits.flatMap(({ paths }) => paths))],
  };
}

/** All fields of the exit that ended the node. */
async function fieldsOf(
  { settlement: { outcome, payload } }: Change,
  { payloads }: Pick<Session["ports"], "payloads">,
  trip: Trip | null,
): Promise<readonly string[]> {
  if (payload === undefined) return [];
  const stored = await readJson(payloads, payload);
  const reported =
    typeof stored === "object" && stored !== null && "payload" in stored ? stored.payload : null;
  if (typeof reported !== "object" || reported === null) return [];
  const { word, fields } = effectiveExit({ word: outcome, fields: reported }, trip);
  return feedbackOf(word, fields).fields.map(([name, text]) => `${name}: ${text}`);
}

/** Names the limit (V3-19) and the last event. */
function limitText({ counter }: Trip, last: string | undefined): string {
  const name = counter.replace(/_([a-z])/gu, (_all, letter: string) => letter.toUpperCase());
  return [`limit ${name} used up`, ...(last === undefined || last === "" ? [] : [last])].join("\n");
}

/** From the final state of its machine. How an agent failed follows from its last result. */
function reasonOf(ended: string, last: string): string {
  if (ended === "failed.agent") return agentReasons[wordOf(last)] ?? "AgentFailed";
  return reasons[ended] ?? "Failed";
}

const reasons: Readonly<Record<string, string>> = {
  "failed.stuck": "Stuck",
  "failed.rejected": "Rejected",
  "failed.rejected_by_parent": "RejectedByParent",
  "failed.aborted": "Aborted",
};

const agentReasons: Readonly<Record<string, string>> = {
  TO: "Timeout",
  EX: "AgentFailed",
  ME: "MemoryError",
};
