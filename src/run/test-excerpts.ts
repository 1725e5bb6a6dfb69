/** Excerpts of test files for display. */
import { fileOfTest } from "../evidence/test-ids.ts";
import { safeLine } from "../lib/safe-text.ts";
import type { RunContext } from "./context.ts";
import { projectAt } from "../proof/project/project.ts";

/** Maximum lines shown of one test file. */
const maxLines = 60;

export async function testExcerpts(
  { repository }: RunContext,
  { commit, ids }: { readonly commit: string; readonly ids: readonly string[] },
): Promise<readonly string[]> {
  const paths = [...new Set(ids.map(fileOfTest))];
  const texts = await (await projectAt(repository, commit)).texts(paths);
  return [...texts].flatMap(([path, text]) => {
    const lines = text.trimEnd().split("\n");
    const shown = lines.slice(0, maxLines).map((line) => `  ${safeLine(line)}`);
    const rest = lines.length - shown.length;
    return [`${path}:`, ...shown, ...(rest > 0 ? [`  … ${rest} more lines`] : [])];
  });
}
