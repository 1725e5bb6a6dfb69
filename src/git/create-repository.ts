import { git, type GitPlace } from "./git.ts";

export interface NewRepository {
  readonly dir: string;
  /** The PATH on which git is found. */
  readonly path: string;
}

/** Makes the folder a repository on branch `main` with one commit of all its files. Needs no git identity. */
export async function createRepository({ dir, path }: NewRepository): Promise<void> {
  const place: GitPlace = { path, gitDir: null, cwd: dir };
  await git(place, ["init", "--quiet", "--initial-branch=main"]);
  await git(place, ["add", "--all"]);
  await git(place, ["commit", "--quiet", "--message=The project as it was"]);
}
