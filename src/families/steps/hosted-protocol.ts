/** A hosted steps protocol: its name, its inputs, and the agent's order (seed envoy.md, Phase 11). */
import { AppError } from "../../lib/errors.ts";
import type { Protocol } from "../../protocol/machine.ts";
import type { StartOptions, StepsStart } from "../../family/start-options.ts";

/** Whether agents of this protocol follow printed steps. */
export function isHosted({ features }: Pick<Protocol, "features">): boolean {
  return features["steps"] === true;
}

/** Refuses other starts: a person's own session follows printed steps by `/plan` and `/continue`. */
export function requireSteps({ name }: Protocol, { steps, front }: StartOptions): void {
  if (front === "referee" || steps === undefined)
    throw new AppError("usage", `${name} is driven by mettle run`, {
      hint: "in a session type /plan or /continue; `mettle init --envoy` puts them there",
    });
}

/** `Run \`envoy protocol …\` and follow the steps. INPUTS: \`{ … }\``, word for word as in `/plan` and `/continue`. */
export function orderText({ protocol, inputs }: StepsStart): string {
  const pairs = Object.entries(inputs).map(([name, value]) => `${name}: ${shown(value)}`);
  return `Run \`envoy protocol ${protocol}\` and follow the steps. INPUTS: \`{ ${pairs.join(", ")} }\``;
}

/** Unquoted if it fits on one line. */
function shown(value: unknown): string {
  return typeof value === "string" && !/[\n\r`]/u.test(value) ? value : inFlow(value);
}

function inFlow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inFlow).join(", ")}]`;
  if (typeof value !== "object" || value === null)
    return typeof value === "string" && /^[\w-]+$/u.test(value) ? value : JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, one]) => `${name}: ${inFlow(one)}`)
    .join(", ")} }`;
}
