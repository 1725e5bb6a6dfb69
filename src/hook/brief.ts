/** The open dispatch of a session's run once more, as it was handed out. It opens the store, so it is loaded only then. */
import { withHost } from "../run/host.ts";
import { openRun } from "../families/open-run.ts";
import { openDispatch } from "../families/cycles/active-state.ts";
import type { HookFacts } from "../run/hook-files.ts";

/** Claude Code keeps more than this in a file, of which the model sees the beginning. */
const maxText = 9_000;

/** Empty where nobody has taken the dispatch: then next hands it out. */
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
