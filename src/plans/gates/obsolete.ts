/** Obsolete gates: their question was decided elsewhere, so that an answer could change nothing. */
import { AppError } from "../../lib/errors.ts";
import { refuseDecided } from "../prompt/change-prompt.ts";
import { listPrompts, promptIds, readPrompt } from "../prompt/prompt.ts";
import { parseId } from "../prompt/prompt-id.ts";
import type { PlanFolder } from "../write.ts";
import { gateNames, removeGate } from "./gate-files.ts";

/** Throws if the gate's prompt is merged, was not chosen, or no longer exists. */
export async function refuseObsolete(plan: PlanFolder, name: string): Promise<void> {
  const [, idWord = "", kind = ""] = /^([0-9]+(?:_[A-Z])?)_([a-z_]+)$/u.exec(name) ?? [];
  const id = parseId(idWord);
  if (id === null) return;
  if (kind !== "variants") return refuseDecided(await readPrompt(plan, id));
  // One decision covers all variants; the first merge carries it out.
  const variants = (await listPrompts(plan)).filter((one) => one.id.number === id.number);
  const merged = variants.find(({ fields }) => fields.status === "merged");
  if (merged !== undefined) refuseDecided(merged);
}

/** Names of the gates that wait for an answer. */
export async function waitingGates(plan: PlanFolder): Promise<readonly string[]> {
  const waiting: string[] = [];
  for (const name of await gateNames(plan)) if (!(await isObsolete(plan, name))) waiting.push(name);
  return waiting;
}

/** Removes the files of obsolete gates, so that waiting calls notice. The caller holds the gates' lock. */
export async function closeObsoleteGates(plan: PlanFolder): Promise<void> {
  for (const name of await gateNames(plan)) if (await isObsolete(plan, name)) await removeGate(plan, name);
}

/** False for an unreadable prompt: commands that need it report it. */
async function isObsolete(plan: PlanFolder, name: string): Promise<boolean> {
  const [idWord = ""] = /^[0-9]+(?:_[A-Z])?(?=_)/u.exec(name) ?? [];
  const id = parseId(idWord);
  if (id !== null && !(await promptIds(plan)).some(({ number }) => number === id.number)) return true;
  try {
    await refuseObsolete(plan, name);
    return false;
  } catch (error) {
    return error instanceof AppError && (error.code === "already_merged" || error.code === "variant_decided");
  }
}
