/** Tests whose snapshot is nowhere: nothing is compared in RED, and GREEN writes none. */
import { readScript } from "./script.ts";
import { testTexts, type SourceMark, type TextFile } from "./test-source.ts";

const taken = /\.\s*(?:toMatchSnapshot|toThrowErrorMatchingSnapshot)\s*\(/;
const inline = /\.\s*(toMatchInlineSnapshot|toThrowErrorMatchingInlineSnapshot)\s*\(\s*\)/;

/** Where jest and vitest keep the snapshots of a test file. */
export function snapshotFile(path: string): string {
  const at = path.lastIndexOf("/") + 1;
  return `${path.slice(0, at)}__snapshots__/${path.slice(at)}.snap`;
}

/** @param stored text of the snapshot file */
export function unstoredSnapshots({ path, text }: TextFile, stored: string): readonly SourceMark[] {
  if (!/\.[cm]?[jt]sx?$/.test(path)) return [];
  return [...testTexts(text)].flatMap(([title, own]) => {
    const { code } = readScript(own);
    const isMissing = inline.test(code) || (taken.test(code) && !stored.includes(`${title} 1\``));
    const line = text.slice(0, Math.max(0, text.indexOf(own))).split("\n").length;
    return isMissing ? [{ kind: "unstored" as const, path, line, what: title }] : [];
  });
}
