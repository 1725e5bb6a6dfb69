/**
 * Writes the facts that `mettle hook` needs about the run in hand to a small file: a hook is a new process for each tool call,
 * and so need not open the store or the protocol. Hooks refuse early; the gates decide.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { writeAtomically } from "../lib/files.ts";
import type { RunContext } from "../run/context.ts";
import { activeState, currentMode, openDispatch } from "../families/cycles/active-state.ts";
import { dispatchOf } from "../families/cycles/dispatch-line.ts";
import { dropHookFacts, factsOfRun, openFacts } from "../dispatch/hook-facts.ts";
import type { FamilyRun } from "../family/family.ts";
import { factsFile, hookErrorsFile, type HookFacts } from "../run/hook-files.ts";
import { readPlainFile } from "../lib/plain-file.ts";

/** Called after each call of a session. If the file cannot be written it is removed, and hooks refuse nothing. */
export async function writeHookFacts(context: FamilyRun): Promise<void> {
  if (context.started.front !== "referee") return;
  if (context.session.state.ended !== null) return dropHookFacts(context);
  const file = join(context.home.root, factsFile);
  try {
    await writeAtomically(file, JSON.stringify(await factsOf(context)), { mode: 0o600 });
  } catch (error) {
    await rm(file, { force: true }).catch(() => undefined);
    if (!(error instanceof Error && "syscall" in error)) throw error;
  }
}

/** Journals the errors of hooks since the last call, so that the next status shows a warning (CORE-88). */
export async function recordHookErrors({ session, home }: RunContext): Promise<void> {
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

async function factsOf(context: FamilyRun): Promise<HookFacts> {
  const { session_id, tdd_session_id, tdd_phase } = await activeState(context);
  const command = openDispatch(context);
  const sent = command === null ? null : dispatchOf(context, command);
  const mode = currentMode(context);
  return {
    ...factsOfRun(context, command === null ? null : await openFacts(context, command)),
    checkout: context.repository.checkout,
    mode,
    sid: sent?.sid ?? (mode === "Ω₅ᵀ" ? tdd_session_id : session_id),
    round: sent?.round ?? null,
    phase: sent?.phase ?? tdd_phase,
  };
}
