// BugsJS: a project's own repository with tags for each bug. `Bug-N` is the state before the fix, `Bug-N-test` adds the tests of
// the fix, `Bug-N-full` the fix, too.
import { git } from "./repository.mjs";

/** @returns for each bug its name and the commits of its three states; throws if the repository has no such tags */
export function readBugs(folder) {
  const tags = new Map(
    git(folder, ["for-each-ref", "refs/tags/Bug-*", "--format=%(refname:short) %(objectname) %(*objectname)"])
      .split("\n")
      .filter(Boolean)
      .map((line) => {
        const [tag, own, tagged] = line.split(" ");
        return [tag, tagged || own];
      }),
  );
  const bugs = [...tags.keys()]
    .map((tag) => /^Bug-(\d+)$/.exec(tag)?.[1])
    .filter(
      (number) => number !== undefined && tags.has(`Bug-${number}-test`) && tags.has(`Bug-${number}-full`),
    )
    .sort((a, b) => a - b)
    .map((number) => ({
      name: `Bug-${number}`,
      base: tags.get(`Bug-${number}`),
      heads: { fix: tags.get(`Bug-${number}-full`), "no fix": tags.get(`Bug-${number}-test`) },
    }));
  if (bugs.length === 0) throw new Error(`${folder} has no tags Bug-N, Bug-N-test and Bug-N-full`);
  return bugs;
}
