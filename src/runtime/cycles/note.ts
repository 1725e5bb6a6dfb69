/** A note of the protocol as the Main Thread says it: `{task}` is the task of the cycle (RIPER and DPTR, RED_PHASE ADD). */
import type { Note } from "../../kernel/turn.ts";
import type { RunContext } from "../context.ts";
import { plannedCycles } from "./cycle.ts";

export async function noteInWords(
  context: Pick<RunContext, "session" | "payloads">,
  { frame, text }: Note,
): Promise<string> {
  if (!text.includes("{task}")) return text;
  const number = Number(/C([1-9]\d*)(?:~\d+)?$/u.exec(frame)?.[1] ?? 0);
  const { task = "" } = (await plannedCycles(context))[number - 1] ?? {};
  return text.replace("{task}", () => task).trim();
}
