/** Lets a session enter the current mode of the run, or refuses with the missing condition (TDP-07, TDP-75). */
import { shippedFamilies } from "../families/families.ts";
import { AppError, type ErrorCode } from "../lib/errors.ts";
import { readAudit } from "../notation/audits.ts";
import {
  modeOf,
  readMode,
  symbolSetOf,
  type AgentMode,
  type Mode,
  type SymbolSet,
} from "../notation/modes.ts";
import { DesignPayload } from "../gates/payloads/design.ts";
import { loadSettings } from "../config/settings.ts";
import type { RunContext } from "../run/context.ts";
import { currentMode, openDispatch } from "../families/cycles/active-state.ts";
import { agentOf, dispatchOf } from "../families/cycles/dispatch-line.ts";
import { takeEditedDesign } from "../families/cycles/edited-design.ts";
import type { RunView } from "../log/run-view.ts";
import type { OpenHost } from "../run/host.ts";
import { startRun } from "../engine/start/start-run.ts";
import { modeMismatch } from "./mode-mismatch.ts";

export interface EnterRequest {
  readonly mode: string;
  /** For Ω₂ᴬ the audit, for Ω₁ᴾ the task of a new run. */
  readonly ctx?: string;
}

/** Begins a run. Without a run only the first mode can be entered. */
export async function beginRun(
  host: OpenHost,
  { mode, ctx = "" }: EnterRequest,
  protocol: string,
): Promise<string> {
  const symbolSet = protocol === "dptr" ? "dptr" : "riper";
  const wanted = readMode(mode, symbolSet);
  if (wanted.mode !== "Ω₁ᴾ") throw notEntered(wanted.mode);
  if (ctx.trim() === "")
    throw new AppError("empty_task", "a run needs a task", {
      hint: 'enter {mode: "Ω₁ᴾ", ctx: "what to build"}',
    });
  const { run } = await startRun(
    host,
    {
      task: ctx.trim(),
      protocol,
      agents: {},
      preapproved: [],
      demo: false,
      front: "referee",
    },
    shippedFamilies,
  );
  return run;
}

/** The protocol of a session's next run: that of mettle.yaml, else riper. */
export async function protocolOfSessions(root: string): Promise<string> {
  return (await loadSettings(root)).session?.protocol ?? "riper";
}

/** Returns if the run is in that mode; `next` hands out its dispatch. @throws if the mode cannot be entered */
export async function assertMode(context: RunContext, request: EnterRequest): Promise<void> {
  const symbolSet = symbolSetOfRun(context);
  const { mode, agent } = readMode(request.mode, symbolSet);
  const changed = await takeEditedDesign(context);
  const now = currentMode(context);
  if (changed.length > 0 && mode !== now) throw approvalLapsed(context, changed, mode);
  if (mode !== now) throw await refusal(context, { mode, now });
  assertRole(context, agent);
  if (mode === "Ω₂ᴬ") await assertAudit(context, request, symbolSet);
}

function symbolSetOfRun({ protocol }: Pick<RunContext, "protocol">): SymbolSet {
  return symbolSetOf(protocol) ?? "riper";
}

/** The first missing condition of a mode, in the order of the flow. */
async function refusal(
  context: RunContext,
  { mode, now }: { readonly mode: Mode; readonly now: Mode },
): Promise<AppError> {
  const { state, view } = context.session;
  const facts = state.frames["main"]?.facts ?? {};
  const isPlanned = view.documents["plan"] !== undefined;
  if (mode === "Ω₃ᴾ" && facts["design_approved"] !== true) return refused("design_not_approved", mode, now);
  if (mode === "Ω₄ᶜ" && !isPlanned) return refused("no_plan", mode, now);
  if (mode === "Ω₅ᵀ" && !isPlanned) return refused("no_tdd_cycles", mode, now);
  if (mode === "Ω₅ᵀ" && facts["plan_approved"] !== true)
    return wasAccepted(view) ? planLapsed(mode, now) : refused("plan_not_approved", mode, now);
  if (mode === "Ω₆ⱽ" && state.ended === null) return refused("cycles_open", mode, now);
  const { code, message } = modeMismatch(mode, now);
  return new AppError(code, message, {
    hint: `call next: it leads through ${now}`,
    detail: { current: now, asked: mode },
  });
}

/** Whether a plan was accepted before: the plan or the design has changed since. */
function wasAccepted({ commands }: RunView): boolean {
  return Object.values(commands).some(
    ({ command, result }) => command.mode === "Ω₄ᶜ" && result?.outcome === "PA",
  );
}

