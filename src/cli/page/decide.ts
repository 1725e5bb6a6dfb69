/** Decisions of a person in the page, by the same code as the commands; each is bound to what the page showed (SEE-06). */
import { personInPage } from "../../channel/person.ts";
import { answeredFirst, acceptBase, openAsksOf } from "../../engine/asks/open.ts";
import { fingerprintOf } from "../../engine/asks/fingerprint.ts";
import { answerQuestions } from "../../engine/asks/questions.ts";
import { openRun } from "../../families/open-run.ts";
import type { FamilyRun } from "../../family/family.ts";
import { assertNever } from "../../lib/assert-never.ts";
import { AppError } from "../../lib/errors.ts";
import type { By } from "../../log/by.ts";
import type { RunContext } from "../../run/context.ts";
import { foldRun } from "../../run/list-runs.ts";
import { withHost, type OpenHost } from "../../run/host.ts";
import type { Decision } from "../../page/app/wire.ts";
import type { Deciders } from "../../ui/decisions.ts";
import { otherHostOf } from "../../run/run-host.ts";
import { runStatus } from "../../views/run/status.ts";
import { shownState } from "../../views/run/shown-state.ts";
import { applyDecision, isRunBusy, type PersonAnswer } from "../answer-run.ts";
import { abortRun, refuseEnded } from "../commands/abort.ts";
import { answerWaiting, goOn } from "../commands/resume.ts";
import { assertNodeShown } from "../shown-node.ts";
import { commentedReason } from "./comments.ts";
import type { Drives } from "./drives.ts";
import { isGuarded } from "./guarded.ts";

type OfAsk = Extract<Decision, { readonly ask: string }>;
type OfNode = Extract<Decision, { readonly type: "abort-node" }>;
type OfRun = Exclude<Decision, OfAsk | OfNode>;

export function decideRun(drives: Drives): Deciders["decide"] {
  return (place, decision) => {
    if ("ask" in decision) return ofAsk(drives, place, decision);
    return decision.type === "abort-node" ? ofNode(place, decision) : ofRun(drives, place, decision);
  };
}

type Place = Parameters<Deciders["decide"]>[0];

async function ofAsk(drives: Drives, { folder, run }: Place, decision: OfAsk): Promise<void> {
  const decide = (context: RunContext): Promise<void> => answer(context, decision);
  const decideIfDriven = (): Promise<boolean> =>
    withHost(folder, async (host) => {
      const shown = await openRun(host, { run });
      await assertShown(shown, decision);
      if ((await host.journal.owner(run)) === null && otherHostOf(shown) === null) return false;
      await decide(await openRun(host, { run }));
      return true;
    });
  if (await decideIfDriven()) return;
  await drives.start({ folder, run, decide }).catch(async (error: unknown) => {
    // Somebody else decided in the same moment and drives the run now.
    if (!isRunBusy(error) || !(await decideIfDriven())) throw error;
  });
}

async function answer(context: RunContext, decision: OfAsk): Promise<void> {
  await assertShown(context, decision);
  const by = personInPage(isGuarded(context.session.view));
  if (decision.type === "resume-with") {
    const { choice, text } = decision;
    if (text.trim() === "")
      throw new AppError("usage", `the text for ${choice} is empty`, {
        hint: "say what the agent should know",
      });
    return answerWaiting(context, { choice, text, tests: [], reason: null, node: undefined, by });
  }
  await applyDecision(
    context,
    {
      matches: ({ key }) => key === decision.ask,
      decide: () => settlement(context, decision, by),
    },
    by,
  );
}

async function settlement(
  context: RunContext,
  decision: Exclude<OfAsk, { type: "resume-with" }>,
  by: By,
): Promise<PersonAnswer | null> {
  switch (decision.type) {
    case "approve":
      return { outcome: "approve" };
    case "reject":
      return { outcome: "reject", text: await commentedReason(context, decision), bound: true };
    case "answer":
      return answerQuestions(context, decision.answers, by);
    case "choose":
      return { outcome: decision.answer, text: decision.text };
    case "accept-base":
      return acceptBase(context, [String(decision.count)], by);
    default:
      return assertNever(decision);
  }
}

/** @throws nothing_waiting if it is answered @throws approval_stale if something else is shown now */
async function assertShown(context: RunContext, { ask: key, hash }: OfAsk): Promise<void> {
  const { session, run } = context;
  await session.refresh();
  const ask = openAsksOf(context).find((one) => one.key === key);
  if (ask === undefined) {
    const before = session.view.commands[key]?.command;
    throw before?.type === "ask"
      ? answeredFirst(context, before)
      : new AppError("nothing_waiting", `run ${run} does not wait for that`, {
          hint: "look at the run again",
        });
  }
  if (session.view.asks[key]?.hash === hash && fingerprintOf(context, ask).hash === hash) return;
  throw new AppError("approval_stale", "what was shown has changed", {
    hint: "the page shows what is there now; look again, then decide",
  });
}

async function ofRun(drives: Drives, { folder, run }: Place, decision: OfRun): Promise<void> {
  const begin = await withHost(folder, async (host) => {
    await assertState(host, run, decision.state);
    const context = await openRun(host, { run });
    const by = personInPage(isGuarded(context.session.view));
    switch (decision.type) {
      case "resume":
        return { by, text: decision.text };
      case "pause":
        return pause(host, context, by);
      case "abort":
        await abortRun(host, run, { node: null, reason: reasonOf(decision), by });
        return null;
      default:
        return assertNever(decision);
    }
  });
  if (begin === null) return;
  await drives.start({
    folder,
    run,
    async decide(context) {
      const { by } = begin;
      await answerWaiting(context, {
        choice: undefined,
        text: "",
        tests: [],
        reason: null,
        node: undefined,
        by,
      });
      await goOn(context, begin);
    },
  });
}

function ofNode({ folder, run }: Place, decision: OfNode): Promise<void> {
  const { node, shown } = decision;
  return withHost(folder, async (host) => {
    const context = await openRun(host, { run });
    refuseEnded(context);
    await assertNodeShown(host, context, { node, shown });
    const by = personInPage(isGuarded(context.session.view));
    await abortRun(host, run, { node, reason: reasonOf(decision), by });
  });
}

function reasonOf({ reason }: { readonly reason: string }): string {
  return reason.trim() || "aborted by a person";
}

/** The process that drives the run stops within a second, as by Ctrl-C. */
async function pause({ journal }: OpenHost, { run, session }: FamilyRun, by: By): Promise<null> {
  if ((await journal.owner(run)) === null)
    throw new AppError("nothing_waiting", `no process drives run ${run}, so there is nothing to stop`, {
      hint: "it goes on only when a person resumes it",
    });
  await session.record([{ type: "run.paused", by }]);
  return null;
}

/** @throws approval_stale if the run waits, goes on or has ended since the page showed it */
async function assertState({ journal }: OpenHost, run: string, state: string): Promise<void> {
  const owner = (await journal.owner(run))?.pid ?? null;
  const status = runStatus(await foldRun(journal, run), { owner });
  if (shownState(status) === state) return;
  throw new AppError(
    "approval_stale",
    `the run has changed since the page showed it: it is ${status.status} now`,
    {
      hint: "the page shows how it is now; look again, then decide",
    },
  );
}
