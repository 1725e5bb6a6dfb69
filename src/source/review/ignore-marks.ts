/** Comments in source that keep coverage, types or lint from looking (verification 16). */
import type { ChangedFile, FoundPlace } from "./changed-file.ts";

const patterns: Readonly<Record<ChangedFile["language"], RegExp>> = {
  script:
    /(?:\/\/|\/\*|<!--)[^\n]*?((?:c8|v8|istanbul) ignore|node:coverage (?:disable|ignore)|@ts-(?:ignore|nocheck|expect-error)|(?:eslint|oxlint|tslint|stylelint)[-:]disable\b|biome-ignore|deno-lint-ignore|Stryker disable)/i,
  python:
    /#[^\n]*?(pragma: no (?:cover|branch|mutate)|type:\s*ignore|(?:pyright|mypy):\s*ignore|noqa\b|pylint:\s*disable|nosec\b)/i,
  go: /\/\/\s*(nolint\b|#nosec)/i,
  rust: /(#!?\[(?:allow|expect)\([^)]*\)\])/,
};

/** The first mark of each changed line. */
export function ignoreMarks({ language, script, changed }: ChangedFile): readonly FoundPlace[] {
  return script.text.split("\n").flatMap((line, index) => {
    const mark = changed.has(index + 1) ? patterns[language].exec(line)?.[1] : undefined;
    return mark === undefined ? [] : [{ line: index + 1, text: mark }];
  });
}
