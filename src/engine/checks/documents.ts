/** Phases 1 and 2: the documents exist and are complete, and the runtime ran a command that prints them (ORC-10 to 12). */
import { judgeArchitecture, parseArchitecture } from "../../gates/documents/architecture-document.ts";
import { conclude, failed, shortList } from "../../gates/check.ts";
import { kindOf } from "../../source/paths.ts";
import { judgeSpec, parseSpec } from "../../gates/documents/spec-document.ts";
import { missingTopics } from "../../gates/documents/topics.ts";
import type { Check, Verdict } from "../../gates/verdict.ts";
import { uncommittable } from "../../git/checkout/uncommittable.ts";
import type { RunContext } from "../../run/context.ts";
import { projectDocuments } from "../../run/documents/documents.ts";
import { executeDocumentCommand } from "../documents/document-command.ts";
import { plainOutcomes, type GateRequest, type Gate, type GateResult } from "../../family/gate.ts";

export const specGate: Gate = {
  outcomes: plainOutcomes,
  async check(request) {
    const text = await documentText(request.context, "spec");
    return proveDocument(request, { name: "spec", verdict: withTopics(request.context, judgeSpec(text)) });
  },
};

export const architectureGate: Gate = {
  outcomes: plainOutcomes,
  async check(request) {
    const { context } = request;
    const architecture = judgeArchitecture(
      await documentText(context, "architecture"),
      await criteriaIds(context),
    );
    // A planner, or a person, may have revised the spec since its own gate.
    const spec = judgeSpec(await documentText(context, "spec"));
    const planned = await plannedChecks(context);
    const verdict = conclude({ checks: [...spec.checks, ...architecture.checks, ...planned], findings: [] });
    return proveDocument(request, { name: "architecture", verdict });
  },
};

/** The stored text of a document, or null. */
export async function documentText({ session, payloads }: RunContext, name: string): Promise<string | null> {
  const ref = session.view.documents[name]?.ref;
  return ref === undefined ? null : payloads.text(ref);
}

/** Refuses planned files that git cannot commit: they would be written and lost. */
async function plannedChecks(context: RunContext): Promise<readonly Check[]> {
  const text = await documentText(context, "architecture");
  if (text === null) return [];
  const { repository, settings, started } = context;
  const paths = parseArchitecture(text, []).files.filter((path) =>
    ["test", "source"].includes(kindOf(path, settings.paths)),
  );
  const found = await uncommittable(repository, { commit: started.base, paths });
  if (found.size === 0) return [];
  const named = [...found].map(([path, why]) => `${path}: ${why}`);
  return [failed("planned_files", `no commit can hold ${shortList(named)}; plan other paths`)];
}

export async function criteriaIds(context: RunContext): Promise<readonly string[]> {
  const spec = await documentText(context, "spec");
  return spec === null ? [] : parseSpec(spec).criteria.map(({ id }) => id);
}

/** Refuses a spec that was written before each topic had a question. */
function withTopics({ session }: RunContext, verdict: Verdict): Verdict {
  const missing = missingTopics([...session.view.questions]);
  if (missing.length === 0) return verdict;
  const checks = [...verdict.checks, failed("questions", `ask a question about: ${missing.join(", ")}`)];
  return conclude({ checks, findings: verdict.findings });
}

interface DocumentVerdict {
  readonly name: "spec" | "architecture";
  readonly verdict: Verdict;
}

async function proveDocument(
  { context, signal }: GateRequest,
  { name, verdict }: DocumentVerdict,
): Promise<GateResult> {
  await projectDocuments(context);
  const draft = await executeDocumentCommand({
    context,
    argv: ["head", "-n", "20"],
    documents: [name],
    signal,
  });
  if (draft.exitCode === 0 || verdict.verdict !== "pass") return { verdict, drafts: [draft] };
  const reason = `head ended with ${draft.exitCode}`;
  return { verdict: conclude({ checks: [failed(`${name}.md`, reason)], findings: [] }), drafts: [draft] };
}
