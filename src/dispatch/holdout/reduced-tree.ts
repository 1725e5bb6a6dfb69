/** Makes the tree that an implementer gets: that of a commit, without the withheld tests (PRV-16). */
import { fileOfTest } from "../../evidence/test-ids.ts";
import type { Repository } from "../../git/repository.ts";
import { treeOnly, treeWith } from "../../git/objects/tree.ts";
import { projectAt } from "../../proof/project/project.ts";
import { isOfTests, type PathRules } from "../../source/paths.ts";
import { loadParser } from "../../source/syntax.ts";
import { withoutTests } from "../../source/flip/without-tests.ts";
import { chooseWithheld, type HoldoutFacts } from "./choose.ts";
import { nameInFile, TestNames } from "./test-name.ts";

export interface ReductionRequest extends Omit<HoldoutFacts, "isCuttable"> {
  readonly commit: string;
  readonly rules: PathRules;
  /** Ids of all locked tests. */
  readonly required: readonly string[];
}

export interface Reduction {
  readonly tree: string;
  /** Id of each withheld test -> its criterion. */
  readonly tests: ReadonlyMap<string, string>;
  /** Changed files. */
  readonly files: readonly string[];
  /** Those of them that are not in the tree, since no test is left. */
  readonly gone: readonly string[];
  /** Tests that were chosen and stay visible, with the reason. */
  readonly shown: ReadonlyMap<string, string>;
}

/** A test stays visible, and another is chosen, if it cannot be cut out of its file or if another test file names it. */
export async function reduceTree(repository: Repository, request: ReductionRequest): Promise<Reduction> {
  const { commit, required, rules } = request;
  const parse = await loadParser();
  const project = await projectAt(repository, commit);
  const paths = [...project.files.keys()].filter((path) => isOfTests(path, rules));
  const texts = await project.texts([...paths, ...required.map(fileOfTest)]);
  const names = new TestNames(required);
  const shown = new Map<string, string>();
  for (;;) {
    const tests = chooseWithheld({ ...request, isCuttable: (id) => !shown.has(id) });
    const cut = cutTests([...tests.keys()]);
    const left = new Map([...texts, ...cut.files]);
    const before = shown.size;
    for (const id of cut.stuck) shown.set(id, `it cannot be cut out of ${fileOfTest(id)}`);
    for (const [path, text] of left)
      for (const id of text === null ? [] : names.in(text))
        if (tests.has(id) && !shown.has(id)) shown.set(id, `${path} names it elsewhere`);
    if (shown.size > before) continue;
    const files = [...cut.files.keys()];
    const gone = files.filter((path) => cut.files.get(path) === null);
    return { tree: await treeOf(cut.files, gone), tests, files, gone, shown };
  }

  function cutTests(ids: readonly string[]) {
    const stuck: string[] = [];
    const files = new Map<string, string | null>();
    for (const path of new Set(ids.map(fileOfTest))) {
      const own = ids.filter((id) => fileOfTest(id) === path);
      const text = texts.get(path) ?? "";
      const done = withoutTests(parse, { path, text }, new Set(own.map(nameInFile)));
      stuck.push(...own.filter((id) => !done.cut.has(nameInFile(id))));
      files.set(path, done.text);
    }
    return { stuck, files };
  }

  async function treeOf(files: ReadonlyMap<string, string | null>, gone: readonly string[]): Promise<string> {
    const kept = [...files].flatMap(([path, text]) => (text === null ? [] : [[path, text] as const]));
    const tree = await treeWith(repository, commit, new Map(kept));
    if (gone.length === 0) return tree;
    const paths = new Set([...project.files.keys()].filter((path) => !gone.includes(path)));
    return treeOnly(repository, { commit: tree, paths });
  }
}
