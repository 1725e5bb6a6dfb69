import type { OpenGate } from "../dispatch/open-gate.ts";

/** The command as the agent had typed it: `envoy plan block-prompt-testing-gate 1 A`. */
export function orderOfGate({ tool, args }: Pick<OpenGate, "tool" | "args">): string {
  const [group = "", ...rest] = tool.replace("envoy_", "").split("_");
  const words = ["prompt_num", "variant"].flatMap((name) => {
    const value = args[name];
    return typeof value === "string" || typeof value === "number" ? [`${value}`] : [];
  });
  return ["envoy", group, rest.join("-"), ...words].join(" ");
}
