/** Payloads of designer, critic and planner: a document of the run, and the items of the next steps. */
import { RevisePayload } from "../../gates/payloads/critique.ts";
import { DesignPayload } from "../../gates/payloads/design.ts";
import { PlanPayload } from "../../gates/payloads/plan.ts";
import { canonicalJson, sha256 } from "../../lib/hash.ts";
import type { PayloadKinds } from "../../run/payload-kind.ts";

export const payloadKinds: PayloadKinds = {
  design: {
    schema: DesignPayload,
    deliver: (payload) => {
      const design = DesignPayload.parse(payload);
      return { document: design, ...moduleItems(design) };
    },
  },
  revise: { schema: RevisePayload },
  plan: {
    schema: PlanPayload,
    deliver: (payload) => {
      const plan = PlanPayload.parse(payload);
      const items = plan.cycles.map((cycle, index) => ({
        id: `C${index + 1}`,
        hash: sha256(canonicalJson(cycle)),
      }));
      return { document: plan, items, list: "cycles" };
    },
  },
};

/** The items of the module audits. */
export function moduleItems({ module_specifications }: DesignPayload) {
  const items = module_specifications.map((module) => ({
    id: module.name,
    hash: sha256(canonicalJson(module)),
  }));
  return { items, list: "modules" };
}
