/** Template variables of printed steps: the agent's order, and why it is dispatched again. */
import type { DispatchCommand } from "../../kernel/command.ts";
import type { RunContext } from "../../run/context.ts";
import { orderText } from "./hosted-protocol.ts";
import { stepsFollowedBy } from "./prompt-place.ts";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Variables of prompt templates in a run of printed steps. */
export const stepsVariableNames = ["order", "gate_answer", "unconfirmed", "specialists"] as const;

type Values = Readonly<Partial<Record<(typeof stepsVariableNames)[number] | "context" | "approach", string>>>;

export async function stepsVariables(context: RunContext, command: DispatchCommand): Promise<Values> {
  const work = await stepsFollowedBy(context, command);
  return {
    ...(work === null ? {} : { order: orderText(work) }),
    ...why(context, command),
    specialists: (await specialistsHere(context.repository.root)).join(", "),
  };
}

/** Only for causes in its own frame. */
function why({ session }: RunContext, { causes, frame }: DispatchCommand): Values {
  const { commands, judged } = session.view;
  const key = causes.at(-1)?.key ?? "";
  const entry = commands[key];
  const nothing = { gate_answer: "", unconfirmed: "", context: "", approach: "" };
  if (entry?.command.frame !== frame) return nothing;
  const text = entry.result?.text ?? "";
  if (entry.command.type === "check") {
    const reasons = judged.findLast((one) => one.key === key)?.reasons ?? [];
    return { ...nothing, unconfirmed: reasons.map((reason) => `- ${reason}`).join("\n") };
  }
  if (entry.command.type !== "ask") return nothing;
  switch (entry.result?.outcome) {
    case "given":
      return { ...nothing, gate_answer: text };
    case "context":
      return { ...nothing, context: text };
    case "approach":
      return { ...nothing, approach: text };
    default:
      return nothing;
  }
}

/** Used if the repository defines no specialist for an area. */
const shippedSurveyor = "surveyor";

/** Mettle's own agents are no specialists. */
const shipped: ReadonlySet<string> = new Set([shippedSurveyor, "worker"]);

async function specialistsHere(root: string): Promise<readonly string[]> {
  // No folder: the repository defines none.
  const files = await readdir(join(root, ".claude", "agents")).catch(() => [] as string[]);
  const names = files.flatMap((file) => (file.endsWith(".md") ? [file.slice(0, -".md".length)] : []));
  return [...names.filter((name) => !shipped.has(name)).toSorted(), shippedSurveyor];
}
