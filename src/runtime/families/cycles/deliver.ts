/** What a designer or planner hands in with its decision: a document of the run, and what the next steps go through. */
import { canonicalJson, sha256 } from "../../../lib/hash.ts";
import { DesignPayload } from "../../../gates/payloads/design.ts";
import { PlanPayload } from "../../../gates/payloads/plan.ts";
import type { DispatchCommand } from "../../../kernel/command.ts";
import type { Settlement } from "../../../run/settlement.ts";
import { segmentHash, SegmentsPayload, segmentsOf } from "../steps/segments.ts";
import type { RunContext } from "../../../run/context.ts";

interface Delivered {
  /** Name of the payload's schema (dispatch/payload-schemas.ts). */
  readonly schema: string;
  readonly payload: unknown;
}

/** Nothing for other payloads. The payload was checked when it was reported. */
export async function deliver(
  { payloads }: Pick<RunContext, "payloads">,
  { key }: DispatchCommand,
  { schema, payload }: Delivered,
): Promise<Pick<Settlement, "facts" | "items" | "list">> {
  const written = async (name: string, value: unknown) => {
    const ref = await payloads.put(canonicalJson(value));
    return [{ type: "document.written", name, ref, by: "agent", key } as const];
  };
  switch (schema) {
    case "design": {
      const design = DesignPayload.parse(payload);
      return { facts: await written("design", design), ...moduleItems(design) };
    }
    case "plan": {
      const plan = PlanPayload.parse(payload);
      const items = plan.cycles.map((cycle, index) => ({
        id: `C${index + 1}`,
        hash: sha256(canonicalJson(cycle)),
      }));
      return { facts: await written("plan", plan), items, list: "cycles" };
    }
    case "segments": {
      const segments = segmentsOf(SegmentsPayload.parse(payload));
      const items = segments.map(({ agent, requirements }) => ({
        id: agent,
        hash: segmentHash(requirements, null),
      }));
      return { items };
    }
    default:
      return {};
  }
}

/** What the module audits go through. */
export function moduleItems({ module_specifications }: DesignPayload) {
  const items = module_specifications.map((module) => ({
    id: module.name,
    hash: sha256(canonicalJson(module)),
  }));
  return { items, list: "modules" };
}
