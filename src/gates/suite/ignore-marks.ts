/** Comments in source that keep coverage, types or lint from looking (verification 16). */
import { changedLines } from "../../source/changed-lines.ts";

export interface IgnoreMark {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** As written: `c8 ignore`. */
  readonly mark: string;
}

const script =
  /(?:\/\/|\/\*|<!--)[^\n]*?((?:c8|v8|istanbul) ignore|node:coverage (?:disable|ignore)|@ts-(?:ignore|nocheck|expect-error)|(?:eslint|oxlint|tslint|stylelint)[-:]disable\b|biome-ignore|deno-lint-ignore|Stryker disable)/i;
const python =
  /#[^\n]*?(pragma: no (?:cover|branch|mutate)|type:\s*ignore|(?:pyright|mypy):\s*ignore|noqa\b|pylint:\s*disable|nosec\b)/i;
const go = /\/\/\s*(nolint\b|#nosec)/i;
const rust = /(#!?\[(?:allow|expect)\([^)]*\)\])/;

/**
 * The first mark of each changed line.
 * @param before text at the base; empty for a new file
 */
export function addedIgnoreMarks(path: string, before: string, after: string): readonly IgnoreMark[] {
  const pattern = patternOf(path);
  if (pattern === null) return [];
  const changed = changedLines(before, after);
  return after.split("\n").flatMap((text, index) => {
    const mark = changed.has(index + 1) ? pattern.exec(text)?.[1] : undefined;
    return mark === undefined ? [] : [{ path, line: index + 1, mark }];
  });
}

function patternOf(path: string): RegExp | null {
  if (/\.pyi?$/.test(path)) return python;
  if (path.endsWith(".go")) return go;
  if (path.endsWith(".rs")) return rust;
  return /\.(?:[cm]?[jt]sx?|vue|svelte)$/.test(path) ? script : null;
}
