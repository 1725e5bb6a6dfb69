/** The run's requirements and the tests that cover each. */
import { testsOf } from "../../gates/documents/criteria.ts";
import type { TestedRequirement } from "../../views/gate/presentation.ts";
import type { FamilyRun } from "../../family/family.ts";
import type { PlannedWork } from "../../family/planned.ts";

export function plannedBy({ family, session, payloads }: FamilyRun): Promise<PlannedWork> {
  return family.planned({ documents: session.view.documents, payloads });
}

export async function requirementsTested(context: FamilyRun): Promise<readonly TestedRequirement[]> {
  const { requirements, plannedTests } = await plannedBy(context);
  const required = context.session.view.frozen?.required ?? [];
  const tests = testsOf({ criteria: requirements.map(({ id }) => id), tests: required, plan: plannedTests });
  return requirements.map(({ id, text }) => ({ id, text, tests: tests[id] ?? [] }));
}
