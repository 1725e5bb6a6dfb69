/** `findings/<specialist>.yaml`: the notes of a specialist and the approaches it proposes. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { AppError } from "../../lib/errors.ts";
import { readYaml, toYaml } from "../front-matter.ts";
import { compareIds, idText, type PromptId } from "../prompt/prompt-id.ts";
import { readPlanFile } from "../read-file.ts";
import type { PlanFolder, WriteFile } from "../write.ts";

const Approach = z.looseObject({
  number: z.int().min(1),
  variant: z
    .string()
    .regex(/^[A-Z]$/u, "one letter from A to Z")
    .nullable(),
  description: z.string(),
  relevant_files: z.array(z.string()),
  required_clarifying_questions: z.array(z.object({ question: z.string() })),
  user_addressed_questions: z.array(z.object({ question: z.string(), answer: z.string() })).default([]),
  /** The changes that a person requires. */
  pending_refinement: z.string().nullable().default(null),
  approach_detail: z.string(),
});
export type Approach = z.infer<typeof Approach>;

const Findings = z.looseObject({
  specialist_name: z.string(),
  notes: z.string().default(""),
  approaches: z.array(Approach).default([]),
});
export type Findings = z.infer<typeof Findings>;

/** Notes and approaches may each quote the whole output of a compiler. */
const maxBytes = 32 * 1024 * 1024;

/** Null if the specialist has written nothing yet. */
export async function readFindings({ dir }: PlanFolder, specialist: string): Promise<Findings | null> {
  const file = join(dir, "findings", `${readSpecialist(specialist)}.yaml`);
  const text = await readPlanFile(file, maxBytes);
  if (text === null) return null;
  const findings = readYaml(file, text, Findings, maxBytes);
  if (findings.specialist_name === specialist) return findings;
  // A case-insensitive file system gives `Frontend` and `frontend` the same file.
  throw new AppError("invalid_name", `${file} belongs to ${findings.specialist_name}, not to ${specialist}`, {
    hint: `use the name ${findings.specialist_name}, or a different one`,
  });
}

/** The findings of all specialists, sorted by name. */
export async function listFindings(plan: PlanFolder): Promise<readonly Findings[]> {
  const names = await readdir(join(plan.dir, "findings")).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const specialists = names.flatMap((name) =>
    name.endsWith(".yaml") && !name.startsWith(".") ? [name.slice(0, -".yaml".length)] : [],
  );
  const all = await Promise.all(specialists.toSorted().map((name) => readFindings(plan, name)));
  return all.flatMap((findings) => findings ?? []);
}

/** The caller holds the plan's lock. */
export async function saveFindings(write: WriteFile, findings: Findings): Promise<void> {
  const approaches = findings.approaches.toSorted(compareIds);
  await write(`findings/${findings.specialist_name}.yaml`, toYaml({ ...findings, approaches }, maxBytes));
}

/** Finds one approach. A number with variants needs its letter. */
export function findApproach({ specialist_name, approaches }: Findings, id: PromptId): Approach {
  const found = approaches.find((one) => compareIds(one, id) === 0);
  if (found !== undefined) return found;
  const letters = approaches.filter(({ number }) => number === id.number).map(({ variant }) => variant);
  if (id.variant === null && letters.length > 0)
    throw new AppError("invalid_variant", `approach ${id.number} has the variants ${letters.join(", ")}`, {
      hint: `name one of them: ${id.number} ${letters[0] ?? ""}`,
      detail: { variants: letters },
    });
  throw new AppError("not_found", `${specialist_name} has no approach ${idText(id)}`, {
    hint: approaches.length === 0 ? "it has none" : `it has ${approaches.map(idText).join(", ")}`,
  });
}

/** Checks the name of a specialist, such as `frontend` or `backend_1`. */
export function readSpecialist(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/u.test(name)) return name;
  throw new AppError("invalid_name", `${JSON.stringify(name)} is not a valid name of an agent`, {
    hint: "use letters, digits, hyphens and underscores: frontend, backend_1",
  });
}
