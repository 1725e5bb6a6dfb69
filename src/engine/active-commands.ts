/** The commands that the loop executes now, and the wait for their next result. */
import type { Command } from "../kernel/command.ts";
import type { FamilyRun } from "../family/family.ts";
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
  /** When the first usage limit ends; null: none. */
  readonly until: number | null;
}

/** The next result, or null on abort, at the end of a limit or after one second (then the journal is read again). */
export async function nextResult(
  { clock }: Pick<FamilyRun, "clock">,
  { active, signal, until }: NextResult,
): Promise<CommandResult | null> {
  const results = [...active.values()].map((entry) => entry.result);
  let wake: () => void = () => undefined;
  const woken = new Promise<null>((resolve) => {
    wake = () => resolve(null);
  });
  const isOver = new AbortController();
  if (until !== null) void clock.sleep(until - clock.now(), isOver.signal).then(() => wake());
  const timer = setTimeout(wake, 1000);
  signal.addEventListener("abort", wake, { once: true });
  try {
    return await Promise.race([...results, woken]);
  } finally {
    clearTimeout(timer);
    isOver.abort();
    signal.removeEventListener("abort", wake);
  }
}
