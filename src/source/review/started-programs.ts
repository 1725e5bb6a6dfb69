/** Where a source starts another program, which could compute its answers (verification 34). */
import { firstChanged, type ChangedFile, type FoundPlace } from "./changed-file.ts";

const mentions: Readonly<Record<ChangedFile["language"], RegExp>> = {
  script:
    /(?<![\w$.])(?:(?:child_?[pP]rocess|cp)\s*\.\s*)?(?:(?:exec|execFile|spawn)(?:Sync)?|fork|execa(?:Sync|Node)?)(?![\w$])/gu,
  python:
    /\bsubprocess\b(?:\s*\.\s*\w+)?|\bos\s*\.\s*(?:system|popen|posix_spawnp?|(?:spawn|exec)[lv]p?e?)\b|\bcreate_subprocess_(?:exec|shell)\b/gu,
  go: /\bexec\s*\.\s*Command(?:Context)?\b/gu,
  rust: /\bCommand\s*::\s*new\b/gu,
};

const starters = /^(?:(?:node:)?child_process|execa|cross-spawn|tinyexec)$/u;

/** The first in changed lines, a call before an import. */
export function startedPrograms(file: ChangedFile): readonly FoundPlace[] {
  const { language, script } = file;
  const isKnown = language !== "script" || script.strings.some(({ value }) => starters.test(value));
  return isKnown ? firstChanged(file, mentions[language], /^\s*(?:import|from)\b/u) : [];
}
