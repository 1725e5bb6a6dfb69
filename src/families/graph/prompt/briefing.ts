/** The template variables beside the input: project commands, measured checks and the parent's judgement. */
import { diffText } from "../../../git/objects/diff.ts";
import type { DispatchCommand } from "../../../kernel/command.ts";
import type { Briefing, JudgeBriefing } from "../../../protocol/graph-types/briefing.ts";
import type { GraphNode, NodeInput } from "../../../protocol/graph-types/nodes.ts";
import { ParentContext } from "../../../protocol/graph-types/scaffold.ts";
import { MergeComplete } from "../../../protocol/graph-types/shared.ts";
import type { RunContext } from "../../../run/context.ts";
import { mechanicalChecks, mergeChecks } from "./mechanical-checks.ts";
import { entryOf, type Node } from "../node.ts";
import { readStored } from "../payloads.ts";
import { contractSuiteOf, projectWordsAt } from "./project-words.ts";
import { diffForPrompt } from "./diff-for-prompt.ts";

export async function briefingFor(
  context: RunContext,
  command: DispatchCommand,
  { node, as, input }: { readonly node: Node; readonly as: GraphNode; readonly input: NodeInput },
): Promise<Briefing> {
  const { repository, settings } = context;
  const at = { repository, commit: node.entry.head };
  const isReview = command.mode === "ReviewImpl";
  return {
    project: await projectWordsAt(at, settings, contractSuiteOf(input)),
    checks: isReview
      ? await mechanicalChecks(context, node)
      : as === "merger"
        ? await mergeChecks(context, node)
        : [],
    judge: isReview ? await judging(context, node) : null,
    change: as === "merger" ? await squashed(context, node) : null,
  };
}

/** The diff that the Merger judges. Its worktree does not show which files changed. */
async function squashed({ repository }: RunContext, { entry }: Node): Promise<string | null> {
  if (entry.candidate === null) return null;
  const { onto, commit } = entry.candidate;
  return diffForPrompt(await diffText(repository, { from: onto, to: commit }), `git diff ${onto} ${commit}`);
}

/** Set while the parent judges a squash before publication (V3-26); null for the node's own review. */
async function judging(context: RunContext, { id, parent, entry }: Node): Promise<JudgeBriefing | null> {
  if (entry.candidate === null || parent === null || entry.parentContext === null) return null;
  const { assignedCriteria } = await readStored(context, entry.parentContext, ParentContext);
  const merged = await Promise.all(
    entryOf(context, parent).merged.map(({ event }) => readStored(context, event, MergeComplete)),
  );
  const siblings = merged.map(({ author, changes }) => ({ author, changes }));
  return { childId: id, assignedCriteria, siblings };
}
