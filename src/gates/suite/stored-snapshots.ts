/** Finds tests without a stored snapshot: nothing would be compared, unless GREEN takes it. */
import { titleOfTest } from "../../evidence/test-ids.ts";
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

/** A test whose snapshot is not stored. */
export interface UnstoredSnapshot extends Pick<SourceMark, "path" | "line"> {
  /** The title of the test. */
  readonly what: string;
  /** Where it would be: in the snapshot file, in the test, or in a file that the test names. */
  readonly where: "beside" | "inline" | "file";
}

/** `isTaken`: the settings let GREEN take it, and the runner can. */
export type NewSnapshot = UnstoredSnapshot & { readonly isTaken: boolean };

/**
 * @param stored text of the snapshot file
 * @param has whether the commit holds a file
 */
export function unstoredSnapshots(
  { path, text }: TextFile,
  stored: string,
  has: (path: string) => boolean,
): readonly UnstoredSnapshot[] {
  if (!/\.[cm]?[jt]sx?$/.test(path)) return [];
  return [...testTexts(text)].flatMap(([title, own]) => {
    const { code } = readScript(own);
    const files = [...own.matchAll(asFile)].map(([, , file = ""]) => file);
    const where = inline.test(code)
      ? "inline"
      : files.some((file) => !file.startsWith("/") && !has(joinPath(path, file)))
        ? "file"
        : taken.test(code) && !isStored(title, stored)
          ? "beside"
          : null;
    const line = text.slice(0, Math.max(0, text.indexOf(own))).split("\n").length;
    return where === null ? [] : [{ path, line, what: title, where }];
  });
}

/** Whether a snapshot is stored as `title 1`, `title: hint 1`, or by the constant part of a parametrised title. */
function isStored(title: string, stored: string): boolean {
  const [start = ""] = title.split(/[%$]/);
  return start === title
    ? stored.includes(`${title} 1\``) || stored.includes(`${title}: `)
    : start.trim() === "" || stored.includes(start);
}

/** Whether a test id belongs to a title, or to a row of a parametrised one. */
export function hasTitle(id: string, title: string): boolean {
  const [start = ""] = title.split(/[%$]/);
  const own = titleOfTest(id);
  return start === title ? own === title : own.startsWith(start);
}
