import { git, text } from "../git.ts";
import { inStore, type Repository } from "../repository.ts";
import { rememberTree } from "./tree.ts";

/** Trailer with the id of the commit's evidence record. */
export const recordTrailer = "Mettle-Record";

export interface CommitOptions {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly subject: string;
  readonly body?: string;
  /** In order, e.g. `Mettle-Run`, `Mettle-Phase`, `Mettle-Key`, `Mettle-Record`. */
  readonly trailers: Readonly<Record<string, string>>;
  /** Commit date; stored in whole seconds, in UTC. */
  readonly dateMs: number;
}

/** Creates a commit with Mettle's identity. Idempotent: the same input gives the same id. */
export async function commitTree(repository: Repository, options: CommitOptions): Promise<string> {
  const date = `@${Math.floor(options.dateMs / 1000)} +0000`;
  const parents = options.parents.flatMap((parent) => ["-p", parent]);
  const commit = text(
    await git(inStore(repository), ["commit-tree", options.tree, ...parents, "-F", "-"], {
      env: { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
      input: messageOf(options),
    }),
  );
  rememberTree(repository, { commit, tree: options.tree });
  return commit;
}

function messageOf({ subject, body, trailers }: CommitOptions): string {
  const lines = Object.entries(trailers).map(([name, value]) => `${name}: ${oneLine(value)}`);
  const parts = [oneLine(subject), body?.trim() ?? "", lines.join("\n")];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function oneLine(value: string): string {
  return value.replace(/\s+/g, " ").trim();
}
