/**
 * Disables type checking, in one checkout only, for new tests that fail it because the unit is missing; see
 * gates/red/type-errors.ts.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestReport } from "../evidence/test-result.ts";
import { typeErrorsIn } from "../evidence/type-errors.ts";
import { wantsUnit } from "../gates/red/type-errors.ts";

export interface UntypedRequest {
  /** Absolute path of the checkout. */
  readonly path: string;
  /** Changed test files. */
  readonly tests: readonly string[];
  readonly report: TestReport;
}

const head = "// @ts-nocheck\n";

/** @returns the files whose lines moved down by one */
export async function withoutTypes({ path, tests, report }: UntypedRequest): Promise<readonly string[]> {
  const files = report.loadErrors.filter(
    ({ file, message }) => tests.includes(file) && wantsUnit(typeErrorsIn(message)),
  );
  const untyped = [...new Set(files.map(({ file }) => file))];
  for (const file of untyped) {
    const place = join(path, file);
    await writeFile(place, `${head}${await readFile(place, "utf8")}`);
  }
  return untyped;
}

/** Restores the line numbers of the project. */
export function withOriginalLines(report: TestReport, files: ReadonlySet<string>): TestReport {
  const moved = (frame: string) => {
    const [, file = "", line, column] = /^(.*):(\d+):(\d+)$/.exec(frame) ?? [];
    return files.has(file) ? `${file}:${Number(line) - 1}:${column}` : frame;
  };
  return {
    ...report,
    tests: report.tests.map((test) => ({ ...test, frames: test.frames.map(moved) })),
  };
}
