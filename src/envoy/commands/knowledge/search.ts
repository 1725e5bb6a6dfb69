import { join } from "node:path";
import { environment } from "../../../config/env.ts";
import { stateHome } from "../../../config/home.ts";
import { checkoutFiles } from "../../../git/checkout/checkout-files.ts";
import { openRepository } from "../../../git/repository.ts";
import { systemClock } from "../../../lib/clock.ts";
import { AppError } from "../../../lib/errors.ts";
import { sha256 } from "../../../lib/hash.ts";
import { search } from "../../../knowledge/search.ts";
import type { CommandCall, Data } from "../../command.ts";

const indexes: Readonly<Record<string, readonly string[]>> = {
  docs: ["**/*.md", "**/*.mdx", "**/*.markdown"],
};

export async function run({ given, cwd, path }: CommandCall): Promise<Data> {
  const patterns = patternsOf(given.need("index"));
  const query = given.need("query").trim();
  if (query === "")
    throw new AppError("invalid_query", "the query is empty", {
      hint: "describe what you look for in a whole phrase",
    });
  const repository = await openRepository(cwd, { path, mayBeEmpty: true });
  const paths = await checkoutFiles(repository, patterns);
  const folder = { root: repository.checkout, paths, clock: systemClock };
  const { results, documents, skipped } = await search(folder, query, cacheFile(repository, cwd));
  return {
    results: results.map(({ path: resource_path, similarity, tokens, description, relevantFiles, text }) => ({
      resource_path,
      similarity,
      token_count: tokens,
      description,
      relevant_files: relevantFiles,
      ...(text !== null && { full_resource_context: text }),
    })),
    skipped,
    ...(results.length === 0 && { note: documents === 0 ? "there is no documentation" : "nothing matches" }),
  };
}

function patternsOf(index: string): readonly string[] {
  const patterns = Object.hasOwn(indexes, index) ? indexes[index] : undefined;
  if (patterns !== undefined) return patterns;
  const known = Object.keys(indexes);
  throw new AppError("invalid_index", `there is no index ${JSON.stringify(index)}`, {
    hint: `known indexes: ${known.join(", ")}`,
    detail: { known },
  });
}

/** Each checkout has its own cache, because its files differ. */
function cacheFile({ id, checkout }: { id: string; checkout: string }, cwd: string): string {
  const name = sha256(checkout).slice("sha256:".length, "sha256:".length + 16);
  return join(stateHome({ repository: id, env: environment(), cwd }).root, "knowledge", `${name}.db`);
}
