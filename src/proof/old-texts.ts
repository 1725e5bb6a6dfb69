/** Runs the base's test files with their old text on the judged source, where a later commit changed them. */
import type { OldText } from "../gates/red/red-facts.ts";
import { isInSource, isOfTests, kindOf } from "../source/paths.ts";
import { countTestsIn, isTestText } from "../source/test-marks.ts";
import { withoutImports, type ChangedTestFile } from "../gates/suite/weakened-tests.ts";
import type { TreeFile } from "../git/objects/tree.ts";
import type { RecordDraft } from "./draft.ts";
import type { Project } from "./project/project.ts";
import { listTests } from "./execute/list-tests.ts";
import type { ProofSetting } from "./proof-package.ts";
import { inCheckout, runHashes, runTests } from "./setting.ts";

/** The changed paths that are readable test files on the base. */
export async function changedTestFiles(
  { base, rules }: Pick<ProofSetting, "base" | "rules">,
  head: Project,
  changed: readonly string[],
): Promise<readonly ChangedTestFile[]> {
  const paths = changed.filter((path) => kindOf(path, rules) === "test" && isTestText(path));
  const [before, after] = [await base.texts(paths), await head.texts(paths)];
  return [...before].map(([path, text]) => ({ path, before: text, after: after.get(path) ?? null }));
}

/** Old path -> new path of removed test files whose text stands in exactly one new file; imports may differ. */
export async function movedTestFiles(
  files: readonly ChangedTestFile[],
  {
    base,
    head,
    changed,
  }: { readonly base: Project; readonly head: Project; readonly changed: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const gone = files.filter(({ after }) => after === null);
  if (gone.length === 0) return new Map();
  const fresh = [...(await head.texts(changed.filter((path) => !base.files.has(path) && isTestText(path))))];
  return new Map(
    gone.flatMap(({ path, before }) => {
      const same = fresh.filter(([, text]) => withoutImports(text) === withoutImports(before));
      const [only] = same;
      return only !== undefined && same.length === 1 ? [[path, only[0]] as const] : [];
    }),
  );
}

/** Whether a changed path of tests or fixtures contains no test itself: a shared helper or test data. */
export async function changesShared(
  { rules }: Pick<ProofSetting, "rules">,
  head: Project,
  changed: readonly string[],
): Promise<boolean> {
  const paths = changed.filter((path) => isOfTests(path, rules));
  const texts = await head.texts(paths.filter(isTestText));
  return paths.some((path) => countTestsIn({ path, text: texts.get(path) ?? "" }) === 0);
}

export interface OldTextRequest {
  readonly setting: ProofSetting;
  /** The judged tree, with its own tests. */
  readonly tree: readonly TreeFile[];
  readonly of: Project;
  /** Paths changed between the base and the tests' commit. */
  readonly changed: readonly string[];
  readonly purpose: string;
  readonly accepted?: readonly string[] | undefined;
  readonly made: RecordDraft[];
}

/** Null where no test file of the base changed. */
export async function runOldTexts(request: OldTextRequest): Promise<OldText | null> {
  const { setting, tree, of, changed, purpose, accepted = [], made } = request;
  const { base, rules } = setting;
  // A source file with inline tests has its own rule (inline-tests.ts): its old version is no test of the new one.
  const candidates = changed.filter((path) => isTestText(path) && !isInSource(path, rules));
  const texts = [...(await base.texts(candidates))];
  const touched = new Set(texts.flatMap(([path, text]) => (countTestsIn({ path, text }) > 0 ? [path] : [])));
  // The usual case, without running a lister.
  if (touched.size === 0) return null;
  const was = [...touched].flatMap((path) => base.files.get(path) ?? []);
  const files = [...tree.filter(({ path }) => !touched.has(path)), ...was];
  const hashes = await runHashes(setting, of, null);
  return inCheckout(setting, { files }, async (checkout) => {
    const listed = await listTests(setting, { project: base, checkout, purpose }, made);
    const old = listed.files.filter((path) => touched.has(path));
    if (old.length === 0) return null;
    const { suite } = await runTests(setting, { checkout, files: old, purpose, of, hashes }, made);
    return { files: old, suite, accepted };
  });
}
