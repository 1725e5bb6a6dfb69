/** Checks that the record trailer of each commit names the record about that commit. */
import { git } from "../git/git.ts";
import { inStore } from "../git/repository.ts";
import { recordTrailer } from "../git/objects/commit.ts";
import type { RunContext } from "../run/context.ts";

export interface WrongTrailer {
  readonly why: string;
  /** Id in the commit message. */
  readonly record: string;
}

/** The first commit that names a wrong record, or null. Earlier versions predicted the number, sometimes wrongly. */
export async function trailerFault(context: RunContext): Promise<WrongTrailer | null> {
  const { records, reserved } = context.session.view;
  if (Object.keys(reserved).length === 0) return null;
  for (const { commit, tree, key, record } of await recordTrailersOf(context)) {
    if (key !== "" && reserved[key] === undefined) continue;
    const named = records.find(({ id }) => id === record);
    if (named !== undefined && (named.commit === commit || named.tree === tree)) continue;
    const own = records.find((one) => one.commit === commit);
    if (named === undefined && own === undefined) continue;
    const what = named === undefined ? "which does not exist" : `which is about commit ${named.commit}`;
    return { why: `commit ${commit} names record ${record} in its message, ${what}`, record };
  }
  return null;
}

interface RecordTrailer {
  readonly commit: string;
  readonly tree: string;
  readonly key: string;
  readonly record: string;
}

/** Commits on the run's branches and refs that name one of its records. */
async function recordTrailersOf({ repository, run, started }: RunContext): Promise<readonly RecordTrailer[]> {
  const value = (name: string): string => `%(trailers:key=${name},valueonly,separator=%x20)`;
  const answer = await git(inStore(repository), [
    "log",
    "--no-show-signature",
    `--format=%H%x00%T%x00${value("Mettle-Key")}%x00${value(recordTrailer)}`,
    `--glob=refs/mettle/runs/${run}/*`,
    `--glob=refs/heads/mettle/${run}/*`,
    "--not",
    started.base,
    "--",
  ]);
  return answer
    .toString("utf8")
    .split("\n")
    .flatMap((line) => {
      const [commit = "", tree = "", key = "", record = ""] = line.split("\0");
      return record.startsWith(`${run}/`) ? [{ commit, tree, key, record }] : [];
    });
}
