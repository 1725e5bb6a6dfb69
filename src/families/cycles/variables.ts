/** Values of the template variables of RIPER and DPTR beside task, files and history; empty in other protocols. */
import { join } from "node:path";
import { printDispatch } from "../../notation/dispatch-line.ts";
import { DesignPayload } from "../../gates/payloads/design.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import type { RunContext } from "../../run/context.ts";
import { cycleOf, cycleNumber, plannedCycles } from "./cycle.ts";
import { dispatchOf } from "./dispatch-line.ts";
import { handoffOf } from "./handoff.ts";
import { historyOf } from "./history.ts";
import type { cycleVariableNames, CycleVariables } from "./variable-names.ts";
import { observationsFor } from "./observations.ts";
import { readPlainFile } from "../../lib/plain-file.ts";

export async function cycleVariables(
  context: RunContext,
  command: DispatchCommand,
  { asks }: { readonly asks: boolean },
): Promise<CycleVariables> {
  const dispatch = dispatchOf(context, command);
  if (dispatch === null) return {};
  const { sid, round } = dispatch;
  return {
    dispatch: printDispatch(dispatch),
    ...(command.mode === undefined ? {} : { mode: command.mode }),
    brief: await briefOf(context),
    design: await designText(context),
    plan: await planText(context),
    ...(dispatch.ctx !== undefined && command.params.includes("CTX")
      ? { audit: auditText(dispatch.ctx) }
      : {}),
    ...(sid === undefined ? {} : { session: sid, round: String(round ?? 0) }),
    ...(sid === undefined ? {} : asks ? { by_tools: "yes" } : await textDialogue(context, command)),
    ...(cycleNumber(context, command) === null ? {} : await cycleText(context, command)),
    handoff: handoffText(context, command),
    ...(await historyOf(context, command)),
  };
}

/** An agent without dialogue tools gets the observations as text and answers as text. */
async function textDialogue(context: RunContext, command: DispatchCommand): Promise<CycleVariables> {
  return { by_text: "yes", observations: await observationsFor(context, command) };
}

/** For the first dispatch of a mode: the handoff summary of the mode before it (RIP-06). */
function handoffText(context: RunContext, command: DispatchCommand): string {
  if (context.protocol.features["handoff"] !== true) return "";
  const { order, commands } = context.session.view;
  const before = order.slice(0, order.indexOf(command.key)).map((key) => commands[key]?.command.mode);
  const last = before.findLast((mode) => mode !== undefined);
  return last === undefined || last === command.mode ? "" : (handoffOf(context)?.summary ?? "");
}

async function cycleText(context: RunContext, command: DispatchCommand): Promise<CycleVariables> {
  const { number, plan } = await cycleOf(context, command);
  const disputes = command.reports.includes("TA");
  const phase = disputes ? undefined : phases[command.phase ?? ""];
  return {
    cycle: String(number),
    method: plan.method,
    cycle_task: plan.task,
    criteria: plan.criteria.map(({ id, text }) => `- ${id}: ${text}`).join("\n"),
    cycle_tests: plan.tests.join(", "),
    ...(phase === undefined ? {} : { [phase]: "now" }),
  };
}

const phases: Readonly<Record<string, (typeof cycleVariableNames)[number]>> = {
  ℜ: "red",
  ℜᴳ: "green",
  ℜᶠᵗ: "refactor_tests",
  ℜᶠⁱ: "refactor_impl",
  review_tests: "review_tests",
  review_impl: "review_impl",
};

function auditText(ctx: string): string {
  const [level, module] = ctx.startsWith("Λ") ? ctx.split(/:(.*)/su) : ["", ctx];
  if (module === undefined) return `${ctx}: the architecture as a whole.`;
  return `${level === "" ? "" : `${level ?? ""}: `}the module ${module}, as the design specifies it.`;
}

/** σ₁ as the person wrote it; empty without a memory bank. */
async function briefOf({ repository }: RunContext): Promise<string> {
  return readPlainFile(join(repository.root, "memory-bank", "projectbrief.md")).then((text) => text ?? "");
}

async function designText({ session, payloads }: RunContext): Promise<string> {
  const ref = session.view.documents["design"]?.ref;
  if (ref === undefined) return "";
  const design = DesignPayload.parse(JSON.parse(await payloads.text(ref)));
  const modules = design.module_specifications.map(
    ({ name, specification }) => `#### ${name}\n\n${specification}`,
  );
  return [
    "### Architecture Design",
    design.architecture_design,
    "### Module Specifications",
    ...modules,
    "### Tech Stack",
    design.tech_stack,
  ].join("\n\n");
}

async function planText(context: RunContext): Promise<string> {
  const cycles = await plannedCycles(context);
  return cycles
    .map(({ method, task, tests, criteria, files }, index) =>
      [
        `### TDD${index + 1}: ${method}`,
        task,
        `Tests: ${tests.join(", ")}${files.length === 0 ? "" : `. Source: ${files.join(", ")}`}`,
        ...criteria.map(({ id, text }) => `- ${id}: ${text}`),
      ].join("\n"),
    )
    .join("\n\n");
}
