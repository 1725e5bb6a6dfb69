/** The payloads that a node's agent may read in parts: neither memory nor another node's payloads (V3-55, 57). */
import { putJson } from "../../../journal/payload-parts.ts";
import type { DispatchCommand } from "../../../kernel/command.ts";
import type { RunContext } from "../../../run/context.ts";
import type { Node } from "../node.ts";
import { decisionPayload } from "../payloads.ts";

export interface PayloadReference {
  readonly what: string;
  readonly ref: string;
}

export async function payloadsFor(
  context: RunContext,
  command: DispatchCommand,
  { entry }: Node,
): Promise<readonly PayloadReference[]> {
  const { spec, parentContext, accepted, merged } = entry;
  return [
    { what: "Spec", ref: spec },
    ...(parentContext === null ? [] : [{ what: "ParentContext", ref: parentContext }]),
    ...Object.entries(accepted).map(([what, ref]) => ({ what, ref })),
    ...merged.map(({ child, event }) => ({ what: `MergeComplete of ${child}`, ref: event })),
    ...(await causesOf(context, command)),
  ];
}

/** Payloads of the exits that led here. A reviewer gets only what a gate accepted from Impl (V3-46). */
async function causesOf(
  { session, payloads }: RunContext,
  { causes, mode }: DispatchCommand,
): Promise<readonly PayloadReference[]> {
  const handed = causes.map(async ({ key, outcome, payload }): Promise<readonly PayloadReference[]> => {
    const cause = session.view.commands[key]?.command;
    if (payload === undefined || cause?.type !== "dispatch") return [];
    if (mode === "ReviewImpl" && cause.role === "impl") return [];
    // It is already stored under the same address.
    return [{ what: outcome, ref: await putJson(payloads, await decisionPayload({ payloads }, payload)) }];
  });
  return (await Promise.all(handed)).flat();
}

/** Lists the payloads stored in parts; empty if there are none. */
export async function largePayloadsSection(
  { payloads }: Pick<RunContext, "payloads">,
  handed: readonly PayloadReference[],
): Promise<string> {
  const lines: string[] = [];
  for (const { what, ref } of handed)
    if ((await payloads.text(ref)).includes('{"$part":')) lines.push(`- ${what}: \`${ref}\``);
  if (lines.length === 0) return "";
  return [
    "## Large payloads",
    "",
    "The tool `payload {ref, pointer}` reads a field of one, such as `/coverageReport/criteriaMissing`:",
    "",
    ...lines,
  ].join("\n");
}
