/**
 * The text of a protocol note as the Main Thread prints it (RIPER and DPTR, ADD): `{task}` is the task of the cycle,
 * and test results name their record (TDP-38).
 */
import type { Note } from "../../kernel/turn.ts";
import type { RunContext } from "../../run/context.ts";
import type { NoteProof } from "../../run/session.ts";
import { plannedCycles } from "./cycle.ts";

export async function noteText(
  context: Pick<RunContext, "session" | "payloads">,
  { frame, text }: Note,
  proof: NoteProof | null,
): Promise<string> {
  if (text.startsWith("Test results: ") && proof !== null)
    return `${text} (${[proof.id, ...proof.failing].join("; ")})`;
  if (!text.includes("{task}")) return text;
  const number = Number(/C([1-9]\d*)(?:~\d+)?$/u.exec(frame)?.[1] ?? 0);
  const { task = "" } = (await plannedCycles(context))[number - 1] ?? {};
  return text.replace("{task}", () => task).trim();
}
