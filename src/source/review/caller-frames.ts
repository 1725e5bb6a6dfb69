/** Where a source reads the frames of its callers, which know what they expect (verification 29). */
import { firstChanged, type ChangedFile, type FoundPlace } from "./changed-file.ts";

const reads: Readonly<Partial<Record<ChangedFile["language"], RegExp>>> = {
  script: /\bnew\s+Error\s*\([^()]*\)\s*\.\s*stack\b|\bprepareStackTrace\b|\bgetCallSites?\b/gu,
  python: /\b_getframe\b|\binspect\s*\.\s*(?:stack|currentframe|trace)\b|\bcurrentframe\b|\bf_back\b/gu,
};

/** The first in changed lines. */
export function callerFrames(file: ChangedFile): readonly FoundPlace[] {
  const pattern = reads[file.language];
  return pattern === undefined ? [] : firstChanged(file, pattern);
}
