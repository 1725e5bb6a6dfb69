/** The negative controls of GREEN: runs of the required tests that must fail, so that their pass has meaning. */
import { fileOfTest } from "../../evidence/test-ids.ts";
import type { TreeFile } from "../../git/objects/tree.ts";
import type { Checkout } from "../checkout/checkout.ts";
import type { ProofSetting } from "../proof-package.ts";
import { owns, type SuiteRun } from "../setting.ts";
import { runCanaries, worstCanary } from "./canary.ts";
import { copyingRunners, runCopies } from "./control-copies.ts";
import type { CopyResults } from "./copy-results.ts";

export interface ControlsRequest {
  readonly setting: ProofSetting;
  /** The checkout of the judged run, in which compiled packages are built already. */
  readonly checkout: Checkout;
  /** The judged tree. */
  readonly tree: readonly TreeFile[];
  readonly required: readonly string[];
  run(checkout: Checkout, files: readonly string[]): Promise<SuiteRun>;
}

export async function runControls(request: ControlsRequest): Promise<CopyResults> {
  const { setting, checkout, tree, required, run } = request;
  const { canary = true, flip = true, specialCase = true, can_fail = true } = setting.ports.controls ?? {};
  if (!canary && !flip && !specialCase && !can_fail)
    return { canary: off, flip: off, neighbours: off, idle: [] };
  const concerned = setting.packages.filter((one) => required.some((id) => owns(one, id)));
  const packages = concerned.filter(({ found }) => copyingRunners.has(found.name));
  const compiled = concerned.filter((one) => !packages.includes(one));
  const copies =
    packages.length === 0
      ? null
      : await runCopies({ setting, packages, tree, required, triesNeighbours: specialCase, run });
  const files = [...new Set(required.map(fileOfTest))];
  const wrapped =
    compiled.length === 0 || !canary
      ? null
      : await runCanaries({ checkout, packages: compiled, files, run: (wrong) => run(checkout, wrong) });
  const why = compiled.length > 0 ? "not known for this language" : "no test is required";
  return {
    canary: canary ? worstCanary([copies?.canary, wrapped].filter((one) => one != null)) : off,
    flip: flip ? (copies?.flip ?? { state: "not measured", why }) : off,
    neighbours: specialCase ? (copies?.neighbours ?? { state: "not measured", why }) : off,
    idle: can_fail ? (copies?.idle ?? []) : [],
  };
}

const off = { state: "not measured", why: "switched off in the settings" } as const;
