/**
 * The second front door (design 1): a person's own session is the Main Thread, and asks here what comes next, reports,
 * and talks in the dialogues. State, counters, gates and evidence stay with the runtime; no call approves anything.
 */
import { AppError } from "../lib/errors.ts";
import { printObservation } from "../journal/observation-line.ts";
import type { ActiveState } from "../memory/bank/active-state.ts";
import type { DispatchCommand } from "../kernel/command.ts";
import type { FamilyRun } from "../family/family.ts";
import { activeState, openDispatch } from "../families/cycles/active-state.ts";
import { observe, queryPage, type Page, type Query } from "../families/cycles/observations.ts";
import { foreignSession } from "../memory/graph/dialogue-graph.ts";
import type { OpenHost } from "../run/host.ts";
import { advance, holderOf, type NextStep } from "./advance.ts";
import type { Client } from "./client.ts";
import { assertMode, beginRun, protocolOfSessions, type EnterRequest } from "./enter.ts";
import { handOff, type HandOffRequest } from "./hand-off.ts";
import { withModeMismatch } from "./mode-mismatch.ts";
import { refuseReport, report, type ReportResult, type SessionReport } from "./report.ts";
import { needRun, newestOfSessions, newestRun, runInHand } from "./run-in-hand.ts";
import { startOrchestrate, type StartRequest } from "./start-orchestrate.ts";
import { withRun } from "./with-run.ts";
import { foldRun } from "../run/list-runs.ts";
import { openRun } from "../families/open-run.ts";

export interface Referee {
  enter(wish: EnterRequest): Promise<NextStep>;
  next(): Promise<NextStep>;
  report(told: SessionReport): Promise<ReportResult>;
  /** @param session its name, where the caller believes that it is that of the open dispatch */
  observe(content: string, session?: string): Promise<string>;
  query(asked: Query): Promise<Page>;
  status(): Promise<{
    readonly run: string | null;
    readonly state: ActiveState | null;
    readonly line: string | null;
  }>;
  handOff(wish: HandOffRequest): Promise<ActiveState>;
  /** A run of Orchestrate, whose agents are all Mettle's own. */
  start(wish: StartRequest): Promise<string>;
}

export function refereeOf(host: OpenHost, client: Client): Referee {
  const inHand = async <Value>(work: (context: FamilyRun) => Promise<Value>): Promise<Value> =>
    withRun(host, await needRun(host), work);
  const inDialogue = <Value>(work: (context: FamilyRun, command: DispatchCommand) => Promise<Value>) =>
    inHand((context) => work(context, takenDispatch(context)));
  return {
    async enter(wish) {
      const run = await runInHand(host);
      if (run !== null)
        return withRun(host, run, async (context) => {
          await assertMode(context, wish);
          return advance(context, client);
        });
      const begun = await beginRun(host, wish, await protocolOfSessions(host.repository.root));
      return withRun(host, begun, (context) => advance(context, client));
    },
    next: async () => withRun(host, await newestRun(host), (context) => advance(context, client)),
    async report(told) {
      const { run, ended } = await newestOfSessions(host);
      if (run !== null && ended)
        await withRun(host, run, (context) => refuseReport(context, told, "the run has ended"));
      if (run === null || ended) await refuseVerdict(host, told);
      return inHand(async (context) => {
        // A bank that cannot be written is told of before the report counts.
        await context.family.project(context);
        return report(context, told).catch((error: unknown) => {
          throw withModeMismatch(context, told.status, error);
        });
      });
    },
    observe: (content, session) =>
      inDialogue(async (context, command) => {
        if (session !== undefined && session !== command.session)
          throw foreignSession(session, command.session ?? null);
        return printObservation(await observe(context, command, content));
      }),
    query: (asked) => inDialogue((context, command) => queryPage(context, command, asked)),
    async status() {
      const run = await runInHand(host);
      if (run === null) return { run, state: null, line: null };
      return withRun(host, run, async (context) => ({
        run,
        state: await activeState(context),
        line: lineOf(context, openDispatch(context)),
      }));
    },
    handOff: (wish) =>
      inHand(async (context) => {
        await handOff(context, wish);
        return activeState(context);
      }),
    start: (wish) => startOrchestrate(host, wish),
  };
}

function lineOf({ session }: FamilyRun, command: DispatchCommand | null): string | null {
  return command === null ? null : (session.view.commands[command.key]?.line ?? null);
}

/** The dialogue is that of a dispatch that a session works on. */
function takenDispatch(context: FamilyRun): DispatchCommand {
  const command = openDispatch(context);
  if (command !== null && holderOf(context, command) !== null) return command;
  throw new AppError("no_dispatch", "no dispatch is open", { hint: "call next" });
}

/** Nothing where no run of Orchestrate goes on. */
async function refuseVerdict(host: OpenHost, { status }: SessionReport): Promise<void> {
  const run = await orchestrateRun(host);
  if (run === null) return;
  const { session } = await openRun(host, { run });
  const message = `not_isolated: a session reported ${status.slice(0, 64)}, which counts for no gate`;
  await session.record([{ type: "warned", code: "verdict_refused", message }]);
  throw new AppError("no_dispatch", `run ${run} counts the decisions of isolated agents alone`, {
    hint: "Mettle starts them; `mettle status` says where the run stands",
  });
}

async function orchestrateRun({ journal }: OpenHost): Promise<string | null> {
  for (const run of (await journal.runs()).toReversed()) {
    const { started, ended, aborted } = await foldRun(journal, run);
    if (started?.protocol === "orchestrate" && ended === null && aborted === null) return run;
  }
  return null;
}
