/** The text of a node's merge request: title, criteria with their tests, and the evidence of the merge. */
import { mask } from "../../../lib/mask.ts";
import { excerptOf } from "../../../lib/text.ts";
import { blockOf } from "../../../run/blocks.ts";
import type { RunContext } from "../../../run/context.ts";
import { coverageOf } from "../decision/coverage.ts";
import { specOf } from "../facts.ts";
import type { Node } from "../node.ts";

/** GitHub allows 256 and 65,536 characters, GitLab more. */
const maxTitleChars = 200;
const maxBlockChars = 40_000;
const maxBodyChars = 60_000;

export async function requestText(
  context: RunContext,
  node: Node,
  { commit, record }: { readonly commit: string; readonly record: string | null },
): Promise<{ readonly title: string; readonly body: string }> {
  const { description, acceptanceCriteria } = await specOf(context, node.entry);
  const { criteriaWithTests } = await coverageOf(context, node);
  const testsOf = (id: string) => criteriaWithTests.flatMap(([of, test]) => (of === id ? [test] : []));
  const [first = ""] = description.split("\n");
  const block = record === null ? "" : await blockOf(context, record, 20);
  const body = [
    description,
    "## Criteria",
    acceptanceCriteria
      .flatMap(({ id, text }) => [`- ${id}: ${text}`, ...testsOf(id).map((test) => `  - \`${test}\``)])
      .join("\n"),
    "## Evidence",
    `Run ${context.run}, commit ${commit}, verified with \`mettle verify ${context.run}\`.`,
    // Indented, so that Markdown shows it literally.
    excerptOf(block, maxBlockChars).replace(/^/gmu, "    "),
  ].join("\n\n");
  const { secrets } = context.host;
  return {
    title: mask(excerptOf(`${node.id}: ${first}`, maxTitleChars), secrets),
    body: excerptOf(mask(body, secrets), maxBodyChars),
  };
}
