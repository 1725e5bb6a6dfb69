/** The run's requirements, and which tests stand for each. */
import { parseArchitecture } from "../../gates/documents/architecture-document.ts";
import { testsOf } from "../../gates/documents/criteria.ts";
import { parseSpec, type Criterion } from "../../gates/documents/spec-document.ts";
import type { TestedRequirement } from "../../views/gate/presentation.ts";
import { documentText } from "../checks/documents.ts";
import { plannedCycles } from "../families/cycles/cycle.ts";
import type { RunContext } from "../../run/context.ts";

export interface Plan {
  readonly requirements: readonly Criterion[];
  readonly files: readonly string[];
  readonly plannedTests: Readonly<Record<string, readonly string[]>>;
}

export async function planOf(context: RunContext): Promise<Plan> {
  const cycles = await plannedCycles(context);
  if (cycles.length > 0)
    return {
      requirements: cycles.flatMap(({ criteria }) => criteria),
      files: cycles.flatMap(({ files }) => files),
      plannedTests: {},
    };
  const spec = await documentText(context, "spec");
  const requirements = spec === null ? [] : parseSpec(spec).criteria;
  const architecture = await documentText(context, "architecture");
  if (architecture === null) return { requirements, files: [], plannedTests: {} };
  const { files, plan } = parseArchitecture(
    architecture,
    requirements.map(({ id }) => id),
  );
  return { requirements, files, plannedTests: plan };
}

export async function requirementsTested(context: RunContext): Promise<readonly TestedRequirement[]> {
  const { requirements, plannedTests } = await planOf(context);
  const required = context.session.view.frozen?.required ?? [];
  const tests = testsOf({ criteria: requirements.map(({ id }) => id), tests: required, plan: plannedTests });
  return requirements.map(({ id, text }) => ({ id, text, tests: tests[id] ?? [] }));
}
