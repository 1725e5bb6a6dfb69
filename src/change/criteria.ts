/** Reads criteria from a file: a spec of orchestrate, or a list whose lines begin with an id. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { parseSpec } from "../gates/documents/spec-document.ts";
import { AppError } from "../lib/errors.ts";

/** @returns null without a file: then no criterion is checked */
export async function readCriteria(cwd: string, file: string | null): Promise<readonly string[] | null> {
  if (file === null) return null;
  const text = await readFile(resolve(cwd, file), "utf8").catch((cause: unknown) => {
    throw invalid(`${file} cannot be read`, cause);
  });
  const found = parseSpec(text).criteria.map(({ id }) => id);
  const ids = found.length > 0 ? found : listedIds(text);
  if (ids.length === 0) throw invalid(`${file} contains no criterion`);
  return ids;
}

/** `- AC-1: it adds`, `FR2 it is empty`, or the id alone. */
function listedIds(text: string): readonly string[] {
  const found = [
    ...text.matchAll(
      /^\s*(?:[-*+]\s+|\d+[.)]\s+)?(?:\[[ xX]\]\s+)?[*_`]*([A-Z][A-Z0-9]*-?\d+)(?![\p{L}\p{N}_])/gmu,
    ),
  ];
  return [...new Set(found.flatMap(([, id]) => id ?? []))];
}

function invalid(message: string, cause?: unknown): AppError {
  return new AppError("criteria_invalid", message, {
    hint: "a file with one criterion in each line, e.g. `- FR1: adds the prices`, or a spec of orchestrate",
    cause,
  });
}
