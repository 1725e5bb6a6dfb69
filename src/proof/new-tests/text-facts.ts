/** What the text of the changed test files says: marks that were not on the base, notes of their authors, tables, snapshots. */
import { mustNotThrowNotes, passNotes } from "../../gates/red/author-notes.ts";
import type { RedFacts, TestTable } from "../../gates/red/red-facts.ts";
import { snapshotFile, unstoredSnapshots, type NewSnapshot } from "../../gates/suite/stored-snapshots.ts";
import { scriptTables } from "../../source/flip/script-tables.ts";
import { kindOf, type PathRules } from "../../source/paths.ts";
import { isScript, loadParser, type Parse } from "../../source/syntax.ts";
import { freshMarks } from "../../source/test-marks-javascript.ts";
import { countTestsIn, isTestText, marksOfTest } from "../../source/test-marks.ts";
import type { ProofSetting } from "../proof-package.ts";
import type { Project } from "../project/project.ts";
import { takesSnapshotsOf } from "../snapshots/take-snapshots.ts";

export interface TestTexts {
  readonly setting: ProofSetting;
  /** Paths changed between base and head. */
  readonly changed: readonly string[];
  readonly rules: PathRules;
  readonly base: Project;
  readonly head: Project;
  /** Source files of the plan. */
  readonly planned: readonly string[];
}

type TextFacts = Pick<RedFacts, "marks" | "testCalls" | "passNotes" | "mustNotThrow" | "tables" | "unstored">;

export async function textFacts(texts: TestTexts): Promise<TextFacts> {
  const { changed, rules, base, head, planned } = texts;
  const scripts = changed.filter((path) => kindOf(path, rules) === "test" && isTestText(path));
  const has = (path: string) => head.files.has(path) || planned.includes(path);
  const before = await base.texts(scripts);
  const now = [...(await head.texts(scripts))];
  return {
    marks: now.flatMap(([path, text]) => {
      const old = before.get(path);
      return freshMarks(
        marksOfTest({ path, text }, rules, has),
        old === undefined ? [] : marksOfTest({ path, text: old }, rules, has),
      );
    }),
    unstored: await newSnapshots(texts, { before, now }),
    tables: tables(await loadParser(), now),
    passNotes: now.flatMap(([path, text]) => passNotes({ path, text })),
    mustNotThrow: now.flatMap(([path, text]) => mustNotThrowNotes({ path, text })),
    testCalls: now.reduce((count, [path, text]) => count + countTestsIn({ path, text }), 0),
  };
}

interface Versions {
  readonly before: ReadonlyMap<string, string>;
  readonly now: readonly (readonly [path: string, text: string])[];
}

/** By title: an existing test is compared with its old text. */
async function newSnapshots(
  { setting, head }: TestTexts,
  { before, now }: Versions,
): Promise<readonly NewSnapshot[]> {
  const stored = await head.texts(now.map(([path]) => snapshotFile(path)));
  const lacking = (path: string, text: string | undefined) =>
    text === undefined
      ? []
      : unstoredSnapshots({ path, text }, stored.get(snapshotFile(path)) ?? "", (one) => head.files.has(one));
  return now.flatMap(([path, text]) =>
    freshMarks(lacking(path, text), lacking(path, before.get(path))).map((one) => ({
      ...one,
      isTaken: one.where === "beside" && takesSnapshotsOf(setting, path),
    })),
  );
}

function tables(parse: Parse, texts: Versions["now"]): readonly TestTable[] {
  return texts.flatMap(([path, text]) => {
    const program = isScript(path) ? parse(path, text) : null;
    return program === null ? [] : scriptTables(program).map((titles) => ({ path, titles }));
  });
}