function planLapsed(mode: Mode, now: Mode): AppError {
  return new AppError(
    "approval_stale",
    `the plan has changed since it was approved, or what it is made from; the run is in ${now}`,
    {
      hint: 'have it audited: enter {mode: "Ω₄ᶜ"} once it is handed in, or next',
      detail: { changed: ["plan"] },
      also: modeMismatch(mode, now),
    },
  );
}

/** The refusal of a mode without a run in hand. */
function notEntered(mode: Mode): AppError {
  return refused(firstMissing[mode], mode);
}

const firstMissing = {
  "Ω₁ᴾ": "no_dispatch",
  "Ω₂ᴬ": "no_dispatch",
  "Ω₃ᴾ": "design_not_approved",
  "Ω₄ᶜ": "no_plan",
  "Ω₅ᵀ": "no_tdd_cycles",
  "Ω₆ⱽ": "cycles_open",
} as const satisfies Readonly<Record<Mode, ErrorCode>>;

function refused(code: ErrorCode, mode: Mode, now?: Mode): AppError {
  const where = now === undefined ? "" : `; the run is in ${now}`;
  return new AppError(code, `${mode} cannot be entered: ${reasons[code] ?? "nothing is open"}${where}`, {
    hint:
      now === undefined
        ? 'begin a run: enter {mode: "Ω₁ᴾ", ctx: "what to build"}'
        : "call next: it hands out what comes before",
    detail: { current: now ?? null, asked: mode },
    also: now === undefined ? undefined : modeMismatch(mode, now),
  });
}

const reasons: Readonly<Partial<Record<ErrorCode, string>>> = {
  design_not_approved: "the design is not approved",
  no_plan: "no plan was handed in",
  no_tdd_cycles: "there are no cycles of an accepted plan, and nothing is executed without them",
  plan_not_approved: "the plan is not approved",
  cycles_open: "the cycles are neither all done nor has one failed",
  no_dispatch: "this session has no run",
};

/** QA and DE never work at the same time. */
function assertRole({ session, protocol }: RunContext, agent: AgentMode): void {
  const open = openDispatch({ session });
  const working = open === null ? null : agentOf(protocol, open);
  if (open === null || working === null || agent === modeOf(agent) || agent === working) return;
  const line = session.view.commands[open.key]?.line ?? open.key;
  throw new AppError("role_busy", `${working} has the open dispatch ${line}`, {
    hint: `report it before ${agent} begins`,
    detail: { line, role: working },
  });
}

async function assertAudit(context: RunContext, { ctx }: EnterRequest, symbolSet: SymbolSet): Promise<void> {
  const open = openDispatch(context);
  const expected = open === null ? undefined : dispatchOf(context, open)?.ctx;
  const modules = await modulesOf(context);
  if (ctx === undefined || ctx.trim() === "")
    throw new AppError("missing_param", "Ω₂ᴬ needs CTX: what is audited", {
      hint: `now it is ${expected ?? "nothing"}; the design's modules are ${modules.join(", ")}`,
      detail: { modules },
    });
  const audit =
    symbolSet === "riper"
      ? readAudit(ctx.trim().replace(/^(\S+)\s+/u, "$1:"))
      : { level: "" as const, module: ctx.trim() };
  if ("module" in audit && !modules.includes(audit.module))
    throw new AppError("unknown_module", `the design has no module ${audit.module}`, {
      hint: `its modules are ${modules.join(", ")}`,
      detail: { modules },
    });
  const requested =
    "module" in audit ? [audit.level, audit.module].filter((part) => part !== "").join(":") : audit.level;
  if (requested === expected) return;
  throw new AppError("mode_mismatch", `the audit that comes now is ${expected ?? "none"}, not ${requested}`, {
    hint: "the audits go through the design in its order; call next",
    detail: { current: expected ?? null, asked: requested },
  });
}

async function modulesOf({ session, payloads }: RunContext): Promise<readonly string[]> {
  const ref = session.view.documents["design"]?.ref;
  if (ref === undefined) return [];
  return DesignPayload.parse(JSON.parse(await payloads.text(ref))).module_specifications.map(
    ({ name }) => name,
  );
}

/** @param mode the requested mode, if it is not the current one */
export function approvalLapsed(context: RunContext, changed: readonly string[], mode?: Mode): AppError {
  const open = openDispatch(context);
  const ctx = open === null ? undefined : dispatchOf(context, open)?.ctx;
  return new AppError(
    "approval_stale",
    `σ₂ has changed since the design was approved: ${changed.join(", ")}`,
    {
      hint: `have it audited: enter {mode: "Ω₂ᴬ", ctx: ${JSON.stringify(ctx ?? "")}}, or next`,
      detail: { changed },
      also: mode === undefined ? undefined : modeMismatch(mode, currentMode(context)),
    },
  );
}
