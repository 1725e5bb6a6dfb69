/** The negative controls of GREEN: runs of the required tests that must fail, so that their pass has meaning. */
import { fileOfTest } from "../../evidence/test-ids.ts";
import type { Canary } from "../../gates/suite/controls.ts";
import type { TreeFile } from "../../git/objects/tree.ts";
import type { Checkout } from "../checkout/checkout.ts";
import type { ProofSetting } from "../proof-package.ts";
import { owns, type SuiteRun } from "../setting.ts";
import { runCanaries } from "./canary.ts";
import { copyingRunners, runCopies, type CopyResults } from "./control-copies.ts";

export type ControlResults = CopyResults;

export interface ControlsRequest {
  readonly setting: ProofSetting;
  /** The checkout of the judged run, in which compiled packages are built already. */
  readonly checkout: Checkout;
  /** The judged tree. */
  readonly tree: readonly TreeFile[];
  readonly required: readonly string[];
  run(checkout: Checkout, files: readonly string[]): Promise<SuiteRun>;
}

export async function runControls(request: ControlsRequest): Promise<ControlResults> {
  const { setting, checkout, tree, required, run } = request;
  const { canary: isCanaryOn = true, flip: isFlipOn = true } = setting.ports.controls ?? {};
  const off = { state: "not measured", why: "switched off in the settings" } as const;
  if (!isCanaryOn && !isFlipOn) return { canary: off, flip: off };
  const concerned = setting.packages.filter((one) => required.some((id) => owns(one, id)));
  const copying = concerned.filter(({ found }) => copyingRunners.has(found.name));
  const compiled = concerned.filter((one) => !copying.includes(one));
  const unmeasured: CopyResults = {
    canary: { state: "not measured", why: "no test is required" },
    flip: { state: "not measured", why: "no test is required" },
  };
  const copies =
    copying.length === 0 ? null : await runCopies({ setting, packages: copying, tree, required, run });
  const files = [...new Set(required.map(fileOfTest))];
  const wrapped =
    compiled.length === 0 || !isCanaryOn
      ? null
      : await runCanaries({ checkout, packages: compiled, files, run: (wrong) => run(checkout, wrong) });
  const compiledFlip = { state: "not measured", why: "it is not known for this language" } as const;
  return {
    canary: isCanaryOn ? worst([copies?.canary, wrapped].filter((one) => one != null)) : off,
    flip: isFlipOn ? (copies?.flip ?? (compiled.length > 0 ? compiledFlip : unmeasured.flip)) : off,
  };
}

/** One that passed decides, then one without result. */
function worst(all: readonly Canary[]): Canary {
  const passed = all.flatMap((canary) => (canary.state === "passed" ? canary.files : []));
  if (passed.length > 0) return { state: "passed", files: passed };
  const [first = { state: "not measured", why: "no test is required" } as const] = all;
  return all.find(({ state }) => state === "not measured") ?? first;
}
