/** Advances the run in hand: runs gates until the session, a person or the end is next. */
import { invariant } from "../lib/assert-never.ts";
import type { AskCommand, DispatchCommand } from "../kernel/command.ts";
import { AppError } from "../lib/errors.ts";
import { baseAsk } from "../log/base-ask.ts";
import { askCommands } from "../views/asks.ts";
import { resultOf } from "../log/run-view.ts";
import { headsPrefix } from "../git/repository.ts";
import { resultBranch } from "../run/branches.ts";
import type { FamilyRun } from "../family/family.ts";
import { openDispatch } from "../families/cycles/active-state.ts";
import { drive } from "../engine/drive.ts";
import { allowedCodes } from "../dispatch/prompt/codes.ts";
import { renderPrompt } from "../dispatch/prompt/prompt.ts";
import { finishRun } from "../engine/lifecycle.ts";
import { commitOfCheckout } from "../run/checkout.ts";
import { parseClient, isPresent, nameOf, type Client } from "./client.ts";
import { storeText } from "../run/stored-text.ts";

export type NextStep =
  | {
      readonly type: "dispatch";
      readonly run: string;
      readonly line: string;
      readonly role: string;
      readonly mode: string;
      readonly codes: readonly string[];
      readonly prompt: string;
    }
  | {
      readonly type: "waiting";
      readonly run: string;
      readonly question: string;
      /** Commands for a terminal: a session cannot answer for a person. */
      readonly commands: readonly string[];
    }
  | {
      readonly type: "ended";
      readonly run: string;
      readonly outcome: string;
      readonly reason: string;
      /** Branch with the proven result; null: none. */
      readonly branch: string | null;
      /** Next commands for the person, in a terminal. */
      readonly commands: readonly string[];
    };

/** Runs the runtime's part, then hands the open dispatch to this client, which holds it until it ends. */
export async function advance(context: FamilyRun, client: Client): Promise<NextStep> {
  const never = new AbortController().signal;
  const end = await drive(context, { signal: never, answer: () => Promise.resolve(null) });
  if (end.type === "ended") {
    await finishRun(context, end);
    return ended(context, end.outcome);
  }
  const dispatch = openDispatch(context);
  if (dispatch !== null && baseAsk(context.session.view) === null)
    return takeDispatch(context, dispatch, client);
  const asks = end.type === "waiting" ? end.asks : [];
  return waiting(context, asks);
}

function ended({ run, session }: FamilyRun, outcome: string): NextStep {
  const { view } = session;
  const isProven = outcome === "complete" && resultOf(view) !== null;
  return {
    type: "ended",
    run,
    outcome,
    reason: view.ended?.reason ?? "",
    branch: isProven ? resultBranch(run).slice(headsPrefix.length) : null,
    commands: [...(isProven ? [`mettle land ${run}`] : []), `mettle status ${run}`, `mettle log ${run}`],
  };
}

function waiting(context: FamilyRun, asks: readonly AskCommand[]): NextStep {
  const { view } = context.session;
  return {
    type: "waiting",
    run: context.run,
    question: asks.map((ask) => view.asks[ask.key]?.text ?? ask.text).join("\n\n"),
    commands: asks.flatMap((ask) => askCommands(view, ask)),
  };
}

async function takeDispatch(context: FamilyRun, command: DispatchCommand, client: Client): Promise<NextStep> {
  const { session, repository } = context;
  const line = session.view.commands[command.key]?.line;
  invariant(line, "a session is only given dispatches of protocols with modes");
  const holder = holderOf(context, command);
  if (holder !== null && !isSame(holder, client) && isPresent(context.home.root, holder))
    throw roleBusy(line, holder);
  const { text } = await renderPrompt(context, command, { asks: true });
  if (holder === null || !isSame(holder, client))
    await session.record([
      {
        type: "dispatch.started",
        key: command.key,
        role: command.role,
        agent: "session",
        vendor: "session",
        conversation: nameOf(client),
        resumed: holder !== null,
        workspace: repository.checkout,
        isolation: "none",
        prompt: await storeText(context, text),
        before:
          session.view.dispatches[command.key]?.before ??
          (await commitOfCheckout(context, session.view.head.branch ?? context.started.base)),
      },
    ]);
  return {
    type: "dispatch",
    run: context.run,
    line,
    role: command.role,
    mode: command.mode ?? "",
    codes: allowedCodes(command),
    prompt: text,
  };
}

/** The client that took the dispatch last; null: none. */
export function holderOf({ session }: Pick<FamilyRun, "session">, { key }: DispatchCommand): Client | null {
  const name = session.view.dispatches[key]?.conversation;
  return name === undefined ? null : parseClient(name);
}

function isSame(one: Client, other: Client): boolean {
  return nameOf(one) === nameOf(other);
}

function roleBusy(line: string, { pid, seat }: Client): AppError {
  const who = seat === undefined ? "" : `, its session ${seat}`;
  return new AppError("role_busy", `another session has ${line}: process ${pid}${who}`, {
    hint: "work on there, or end that session and call next again",
    detail: { line, pid },
  });
}
