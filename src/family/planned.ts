/** The planned work of a run: requirements, files, and the tests of each requirement. */
import { parseArchitecture } from "../gates/documents/architecture-document.ts";
import { parseSpec, type SpecCriterion } from "../gates/documents/spec-document.ts";
import type { RunView } from "../log/run-view.ts";
import type { RunContext } from "../run/context.ts";

export interface PlannedWork {
  readonly requirements: readonly SpecCriterion[];
  readonly files: readonly string[];
  readonly plannedTests: Readonly<Record<string, readonly string[]>>;
}

export interface DocumentSource {
  readonly documents: RunView["documents"];
  readonly payloads: Pick<RunContext["payloads"], "text">;
}

/** Reads the plan from the documents `spec` and `architecture`. */
export async function plannedByDocuments({ documents, payloads }: DocumentSource): Promise<PlannedWork> {
  const textOf = async (name: string) => {
    const ref = documents[name]?.ref;
    return ref === undefined ? null : payloads.text(ref);
  };
  const spec = await textOf("spec");
  const requirements = spec === null ? [] : parseSpec(spec).criteria;
  const architecture = await textOf("architecture");
  if (architecture === null) return { requirements, files: [], plannedTests: {} };
  const { files, plan } = parseArchitecture(
    architecture,
    requirements.map(({ id }) => id),
  );
  return { requirements, files, plannedTests: plan };
}
