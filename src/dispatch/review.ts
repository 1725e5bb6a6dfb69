/** Settles a reviewer's dispatch: parses its review strictly and journals it with the hashes of what was reviewed. */
import { trackFindings } from "../gates/review/findings.ts";
import { readReview, type Review } from "../gates/review/review.ts";
import { isReplyName, reviewFormats, type ReviewFormat } from "../gates/review/review-formats.ts";
import { canonicalJson } from "../lib/hash.ts";
import { AppError } from "../lib/errors.ts";
import type { DispatchCommand } from "../kernel/command.ts";
import type { EventOf, RunEvent } from "../log/run-event.ts";
import type { RunContext } from "../run/context.ts";
import type { Settlement } from "../run/settlement.ts";
import { documentNames, readDocument } from "./workspace/documents.ts";
import { fittedSources } from "./workspace/files.ts";
import { labelOf } from "./prompt/label.ts";
import type { AgentResult } from "../family/agent-result.ts";
import type { Decision } from "../family/decision.ts";
import type { Workspace } from "../family/work.ts";
import { storeText } from "../run/stored-text.ts";

interface ReviewInput {
  readonly reply: string;
  readonly workspace: Workspace;
  readonly final: string;
  readonly decision: Decision | null;
}

/** Reads the review from the reviewer's file, or from its answer if its format has no file. */
export async function reviewOf({ reply, workspace, final, decision }: ReviewInput): Promise<Review> {
  const format = formatOf(reply);
  const file = format.file === null ? null : await readReviewFile(workspace, format.file);
  return readReview({ answer: final, file, reported: decision?.status ?? null }, format);
}

export async function settleReview(finished: AgentResult, reply: string): Promise<Settlement> {
  const { context, command, turns, workspace, harvest } = finished;
  const format = formatOf(reply);
  if (turns.decision?.status === "BL") return { outcome: "BL", text: turns.decision.message };
  const judged = await judge(finished, reply);
  const given = reviewFact({ finished, format, judged });
  const content = format.file === null ? turns.final : await readReviewFile(workspace, format.file);
  const ref = await storeText(context, content ?? turns.final);
  const unseen = await omittedSources(finished, format);
  const facts: RunEvent[] = [{ ...given, ref, omitted: [...unseen.omitted] }, ...unseen.warnings];
  if (format.file !== null && content !== null)
    facts.push({
      type: "document.written",
      name: format.file.replace(".md", ""),
      ref,
      by: "agent",
      key: command.key,
    });
  if (judged.review.type === "verdict")
    facts.push(findingsFact({ context, command, format, review: judged.review }));
  else
    facts.push({ type: "warned", code: "review_inconclusive", message: `${given.label}: ${given.reason}` });
  const payload = await context.payloads.put(canonicalJson({ ...given, ref, tree: harvest.tree }));
  return { outcome: judged.outcome, payload, facts, text: given.reason };
}

/** Source files that were too large for the reviewer's prompt, with a warning about the changed ones. */
async function omittedSources(
  { context, command }: AgentResult,
  format: ReviewFormat,
): Promise<{
  readonly omitted: readonly string[];
  readonly warnings: readonly RunEvent[];
}> {
  if (!command.sees.includes("source") || format.file !== null) return { omitted: [], warnings: [] };
  const { omitted, omittedChanged } = await fittedSources(context);
  const message = `${labelOf(context, command.role)} was not shown these changed files, which are too large: ${omittedChanged.join(", ")}`;
  return {
    omitted,
    warnings: omittedChanged.length === 0 ? [] : [{ type: "warned", code: "source_omitted", message }],
  };
}

interface ReviewJudgement {
  readonly review: Review;
  readonly outcome: string;
  readonly reason: string;
}

async function judge(finished: AgentResult, reply: string): Promise<ReviewJudgement> {
  const { turns, workspace, harvest } = finished;
  const nothing: Review = { type: "empty" };
  if (turns.outcome.type === "timeout")
    return { review: nothing, outcome: "TO", reason: `timeout: ${turns.outcome.why}` };
  if (turns.outcome.type !== "ok")
    return { review: nothing, outcome: "EX.empty", reason: `unreachable: ${turns.outcome.why}` };
  if (harvest.outside.length > 0)
    return {
      review: { type: "inconclusive", why: "outside_write" },
      outcome: "EX.outside",
      reason: `outside_write: ${harvest.outside.join(", ")}`,
    };
  const review = await reviewOf({ reply, workspace, final: turns.final, decision: turns.decision });
  if (review.type === "empty") return { review, outcome: "EX.empty", reason: "the answer is empty" };
  if (review.type === "inconclusive") return { review, outcome: "EX", reason: `unparsable: ${review.why}` };
  return { review, outcome: review.outcome, reason: review.reason };
}

function reviewFact(given: {
  readonly finished: AgentResult;
  readonly format: ReviewFormat;
  readonly judged: ReviewJudgement;
}): EventOf<"review.given"> {
  const { context, command, agent } = given.finished;
  const { review, reason } = given.judged;
  return {
    type: "review.given",
    key: command.key,
    gate: given.format.gate,
    reviewer: command.role,
    label: labelOf(context, command.role),
    agent: agent.name,
    vendor: agent.vendor,
    verdict: review.type === "verdict" ? review.verdict : review.type,
    reason,
    fields: review.type === "verdict" ? review.fields : {},
    reviewed: reviewedHashes(context),
    issues: review.type === "verdict" ? [...review.issues] : [],
    suggestions: review.type === "verdict" ? [...review.suggestions] : [],
  };
}

/** Current hashes of everything that a review can cover. */
export function reviewedHashes({ session, started }: RunContext): Readonly<Record<string, string>> {
  const { documents, head } = session.view;
  return {
    spec: documents["spec"]?.ref ?? "",
    architecture: documents["architecture"]?.ref ?? "",
    commit: head.branch ?? started.base,
  };
}

function findingsFact(given: {
  readonly context: RunContext;
  readonly command: DispatchCommand;
  readonly format: ReviewFormat;
  readonly review: Review & { readonly type: "verdict" };
}): EventOf<"findings.tracked"> {
  const { context, command, format, review } = given;
  const { view } = context.session;
  const round =
    view.reviews.filter((other) => other.gate === format.gate && other.reviewer === command.role).length + 1;
  const reviewer = command.role;
  const previous = (view.findings[format.gate] ?? [])
    .filter((finding) => finding.reviewer === reviewer)
    .map(({ id, text, status }) => ({ id, text, status }));
  const findings = trackFindings({ previous, given: [{ reviewer, issues: review.issues }] });
  return { type: "findings.tracked", gate: format.gate, reviewer, round, findings: [...findings] };
}

async function readReviewFile(workspace: Workspace, file: string): Promise<string | null> {
  try {
    const names = await documentNames(workspace.path);
    return names.includes(file) ? await readDocument(workspace.path, file) : null;
  } catch {
    // No review file: the answer is read instead.
    return null;
  }
}

function formatOf(reply: string): ReviewFormat {
  if (isReplyName(reply)) return reviewFormats[reply];
  throw new AppError("protocol_invalid", `no review format is called ${reply}`, {
    hint: `known: ${Object.keys(reviewFormats).join(", ")}`,
  });
}
