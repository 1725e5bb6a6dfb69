/** Drives a run under a test's control: it may act between two events, or stop the run like Ctrl-C. */
import type { EventOf, Recorded } from "../../src/log/run-event.ts";
import { drive } from "../../src/engine/drive.ts";
import { finishRun, prepareRun } from "../../src/engine/lifecycle.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { openRun } from "../../src/families/open-run.ts";
import { eventsOf, answerAll, type Answer, type DriveResult, type World } from "./world.ts";

export interface WatchOptions {
  readonly answer?: Answer;
  /** Called with each event right after it was journaled; "stop" interrupts the run. */
  readonly on: (event: Recorded) => "stop" | void;
}

export async function driveWatched(
  world: World,
  run: string,
  { answer = answerAll, on }: WatchOptions,
): Promise<DriveResult> {
  const stop = new AbortController();
  const context = await openRun(world.host, {
    run,
    progress: (told) => {
      if (told.type === "event" && on(told.event as Recorded) === "stop") stop.abort();
    },
  });
  await prepareRun(context);
  const end = await drive(context, { signal: stop.signal, answer: (ask) => answer(context, ask) });
  await finishRun(context, end);
  return { run, end, context, events: (await world.host.journal.read(run)).map(recorded) };
}

/** Stops when a phase is complete. */
export function untilComplete(phase: string): WatchOptions["on"] {
  return (event) => (event.type === "phase.completed" && event.phase === phase ? "stop" : undefined);
}

/** The prompts of a role, in order. */
export async function promptsOf(
  world: World,
  events: readonly Recorded[],
  role: string,
): Promise<readonly string[]> {
  return Promise.all(startsOf(events, role).map(({ prompt }) => world.host.payloads.text(prompt)));
}

export function startsOf(
  events: readonly Recorded[],
  role: string,
): readonly Recorded<EventOf<"dispatch.started">>[] {
  return eventsOf(events, "dispatch.started").filter((event) => event.role === role);
}

/** Counters of the newest command, as printed: `2/5`. */
export function countersOf(events: readonly Recorded[]): Readonly<Record<string, string>> {
  const command = eventsOf(events, "command.issued").at(-1)?.command as
    { readonly counters: Readonly<Record<string, { value: number; limit: number | null }>> } | undefined;
  return Object.fromEntries(
    Object.entries(command?.counters ?? {}).map(([name, { value, limit }]) => [name, `${value}/${limit}`]),
  );
}
