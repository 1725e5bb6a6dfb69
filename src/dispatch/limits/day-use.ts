/**
 * What agents used on a day, in all runs of this user: one file per day beside the state homes, with a line for each dispatch
 * (SEE-11). The day is that of this machine's time zone.
 */
import { appendFile, mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { sharedFolder } from "../../config/home.ts";
import { parseJson } from "../../lib/json.ts";
import type { RunEvent } from "../../log/run-event.ts";
import type { Used } from "../../log/used.ts";
import type { RunContext } from "../../run/context.ts";

const Line = z.object({
  run: z.string(),
  key: z.string(),
  tokens: z.number().nullable(),
  costUsd: z.number().nullable(),
  turns: z.number(),
  workedMs: z.number(),
});

type Machine = Pick<RunContext, "home" | "clock">;

export async function usedToday(machine: Machine): Promise<readonly Used[]> {
  const text = await readFile(fileOf(machine), "utf8").catch(() => ""); // nothing was used yet
  return text.split("\n").flatMap((line) => {
    const read = Line.safeParse(parseJson(line));
    return read.success ? [read.data] : [];
  });
}

/** Adds what the agent of one dispatch used. A short line is written whole, also beside other processes. */
export async function noteUse(
  context: Pick<RunContext, "run" | keyof Machine>,
  { facts, startedMs }: { readonly facts: readonly RunEvent[]; readonly startedMs: number },
): Promise<void> {
  const workedMs = Math.max(0, context.clock.now() - startedMs);
  const lines = facts.flatMap((fact) => {
    if (fact.type !== "agent.used") return [];
    const { key, tokens, costUsd, turns = 1 } = fact;
    return [`${JSON.stringify({ run: context.run, key, tokens, costUsd, turns, workedMs })}\n`];
  });
  const file = fileOf(context);
  await mkdir(dirname(file), { recursive: true });
  await appendFile(file, lines.join(""), { mode: 0o600 });
}

function fileOf({ home, clock }: Machine): string {
  const now = new Date(clock.now());
  const parts = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  const day = parts.map((part) => String(part).padStart(2, "0")).join("-");
  return join(sharedFolder(dirname(home.root), "used"), `${day}.jsonl`);
}
