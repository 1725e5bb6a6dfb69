/** The commands that the loop executes now, and the wait for their next result. */
import type { Command } from "../kernel/command.ts";
import type { FamilyRun } from "../family/family.ts";
import type { News } from "../journal/news.ts";
import type { Settlement } from "../run/settlement.ts";

export interface CommandResult {
  readonly key: string;
  /** `journaled`: by another process. Null: the command is still to be done. */
  readonly settlement: Settlement | "journaled" | null;
  readonly failure: Error | null;
}

export interface ActiveCommand {
  readonly command: Command;
  readonly stop: AbortController;
  readonly result: Promise<CommandResult>;
}

interface NextResult {
  readonly active: ReadonlyMap<string, ActiveCommand>;
  readonly signal: AbortSignal;
  readonly news: News;
  /** When the first usage limit ends; null: none. */
  readonly until: number | null;
}

/** The next result, or null on abort, at the end of a limit, or when the journal has to be read again. */
export async function nextResult(
  { clock }: Pick<FamilyRun, "clock">,
  { active, signal, news, until }: NextResult,
): Promise<CommandResult | null> {
  const results = [...active.values()].map((entry) => entry.result);
  const isOver = new AbortController();
  const end = () => isOver.abort();
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  const woken = [
    news.next(isOver.signal),
    ...(until === null ? [] : [clock.sleep(until - clock.now(), isOver.signal)]),
  ].map((wait) => wait.then(() => null));
  try {
    return await Promise.race([...results, ...woken]);
  } finally {
    end();
    signal.removeEventListener("abort", end);
  }
}
