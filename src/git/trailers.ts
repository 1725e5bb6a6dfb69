import { git } from "./git.ts";
import { inStore, type Repository } from "./repository.ts";

/** Trailers of a commit's message by name; the last one wins. */
export async function trailersOf(
  repository: Repository,
  commit: string,
): Promise<ReadonlyMap<string, string>> {
  const args = ["log", "-1", "--no-show-signature", "--format=%(trailers:only,unfold)", commit];
  const lines = (await git(inStore(repository), args)).toString("utf8").split("\n");
  return new Map(
    lines.flatMap((line) => {
      const [, name, value] = /^([A-Za-z-]+): (.*)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** Those of the commits that have this trailer, each with its value. */
export async function withTrailer(
  repository: Repository,
  { commits, name }: { readonly commits: readonly string[]; readonly name: string },
): Promise<readonly { readonly commit: string; readonly value: string }[]> {
  const found = [];
  for (const commit of commits) {
    const value = (await trailersOf(repository, commit)).get(name);
    if (value !== undefined) found.push({ commit, value });
  }
  return found;
}
