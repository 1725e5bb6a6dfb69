/** The run's requirements and the tests that cover each. */
import { testsOf } from "../../gates/documents/criteria.ts";
import type { TestedRequirement } from "../../views/gate/presentation.ts";
import type { Family } from "../../family/family.ts";
import type { DocumentSource, PlannedWork } from "../../family/planned.ts";
import type { RunView } from "../../log/run-view.ts";

/** A run, opened or only read. */
export interface PlannedRun {
  readonly family: Pick<Family, "planned">;
  readonly session: { readonly view: Pick<RunView, "documents" | "frozen"> };
  readonly payloads: DocumentSource["payloads"];
}

export function plannedBy({ family, session, payloads }: PlannedRun): Promise<PlannedWork> {
  return family.planned({ documents: session.view.documents, payloads });
}

export async function requirementsTested(context: PlannedRun): Promise<readonly TestedRequirement[]> {
  const { requirements, plannedTests } = await plannedBy(context);
  const required = context.session.view.frozen?.required ?? [];
  const tests = testsOf({ criteria: requirements.map(({ id }) => id), tests: required, plan: plannedTests });
  return requirements.map(({ id, text }) => ({ id, text, tests: tests[id] ?? [] }));
}
