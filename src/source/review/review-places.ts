/**
 * Places of changed source at which a person should look (verification 16, 29, 32, 34): each is a finding, and none decides
 * a verdict, because honest code has them too.
 */
import { changedLines } from "../changed-lines.ts";
import { languageOf, readCode } from "../code-text.ts";
import { readScript } from "../script.ts";
import { callerFrames } from "./caller-frames.ts";
import type { ChangedFile, FoundPlace } from "./changed-file.ts";
import { ignoreMarks } from "./ignore-marks.ts";
import { startedPrograms } from "./started-programs.ts";
import { swallowedErrors } from "./swallowed-errors.ts";

/** The codes of their findings. */
export type ReviewCode = "ignore_marks" | "starts_program" | "swallowed_errors" | "reads_caller";

export interface ReviewPlace {
  readonly code: ReviewCode;
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** The code in question: `c8 ignore`, `execFileSync`, `catch (error)`. */
  readonly text: string;
}

const readers: Readonly<Record<ReviewCode, (file: ChangedFile) => readonly FoundPlace[]>> = {
  ignore_marks: ignoreMarks,
  starts_program: startedPrograms,
  swallowed_errors: swallowedErrors,
  reads_caller: callerFrames,
};

const codes = Object.keys(readers) as readonly ReviewCode[];

/** @param given `before`: the text at the base, empty for a new file */
export function placesToReview({
  path,
  before,
  after,
}: {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}): readonly ReviewPlace[] {
  const isScript = /\.(?:[cm]?[jt]sx?|vue|svelte)$/.test(path);
  const language = isScript ? "script" : languageOf(path.replace(/\.pyi$/, ".py"));
  if (language === null) return [];
  const script = language === "script" ? readScript(after) : readCode(after, language);
  const file: ChangedFile = { language, script, changed: changedLines(before, after) };
  return codes.flatMap((code) => readers[code](file).map((found) => ({ code, path, ...found })));
}
