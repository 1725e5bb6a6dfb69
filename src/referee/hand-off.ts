/** `/handoff`: leaves a mode with a summary for the next one (RIPER, Handoff Protocol; RIP-06, RIP-07). */
import { AppError } from "../lib/errors.ts";
import { modes, readMode, type Mode } from "../notation/modes.ts";
import type { RunContext } from "../run/context.ts";
import { currentMode, openDispatch } from "../families/cycles/active-state.ts";
import { handoffOf } from "../families/cycles/handoff.ts";
import { holderOf } from "./advance.ts";
import { modeMismatch } from "./mode-mismatch.ts";

export interface HandOffRequest {
  readonly to: string;
  readonly summary: string;
}

/** Allowed when the kernel has left the mode and the first dispatch of the next one has not begun. @throws bad_handoff */
export async function handOff(context: RunContext, { to, summary }: HandOffRequest): Promise<void> {
  if (context.protocol.features["handoff"] !== true)
    throw new AppError("not_in_protocol", `${context.protocol.name} has no hand-off`, {
      hint: "call next: the modes change by themselves",
    });
  const now = currentMode(context);
  const change = handoffOf(context);
  const open = openDispatch(context);
  const { mode } = readMode(to, "riper");
  const isFresh = change?.to === now && isUnstarted(context, now);
  const fault =
    summary.trim() === ""
      ? "the summary is empty"
      : open !== null && holderOf(context, open) !== null
        ? `the dispatch ${context.session.view.commands[open.key]?.line ?? open.key} is open`
        : !isFresh
          ? `the exit condition of ${now} does not hold yet`
          : mode !== now
            ? `the next mode is ${now}`
            : null;
  if (fault !== null || change === null) {
    const next = isFresh ? now : modeAfter(now);
    throw new AppError(
      "bad_handoff",
      `the session cannot be handed over to ${mode}: ${fault ?? "no mode was left yet"}`,
      {
        hint: isFresh
          ? `hand off to ${now}, with a summary`
          : `${next === null ? `${now} is the last mode` : `a hand-off from ${now} goes to ${next}`}; call next, and report the dispatch first`,
        detail: { next },
        also: mode === now ? undefined : modeMismatch(mode, now),
      },
    );
  }
  await context.session.record([
    { type: "handed.over", from: change.from, to: now, summary: summary.trim() },
  ]);
}

/** The next mode in the flow; null: the last one. */
function modeAfter(now: Mode): Mode | null {
  return modes[modes.findIndex(({ mode }) => mode === now) + 1]?.mode ?? null;
}

/** Whether no dispatch of the mode has been taken or decided since it was entered. */
function isUnstarted({ session }: RunContext, mode: string): boolean {
  const { order, commands, dispatches } = session.view;
  for (const key of [...order].reverse()) {
    const entry = commands[key];
    if (entry === undefined || entry.command.mode === undefined) continue;
    if (entry.command.mode !== mode) return true;
    if (entry.command.type === "dispatch" && (dispatches[key] !== undefined || entry.result !== null))
      return false;
  }
  return false;
}
