/** The files of a gate in `user_feedback/`: the answer of a person, and Mettle's own state beside it. */
import { lstat, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { parseJson } from "../../lib/json.ts";
import { toYaml } from "../front-matter.ts";
import { readPlanFile } from "../read-file.ts";
import { writePlanFile, type PlanFolder } from "../write.ts";
import type { PlanGate } from "./gate.ts";

const folder = "user_feedback";

export const GateSubject = z.object({
  key: z.string(),
  iteration: z.number().nullable(),
  tree: z.string().nullable(),
});

/** The state of an open gate, in a file of its own because a person may edit every line of the gate's file. */
const Opening = z.object({
  shown: GateSubject,
  opened_at: z.string(),
  /** The gate's file as Mettle wrote it. */
  template: z.string(),
});
export type Opening = z.infer<typeof Opening>;

export function gatesFolder({ dir }: PlanFolder): string {
  return join(dir, folder);
}

export function gateFile({ dir }: PlanFolder, name: string): string {
  return join(dir, folder, `${name}.yaml`);
}

export function logsFile({ dir }: PlanFolder, name: string): string {
  return join(dir, folder, `${name}_logs.md`);
}

/** Null if there is no regular file; a link counts as none. */
export async function readText(file: string): Promise<string | null> {
  const found = await lstat(file).catch(() => null);
  if (found === null || !found.isFile()) return null;
  if (found.size > maxBytes) return tooLarge;
  return readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
}

const maxBytes = 64 * 1024 * 1024;

/** Returned by `readText` for a file over the limit; no text of a person equals it. */
export const tooLarge = "\0";
export const tooLargeText = `larger than ${maxBytes / 1024 / 1024} MiB`;

/** All answers of people so far. */
export async function readUserInput({ dir }: PlanFolder): Promise<string> {
  return (await readPlanFile(join(dir, "user_input.md"), maxBytes)) ?? "";
}

/** The gate's file before a person has answered. */
export function template({ comments, blank }: Pick<PlanGate, "comments" | "blank">): string {
  const head = comments.flatMap((line) => line.split(/\r?\n/u)).map((line) => `# ${line}`.trimEnd());
  return `${head.join("\n")}\n\n${toYaml({ done: false, ...blank, thoughts: "" })}`;
}

/** The command that answers the gate: the last one in the head of its file, because texts of agents are above it. */
export function commandIn(name: string, text: string): string | null {
  const head = text.split("\n").filter((line) => line.startsWith("#"));
  const commands = head.map((line) => line.replace(/^#\s*/u, "").trim());
  return commands.findLast((line) => line.startsWith(`mettle answer ${name} --set `)) ?? null;
}

export function logsTemplate(head: readonly string[]): string {
  const lines = head.map((line) => line.replaceAll("-->", "-- >"));
  return `<!--\n${lines.join("\n")}\n-->\n`;
}

/** The logs that a person pasted below the first comment of the file. */
export function logsIn(text: string): string {
  const end = text.startsWith("<!--") ? text.indexOf("-->") : -1;
  const below = end === -1 ? text : text.slice(end + "-->".length);
  return below.trim() === "" ? "" : below.replace(/^\r?\n/u, "");
}

export async function readOpening(plan: PlanFolder, name: string): Promise<Opening | null> {
  const text = await readText(join(plan.dir, folder, `.${name}.json`));
  const parsed = text === null ? null : Opening.safeParse(parseJson(text));
  return parsed?.success === true ? parsed.data : null;
}

/** Writes the state first: a gate's file without it would count as a person's own file. */
export async function writeOpening(plan: PlanFolder, name: string, opening: Opening): Promise<void> {
  await writePlanFile(plan.dir, `${folder}/.${name}.json`, `${JSON.stringify(opening, null, 2)}\n`);
  await writePlanFile(plan.dir, `${folder}/${name}.yaml`, opening.template);
}

export async function writeLogs(plan: PlanFolder, name: string, text: string): Promise<void> {
  await writePlanFile(plan.dir, `${folder}/${name}_logs.md`, text);
}

/** Writes why the answer was refused beside the gate's file, which stays unchanged. Null removes an old reason. */
export async function writeError(plan: PlanFolder, name: string, reason: string | null): Promise<void> {
  const file = `${name}.yaml.error`;
  if (reason === null) await rm(join(plan.dir, folder, file), { force: true });
  else await writePlanFile(plan.dir, `${folder}/${file}`, `${reason}\n`);
}

export async function readError(plan: PlanFolder, name: string): Promise<string | null> {
  const text = await readText(join(plan.dir, folder, `${name}.yaml.error`));
  return text === null || text === tooLarge || text.trim() === "" ? null : text.trim();
}

/** Removes the person's file just before the state, so that an interrupted removal can be detected. */
export async function removeGate(plan: PlanFolder, name: string): Promise<void> {
  for (const file of [`${name}.yaml.error`, `${name}_logs.md`, `${name}.yaml`, `.${name}.json`])
    await rm(join(plan.dir, folder, file), { force: true });
}

/** Names of the gates that have both a file and a state. */
export async function gateNames({ dir }: PlanFolder): Promise<readonly string[]> {
  const names = await readdir(join(dir, folder)).catch((): string[] => []); // no folder, no gates
  return names
    .filter((name) => name.endsWith(".yaml") && !name.startsWith("."))
    .map((name) => name.slice(0, -".yaml".length))
    .filter((name) => names.includes(`.${name}.json`))
    .toSorted();
}

/**
 * Renames a gate's file that was saved after its answer was taken, for instance by an editor that was still open. Otherwise it would
 * answer the next question, about work that the person has not seen.
 * @returns the new path; null if there was no such file
 */
export async function setLateAnswerAside(plan: PlanFolder, name: string): Promise<string | null> {
  const file = gateFile(plan, name);
  if ((await readText(file)) === null || (await readOpening(plan, name)) !== null) return null;
  const late = `${file}.late`;
  await rename(file, late);
  return late;
}
