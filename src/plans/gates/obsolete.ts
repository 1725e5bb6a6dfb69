/** A gate whose question is decided elsewhere: no answer to it could change anything, so nobody is asked any more. */
import { AppError } from "../../lib/errors.ts";
import { refuseDecided } from "../prompt/change-prompt.ts";
import { listPrompts, promptIds, readPrompt } from "../prompt/prompt.ts";
import { parseId } from "../prompt/prompt-id.ts";
import type { PlanFolder } from "../write.ts";
import { gateNames, removeGate } from "./gate-files.ts";

/** Throws where the gate's prompt is merged, was not taken, or is gone. */
export async function refuseObsolete(plan: PlanFolder, name: string): Promise<void> {
  const [, of = "", kind = ""] = /^([0-9]+(?:_[A-Z])?)_([a-z_]+)$/u.exec(name) ?? [];
  const id = parseId(of);
  if (id === null) return;
  if (kind !== "variants") return refuseDecided(await readPrompt(plan, id));
  // One decision for all of them: with the first merge it is carried out.
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

/** Takes away the files of gates that are moot, so that whoever waits there looks again. Only within the lock of the gates. */
export async function closeObsoleteGates(plan: PlanFolder): Promise<void> {
  for (const name of await gateNames(plan)) if (await isObsolete(plan, name)) await removeGate(plan, name);
}

/** A prompt that cannot be read says nothing: whoever needs it tells that. */
async function isObsolete(plan: PlanFolder, name: string): Promise<boolean> {
  const [of = ""] = /^[0-9]+(?:_[A-Z])?(?=_)/u.exec(name) ?? [];
  const id = parseId(of);
  if (id !== null && !(await promptIds(plan)).some(({ number }) => number === id.number)) return true;
  try {
    await refuseObsolete(plan, name);
    return false;
  } catch (error) {
    return error instanceof AppError && (error.code === "already_merged" || error.code === "variant_decided");
  }
}
