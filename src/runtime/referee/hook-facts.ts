/**
 * What `mettle hook` has to know of the run in hand, in one small file: so that a hook, which is a process of its own for
 * each tool call of a session, opens neither the store nor the protocol. It refuses early by it; the gates decide.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { writeWhole } from "../../lib/files.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import type { RunContext } from "../../run/context.ts";
import { activeState, currentMode, openDispatch } from "../families/cycles/active-state.ts";
import { cycleNumber, cycleOf } from "../families/cycles/cycle.ts";
import { dispatchOf } from "../families/cycles/dispatch-line.ts";
import { writesOf } from "../dispatch/workspace/workspace.ts";
import { factsFile, hookErrorsFile, sessionsFolder, type HookFacts, type OpenFacts } from "./hook-files.ts";
import { readPlainFile } from "../../lib/plain-file.ts";

/** After each call of a session. A file that cannot be written is none: then nothing is refused early. */
export async function keepHookFacts(context: RunContext): Promise<void> {
  if (context.started.front !== "referee") return;
  const { root } = context.home;
  const file = join(root, factsFile);
  if (context.session.state.ended !== null) {
    await rm(file, { force: true });
    await rm(join(root, sessionsFolder), { recursive: true, force: true });
    return;
  }
  try {
    await writeWhole(file, JSON.stringify(await factsOf(context)), { mode: 0o600 });
  } catch (error) {
    await rm(file, { force: true }).catch(() => undefined);
    if (!(error instanceof Error && "syscall" in error)) throw error;
  }
}

/** What went wrong within hooks since the last call: journaled, so that the next status warns of it (CORE-88). */
export async function hearHookErrors({ session, home }: RunContext): Promise<void> {
  const file = join(home.root, hookErrorsFile);
  const text = (await readPlainFile(file)) ?? "";
  if (text === "") return;
  await rm(file, { force: true });
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const last = lines.at(-1)?.slice(0, 500) ?? "";
  const times = lines.length === 1 ? "once" : `${lines.length} times`;
  const message = `a hook failed ${times} and let the call pass; last: ${last}`;
  await session.record([{ type: "warned", code: "hook_error", message }]);
}

async function factsOf(context: RunContext): Promise<HookFacts> {
  const { repository, session, settings, started, run } = context;
  const { session_id, tdd_session_id, tdd_phase } = await activeState(context);
  const command = openDispatch(context);
  const sent = command === null ? null : dispatchOf(context, command);
  const open = command === null ? null : await openFacts(context, command);
  const inCycle = currentMode(context) === "Ω₅ᵀ";
  return {
    version: 1,
    gitDir: repository.gitDir,
    checkout: repository.checkout,
    run,
    mode: currentMode(context),
    sid: sent?.sid ?? (inCycle ? tdd_session_id : session_id),
    round: sent?.round ?? null,
    phase: sent?.phase ?? tdd_phase,
    open,
    paths: { tests: settings.paths.tests, source: settings.paths.source },
    frozen: open?.writes === "source" ? Object.keys(session.view.frozen?.files ?? {}) : [],
    protection: started.protection ?? [],
  };
}

const heldRoles: ReadonlySet<string> = new Set(["none", "review", "documents", "tests", "source"]);

/**
 * The same of a dispatch in a workspace of its own, for the hooks of its agent (CORE-98). Whoever writes by rules of another
 * kind, as a node of a graph does, is held by its gates alone.
 */
export async function factsOfDispatch(
  context: RunContext,
  command: DispatchCommand,
  workspace: string,
): Promise<HookFacts> {
  const { repository, session, settings, started, run } = context;
  const open = await openFacts(context, command);
  return {
    version: 1,
    gitDir: repository.gitDir,
    checkout: workspace,
    run,
    mode: command.mode ?? "",
    sid: command.session ?? null,
    round: command.round,
    phase: command.phase ?? null,
    open: heldRoles.has(open.writes) ? open : null,
    paths: { tests: settings.paths.tests, source: settings.paths.source },
    frozen: open.writes === "source" ? Object.keys(session.view.frozen?.files ?? {}) : [],
    protection: started.protection ?? [],
  };
}

async function openFacts(context: RunContext, command: DispatchCommand): Promise<OpenFacts> {
  const { protocol, session } = context;
  const role = protocol.roles[command.role];
  return {
    line: session.view.commands[command.key]?.line ?? "",
    agent: command.template ?? role?.template ?? command.role,
    label: role?.label ?? command.role,
    writes: writesOf(context, command),
    declared: cycleNumber(context, command) === null ? null : (await cycleOf(context, command)).plan.tests,
  };
}
