/** Checks a person's answer to an ask against what was shown and makes it a settlement. */
import type { By } from "../../log/by.ts";
import { AppError } from "../../lib/errors.ts";
import { mask } from "../../lib/mask.ts";
import type { AskCommand } from "../../kernel/command.ts";
import type { RunEvent } from "../../log/run-event.ts";
import type { RunContext } from "../../run/context.ts";
import type { Settlement } from "../../run/settlement.ts";
import { takeEdits } from "../../run/documents/documents.ts";
import { assertBranchUnmoved } from "./code-unchanged.ts";
import { askKind } from "../../views/asks.ts";
import { fingerprintOf } from "./fingerprint.ts";

export interface AnswerRequest {
  readonly ask: AskCommand;
  readonly outcome: string;
  readonly text?: string;
  readonly by: By;
  /** A rejection, too, counts only for what was shown, since it has comments on lines (SEE-06). */
  readonly bound?: true;
}

/** Checks an answer: refuses a stale approval and journals the person's edits as a revision (ORC-71). */
export async function answerAsk(
  context: RunContext,
  { ask, outcome, text, by, bound }: AnswerRequest,
): Promise<Settlement> {
  if (!ask.answers.includes(outcome))
    throw new AppError("usage", `${outcome} is not a valid answer to "${ask.text}"`, {
      hint: `answers: ${ask.answers.filter((answer) => answer !== "changed").join(", ")}`,
    });
  if (outcome === "approve") await assertFresh(context, ask, by);
  else if (bound === true) await assertUnedited(context, ask, by);
  const facts = outcome === "reject" && askKind(ask) === "plan" ? await takeEdits(context, ask.key) : [];
  if (outcome === "reject" && (text ?? "").trim() === "")
    throw new AppError("reason_required", "a rejection needs a reason", {
      hint: `mettle reject ${context.run} --reason "what is wrong"`,
    });
  return { outcome, by, facts, ...(text === undefined ? {} : { text: mask(text, context.host.secrets) }) };
}

/** Sends the plan back to the reviewers if a person edited it while it waited, whichever command resumes the run (ORC-71). */
export async function editedPlan(context: RunContext, ask: AskCommand): Promise<Settlement | null> {
  if (askKind(ask) !== "plan" || !ask.answers.includes("changed")) return null;
  const facts = await takeEdits(context, ask.key);
  return facts.length === 0 ? null : { outcome: "changed", facts };
}

/** The worker that drives the run shows an ask when it learns of it. */
async function shownByWorker({ started, session, news: newsOf }: RunContext, key: string) {
  if (started.workers === undefined) return undefined;
  const news = newsOf();
  const end = AbortSignal.timeout(maxWaitMs);
  try {
    for (;;) {
      await session.refresh();
      const shown = session.view.asks[key];
      if (shown !== undefined || end.aborted) return shown;
      await news.next(end);
    }
  } finally {
    await news.end();
  }
}

const maxWaitMs = 5000;

async function assertFresh(context: RunContext, ask: AskCommand, by: By): Promise<void> {
  const { session, run } = context;
  await assertUnedited(context, ask, by);
  if (askKind(ask) !== "plan") await assertBranchUnmoved(context, ask.key);
  const shown = session.view.asks[ask.key] ?? (await shownByWorker(context, ask.key));
  if (!shown) throw stale("it has not been shown yet", run);
  if (shown.hash !== fingerprintOf(context, ask).hash) throw stale("what was shown has changed", run);
}

/** A plan that a person edited on the disk goes to the reviewers first. */
async function assertUnedited(context: RunContext, ask: AskCommand, by: By): Promise<void> {
  const edited = await editedPlan(context, ask);
  if (edited === null) return;
  await context.session.settle(ask.key, { ...edited, by });
  const what = names(edited.facts ?? []);
  throw stale(`${what} changed after it was shown; the change is recorded and will be reviewed`, context.run);
}

function stale(message: string, run: string): AppError {
  return new AppError("approval_stale", message, {
    hint: `\`mettle resume ${run}\`, then look again and approve`,
  });
}

function names(edits: readonly RunEvent[]): string {
  return edits.flatMap((edit) => (edit.type === "document.written" ? [`${edit.name}.md`] : [])).join(" and ");
}

/** Finds the open ask that a CLI command answers. @throws nothing_waiting with the ask that is open instead */
export function findAsk(
  context: RunContext,
  asks: readonly AskCommand[],
  wanted: (ask: AskCommand) => boolean,
): AskCommand {
  const found = asks.find(wanted);
  if (found) return found;
  const [other] = asks;
  throw new AppError("nothing_waiting", `run ${context.run} does not wait for that`, {
    hint: other
      ? `it waits for: ${other.text} (\`mettle status ${context.run}\`)`
      : `\`mettle status ${context.run}\``,
  });
}
