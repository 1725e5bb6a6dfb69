/** The change of a commit of a run, as git shows it. */
import { environment, programPath } from "../config/env.ts";
import { diffText } from "../git/objects/diff.ts";
import { openRepository } from "../git/repository.ts";
import { AppError } from "../lib/errors.ts";
import { folderOf, type StoredRepository } from "./stores/repositories.ts";
import type { TextPart } from "../page/app/wire.ts";
import { partOf } from "./texts.ts";

export interface CommitRange {
  readonly commit: string;
  /** Null: the commit before it. */
  readonly from: string | null;
}

/** @throws not_found if the repository is gone @throws revision_unknown for anything but whole ids of commits */
export async function commitDiff(stored: StoredRepository, { commit, from }: CommitRange): Promise<TextPart> {
  const folder = folderOf(stored);
  const wrong = [commit, ...(from === null ? [] : [from])].find((id) => !/^[0-9a-f]{40,64}$/u.test(id));
  if (wrong !== undefined)
    throw new AppError("revision_unknown", `${JSON.stringify(wrong)} is not the whole id of a commit`, {
      hint: "`mettle show RUN` has the ids",
    });
  const repository = await openRepository(folder, { path: programPath(), user: environment() });
  const diff = await diffText(repository, { from: from ?? `${commit}^`, to: commit });
  return partOf(Buffer.from(diff), 0);
}
