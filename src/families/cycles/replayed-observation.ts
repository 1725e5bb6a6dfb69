/**
 * Detects observations that are repeated after a restart: an agent whose process was killed replays its dispatch, and
 * nothing is written twice (TDP-78).
 */
import type { Observation } from "../../journal/observation-line.ts";
import type { NewObservation } from "../../journal/observations.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import { excerptOf } from "../../lib/text.ts";
import type { RunContext } from "../../run/context.ts";
import { openStore } from "./store.ts";

/** Ids of repeated observations, for one activation of an agent. */
const found = new WeakMap<DispatchCommand, Set<number>>();

/** The matching observation of an earlier activation of this dispatch; each one matches once. */
export async function replayedObservation(
  context: RunContext,
  command: DispatchCommand,
  { session, round, agent, content }: NewObservation,
): Promise<Observation | null> {
  const { observed, dispatches } = context.session.view;
  const started = dispatches[command.key]?.seq ?? 0;
  const earlier = observed.filter(
    (event) =>
      event.seq < started && event.session === session && event.round === round && event.agent === agent,
  );
  const excerpt = excerptOf(content, 200);
  if (!earlier.some((event) => event.excerpt === excerpt)) return null;
  const seen = found.get(command) ?? new Set<number>();
  found.set(command, seen);
  const store = await openStore(context);
  try {
    const same = await store.query({ session, round, agent, at: null });
    // Observations of this activation come after all earlier ones.
    const match = same
      .slice(0, earlier.length)
      .find((other) => other.content === content && !seen.has(other.id));
    if (match === undefined) return null;
    seen.add(match.id);
    return match;
  } finally {
    await store.close();
  }
}
