/** Notices, while a person types an answer, that somebody answered elsewhere or that the run went on without it (SEE-06). */
import type { Command } from "../../kernel/command.ts";
import { baseKey } from "../../log/base-ask.ts";
import { byText, personText } from "../../log/by-text.ts";
import type { Recorded } from "../../log/run-event.ts";
import type { RunContext } from "../../run/context.ts";
import { recorded } from "../../run/list-runs.ts";

export interface WatchedAsk {
  readonly key: string;
  /** Id of the clarifying question that is typed at; missing: of none. */
  readonly question?: string | undefined;
}

export interface AskWatch {
  /** Aborted once the answer here no longer counts. */
  readonly signal: AbortSignal;
  /** Looks at once. @returns what happened, as a sentence; null: the answer here still counts */
  look(): Promise<string | null>;
  stop(): void;
}

const lookMs = 250;

/** @param after the newest event when the ask was shown */
export function watchAsk(
  { session, run, clock }: Pick<RunContext, "session" | "run" | "clock">,
  ask: WatchedAsk,
  after: number,
): AskWatch {
  const [settled, stopped] = [new AbortController(), new AbortController()];
  let seq = after;
  let found: string | null = null;
  // Beside the session, which may be appending for agents that work meanwhile.
  const look = async (): Promise<string | null> => {
    if (found !== null) return found;
    const events = (await session.ports.journal.read(run, seq)).map(recorded);
    seq = events.at(-1)?.seq ?? seq;
    for (const event of events) found ??= whatHappened(event, ask);
    if (found !== null) settled.abort();
    return found;
  };
  const keepLooking = async (): Promise<void> => {
    while (!stopped.signal.aborted && !settled.signal.aborted) {
      await look().catch(() => null); // the next look tries again
      await clock.sleep(lookMs, stopped.signal);
    }
  };
  void keepLooking();
  return { signal: settled.signal, look, stop: () => stopped.abort() };
}

/** What an event means for the person who types an answer; null: nothing. Pure. */
export function whatHappened(event: Recorded, { key, question }: WatchedAsk): string | null {
  switch (event.type) {
    case "result":
      return event.key === key ? `${personText(event.by)} answered: ${event.outcome}` : null;
    case "question.answered":
      return event.id === question ? `${byText(event.by)} answered ${event.id}` : null;
    case "base.accepted":
      return key === baseKey ? `${byText(event.by)} accepted the base` : null;
    case "run.paused":
      return `${byText(event.by)} paused the run`;
    case "run.aborted":
      return `${personText(event.by)} aborted the run`;
    case "command.issued":
      return isCancelOf(event.command, key) ? "the run no longer waits for this" : null;
    default:
      return null;
  }
}

/** The journal contains the kernel's commands unchanged. */
function isCancelOf(command: unknown, key: string): boolean {
  const { type, ...rest } = command as Command;
  return type === "cancel" && "target" in rest && rest.target === key;
}
