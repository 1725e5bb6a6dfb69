/**
 * Empties tests that do not compile because the planned unit is missing, in the check's checkout only; see
 * gates/red/uncompiled.ts.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CompileError } from "../evidence/test-result.ts";
import type { Stub } from "../source/stubs/script.ts";
import { emptyTests } from "../gates/red/uncompiled.ts";
import type { Checkout } from "./checkout/checkout.ts";
import type { Package } from "./project/packages.ts";
import { projectIn, type Project } from "./project/project.ts";
import { owns } from "./setting.ts";
import { ownName } from "./stubs-of-languages.ts";
import { readPlainFile } from "../lib/plain-file.ts";

export interface EmptyRequest {
  readonly checkout: Checkout;
  readonly head: Project;
  readonly packages: readonly Package[];
  /** Changed test files. */
  readonly tests: readonly string[];
  readonly planned: readonly string[];
  readonly stubs: readonly Stub[];
  readonly errors: readonly CompileError[];
  readonly mark: string;
}

export interface EmptyTestsResult {
  /** At least one test was emptied, so another run is needed. */
  readonly isChanged: boolean;
  readonly mistake: CompileError | null;
}

export async function emptyUncompiled(request: EmptyRequest): Promise<EmptyTestsResult> {
  const { checkout, head, packages, errors, planned, stubs, mark } = request;
  let isChanged = false;
  let mistake: CompileError | null = null;
  for (const { prefix, inner, found } of packages) {
    const own = errors.filter(({ file }) => owns({ prefix, inner }, file));
    if (own.length === 0) continue;
    const name = await ownName(found.runner, projectIn(head, prefix, inner));
    const inside = (path: string) => path.slice(prefix.length);
    const texts = request.tests
      .filter((path) => owns({ prefix, inner }, path))
      .map(async (path) => ({
        path: inside(path),
        text: (await readPlainFile(join(checkout.path, path))) ?? "",
      })); // removed by the commit
    const result = emptyTests({
      errors: own.map((error) => ({ ...error, file: inside(error.file) })),
      tests: await Promise.all(texts),
      stubbed: new Set(stubs.flatMap(({ names }) => names)),
      planned: planned.filter((path) => owns({ prefix, inner }, path)).map(inside),
      own: name,
      mark,
    });
    if (result.type === "own") {
      mistake ??= { ...result.error, file: `${prefix}${result.error.file}` };
      continue;
    }
    for (const { path, text } of result.files) await writeFile(join(checkout.path, prefix, path), text);
    isChanged ||= result.files.length > 0;
  }
  return { isChanged, mistake };
}
