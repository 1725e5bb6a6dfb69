/** Repeats the prompt of a session's open dispatch. Loaded on demand, since it opens the store. */
import { withHost } from "../run/host.ts";
import { openRun } from "../families/open-run.ts";
import { openDispatch } from "../families/cycles/active-state.ts";
import type { HookFacts } from "../run/hook-files.ts";

/** Claude Code moves a longer text to a file, and the model sees only its beginning. */
const maxText = 9_000;

/** Empty if no session has taken the dispatch: the tool next hands it out. */
export async function briefOf({ checkout, run }: HookFacts): Promise<string> {
  return withHost(checkout, async (host) => {
    const { session, payloads } = await openRun(host, { run });
    const command = openDispatch({ session });
    const prompt = command === null ? undefined : session.view.dispatches[command.key]?.prompt;
    if (prompt === undefined) return "";
    const text = await payloads.text(prompt);
    const shown = text.length > maxText ? `${text.slice(0, maxText)}\n[next gives the whole of it]` : text;
    return `\nIts prompt, once more:\n${shown}`;
  });
}
