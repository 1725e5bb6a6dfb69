/**
 * Composes a RED commit for a change without one: the base, with head's tests and the files that decide how they run.
 * Written to the given repository without a ref.
 */
import { withTestsOf } from "../source/inline-tests.ts";
import { kindOf, type PathRules } from "../source/paths.ts";
import { commitTree } from "../git/objects/commit.ts";
import type { Repository } from "../git/repository.ts";
import { composeTree, treeWith } from "../git/objects/tree.ts";
import type { Project } from "./project/project.ts";
import { protectedHashes } from "./protected.ts";

export interface ComposeRequest {
  readonly repository: Repository;
  readonly rules: PathRules;
  readonly base: Project;
  readonly head: Project;
}

/** @returns the commit; its parent is the base */
export async function composeRed({ repository, rules, base, head }: ComposeRequest): Promise<string> {
  const [before, now] = await Promise.all(
    [base, head].map((project) => protectedHashes(repository, project, rules)),
  );
  const decides = (path: string) => before?.[path] !== undefined || now?.[path] !== undefined;
  const tree = await composeTree(repository, { base: base.commit, overlay: head.commit, take: decides });
  const inline = await inlineTests({ rules, base, head });
  return commitTree(repository, {
    tree: inline.size === 0 ? tree : await treeWith(repository, tree, inline),
    parents: [base.commit],
    subject: "The base with the tests of a change",
    trailers: {},
    dateMs: 0,
  });
}

/** Source files of both commits whose inline tests changed -> the base's text with head's tests. */
async function inlineTests({
  rules,
  base,
  head,
}: Omit<ComposeRequest, "repository">): Promise<ReadonlyMap<string, string>> {
  const paths = [...head.files.values()].flatMap(({ path, blob }) => {
    const old = base.files.get(path);
    const isChanged = old !== undefined && old.blob !== blob;
    return isChanged && path.endsWith(".rs") && kindOf(path, rules) === "source" ? [path] : [];
  });
  const [before, now] = [await base.texts(paths), await head.texts(paths)];
  return new Map(
    [...before].flatMap(([path, text]) => {
      const composed = withTestsOf(path, text, now.get(path) ?? "");
      return composed === text ? [] : [[path, composed] as const];
    }),
  );
}
