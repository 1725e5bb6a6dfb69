/**
 * The interface for a person's own session as the Main Thread: the session takes dispatches, reports, and writes in
 * dialogues. State, counters, gates and evidence stay with the runtime; no call approves anything.
 */
import { AppError } from "../lib/errors.ts";
import { printObservation } from "../journal/observation-line.ts";
import type { ActiveState } from "../memory/bank/active-state.ts";
import type { DispatchCommand } from "../kernel/command.ts";
import type { FamilyRun } from "../family/family.ts";
import { activeState, openDispatch } from "../families/cycles/active-state.ts";
import { observe, queryPage, type ObservationPage, type Query } from "../families/cycles/observations.ts";
import { foreignSession } from "../memory/graph/dialogue-graph.ts";
import type { OpenHost } from "../run/host.ts";
import { advance, holderOf, type NextStep } from "./advance.ts";
import type { Client } from "./client.ts";
import { assertMode, beginRun, protocolOfSessions, type EnterRequest } from "./enter.ts";
import { handOff, type HandOffRequest } from "./hand-off.ts";
import { withModeMismatch } from "./mode-mismatch.ts";
import { refuseReport, report, type ReportResult, type SessionReport } from "./report.ts";
import { needRun, newestOfSessions, newestRun, runInHand } from "./run-in-hand.ts";
import { startOrchestrate, type RefereeStartRequest } from "./start-orchestrate.ts";
import { withRun } from "./with-run.ts";
import { foldOpenRuns } from "../run/list-runs.ts";
import { openRun } from "../families/open-run.ts";

export interface Referee {
  enter(request: EnterRequest): Promise<NextStep>;
  next(): Promise<NextStep>;
  report(sent: SessionReport): Promise<ReportResult>;
  /** @param session name of the dialogue that the caller expects to be that of the open dispatch */
  observe(content: string, session?: string): Promise<string>;
  query(query: Query): Promise<ObservationPage>;
  status(): Promise<{
    readonly run: string | null;
    readonly state: ActiveState | null;
    readonly line: string | null;
  }>;
  handOff(request: HandOffRequest): Promise<ActiveState>;
  /** Starts a run of Orchestrate, whose agents Mettle starts. */
  start(request: RefereeStartRequest): Promise<string>;
}

export function refereeOf(host: OpenHost, client: Client): Referee {
  const inHand = async <Value>(work: (context: FamilyRun) => Promise<Value>): Promise<Value> =>
    withRun(host, await needRun(host), work);
  const inDialogue = <Value>(work: (context: FamilyRun, command: DispatchCommand) => Promise<Value>) =>
    inHand((context) => work(context, takenDispatch(context)));
  return {
    async enter(request) {
      const run = await runInHand(host);
      if (run !== null)
        return withRun(host, run, async (context) => {
          await assertMode(context, request);
          return advance(context, client);
        });
      const begun = await beginRun(host, request, await protocolOfSessions(host.repository.root));
      return withRun(host, begun, (context) => advance(context, client));
    },
    next: async () => withRun(host, await newestRun(host), (context) => advance(context, client)),
    async report(sent) {
      const { run, ended } = await newestOfSessions(host);
      if (run !== null && ended)
        await withRun(host, run, (context) => refuseReport(context, sent, "the run has ended"));
      if (run === null || ended) await refuseVerdict(host, sent);
      return inHand(async (context) => {
        // An unwritable memory bank fails before the report counts.
        await context.family.writeDocuments(context);
        return report(context, sent).catch((error: unknown) => {
          throw withModeMismatch(context, sent.status, error);
        });
      });
    },
    observe: (content, session) =>
      inDialogue(async (context, command) => {
        if (session !== undefined && session !== command.session)
          throw foreignSession(session, command.session ?? null);
        return printObservation(await observe(context, command, content));
      }),
    query: (query) => inDialogue((context, command) => queryPage(context, command, query)),
    async status() {
      const run = await runInHand(host);
      if (run === null) return { run, state: null, line: null };
      return withRun(host, run, async (context) => ({
        run,
        state: await activeState(context),
        line: lineOf(context, openDispatch(context)),
      }));
    },
    handOff: (request) =>
      inHand(async (context) => {
        await handOff(context, request);
        return activeState(context);
      }),
    start: (request) => startOrchestrate(host, request),
  };
}

function lineOf({ session }: FamilyRun, command: DispatchCommand | null): string | null {
  return command === null ? null : (session.view.commands[command.key]?.line ?? null);
}

/** The dispatch that a session has taken. @throws no_dispatch */
function takenDispatch(context: FamilyRun): DispatchCommand {
  const command = openDispatch(context);
  if (command !== null && holderOf(context, command) !== null) return command;
  throw new AppError("no_dispatch", "no dispatch is open", { hint: "call next" });
}

/** Refuses the report if a run of Orchestrate is active. @throws no_dispatch */
async function refuseVerdict(host: OpenHost, { status }: SessionReport): Promise<void> {
  const run = await orchestrateRun(host);
  if (run === null) return;
  const { session } = await openRun(host, { run });
  const message = `not_isolated: a session reported ${status.slice(0, 64)}, which counts for no gate`;
  await session.record([{ type: "warned", code: "verdict_refused", message }]);
  throw new AppError("no_dispatch", `run ${run} counts the decisions of isolated agents alone`, {
    hint: "Mettle starts them; `mettle status` shows the state of the run",
  });
}

async function orchestrateRun({ journal }: OpenHost): Promise<string | null> {
  const newest = (await foldOpenRuns(journal)).findLast(
    ({ started, aborted }) => started?.protocol === "orchestrate" && aborted === null,
  );
  return newest?.run ?? null;
}
