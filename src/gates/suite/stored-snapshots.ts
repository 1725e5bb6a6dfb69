/** Finds tests without a stored snapshot: RED would compare nothing, and GREEN writes none. */
import { joinPath } from "../../source/module-paths.ts";
import { readScript } from "../../source/script.ts";
import { testTexts, type SourceMark, type TextFile } from "../../source/test-marks-javascript.ts";

const taken = /\.\s*(?:toMatchSnapshot|toThrowErrorMatchingSnapshot)\s*\(/;
const inline = /\.\s*(toMatchInlineSnapshot|toThrowErrorMatchingInlineSnapshot)\s*\(\s*\)/;

/** Where jest and vitest store the snapshots of a test file. */
export function snapshotFile(path: string): string {
  const at = path.lastIndexOf("/") + 1;
  return `${path.slice(0, at)}__snapshots__/${path.slice(at)}.snap`;
}

const asFile = /\.\s*toMatchFileSnapshot\s*\(\s*(["'`])([^"'`$\n]+)\1/g;

/**
 * @param stored text of the snapshot file
 * @param has whether the commit holds a file
 */
export function unstoredSnapshots(
  { path, text }: TextFile,
  stored: string,
  has: (path: string) => boolean,
): readonly SourceMark[] {
  if (!/\.[cm]?[jt]sx?$/.test(path)) return [];
  return [...testTexts(text)].flatMap(([title, own]) => {
    const { code } = readScript(own);
    const files = [...own.matchAll(asFile)].map(([, , file = ""]) => file);
    const isMissing =
      inline.test(code) ||
      (taken.test(code) && !isStored(title, stored)) ||
      files.some((file) => !file.startsWith("/") && !has(joinPath(path, file)));
    const line = text.slice(0, Math.max(0, text.indexOf(own))).split("\n").length;
    return isMissing ? [{ kind: "unstored" as const, path, line, what: title }] : [];
  });
}

/** Whether a snapshot is stored as `title 1`, `title: hint 1`, or by the constant part of a parametrised title. */
function isStored(title: string, stored: string): boolean {
  const [start = ""] = title.split(/[%$]/);
  return start === title
    ? stored.includes(`${title} 1\``) || stored.includes(`${title}: `)
    : start.trim() === "" || stored.includes(start);
}
