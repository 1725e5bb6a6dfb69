/** Shared by approve, reject and answer: journal the person's answer, then let the run go on, here or where it is driven. */
import type { AskCommand } from "../kernel/command.ts";
import type { RunEvent } from "../log/run-event.ts";
import type { By } from "../log/by.ts";
import { answerAsk, findAsk } from "../engine/asks/answer.ts";
import { settleAsk } from "../engine/asks/open.ts";
import { approvalLine } from "../views/bound.ts";
import type { RunContext } from "../run/context.ts";
import { withHost } from "../run/host.ts";
import { openRun } from "../families/open-run.ts";
import { waitingRun } from "../engine/waiting-run.ts";
import type { CliResult, Io } from "./command.ts";
import { asksToAnswer } from "./asks-here.ts";
import { driveRun } from "./drive-run.ts";
import { requirePerson } from "../channel/person.ts";

export interface PersonAnswer {
  readonly outcome: string;
  readonly text?: string;
  readonly facts?: readonly RunEvent[];
}

export interface Answer {
  readonly io: Io;
  readonly given: string | null;
  /** Of a graph: whose question is meant. */
  readonly node?: string | undefined;
  readonly wants: (ask: AskCommand) => boolean;
  /** What the person says to the ask; null: it is journaled already and the ask stays open. */
  readonly say: (context: RunContext, ask: AskCommand, by: By) => Promise<PersonAnswer | null>;
}

export async function answerRun({ io, given, node, wants, say }: Answer): Promise<CliResult> {
  const by = requirePerson();
  return withHost(io.cwd, async (host) => {
    const run = await waitingRun(host, given, wants);
    const apply = async (context: RunContext): Promise<string | null> => {
      const ask = findAsk(context, asksToAnswer(context, node, wants), wants);
      const answer = await say(context, ask, by);
      if (!answer) return null;
      const { outcome, text, facts } = answer;
      const settlement = await answerAsk(context, {
        ask,
        outcome,
        by,
        ...(text === undefined ? {} : { text }),
      });
      await settleAsk(context, ask, {
        ...settlement,
        facts: [...(facts ?? []), ...(settlement.facts ?? [])],
      });
      return approvalLine(outcome, context.session.view.asks[ask.key]?.shown);
    };
    const owner = await host.journal.owner(run);
    if (!owner)
      return await driveRun({ io, host, run, first: async (context) => void (await apply(context)) });
    const approval = await apply(await openRun(host, { run }));
    const answered = `answered; process ${owner.pid} goes on with run ${run}`;
    const text = approval === null ? answered : `${approval}\n${answered}`;
    return { exit: 0, json: { run, answered: true, owner: owner.pid }, text };
  });
}
