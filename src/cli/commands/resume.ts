import { mask } from "../../lib/mask.ts";
import { openRun } from "../../families/open-run.ts";
import type { AskCommand } from "../../kernel/command.ts";
import type { RunEvent } from "../../log/run-event.ts";
import type { By } from "../../log/by.ts";
import { answerAsk } from "../../engine/asks/answer.ts";
import { openAsksOf } from "../../engine/asks/open.ts";
import { askKind } from "../../views/asks.ts";
import { changeSettings } from "../../engine/start/change-settings.ts";
import type { RunContext } from "../../run/context.ts";
import { withHost } from "../../run/host.ts";
import { findRun } from "../../run/find-run.ts";
import { nodeOf } from "../../families/graph/node.ts";
import { resetNode } from "../../families/graph/reset-node.ts";
import { resetWork } from "../../engine/reset-work.ts";
import { AppError } from "../../lib/errors.ts";
import { withLabel } from "../../lib/with-label.ts";
import type { CommandHandler } from "../command.ts";
import { asksForNode } from "../asks-for-node.ts";
import { driveRun } from "../drive-run.ts";
import { waitingRun } from "../../engine/waiting-run.ts";
import { requirePerson, requirePersonOrSession } from "../../channel/person.ts";
import { agentsOf } from "./run.ts";

const choices = ["reset", "context", "approach"] as const;

export const run: CommandHandler = async (io, given) => {
  const chosen = choices.filter((choice) => given.text(choice) !== null);
  if (chosen.length > 1)
    throw new AppError("usage", `choose one of ${chosen.map((choice) => `--${choice}`).join(" and ")}`, {
      hint: "one option answers the breaker",
    });
  const [choice] = chosen;
  const text = choice === undefined ? "" : given.need(choice);
  if (choice !== undefined && text.trim() === "")
    throw new AppError("usage", `--${choice} is empty`, {
      hint: "`mettle resume --help` describes it",
    });
  const tests = given.list("accept-test") ?? [];
  if (tests.length > 0 && choice !== undefined)
    throw new AppError("usage", `choose one of --${choice} and --accept-test`, {
      hint: "one option answers the breaker",
    });
  const reason = given.text("reason");
  if (reason !== null && tests.length === 0)
    throw new AppError("usage", "--reason goes with --accept-test", {
      hint: "`mettle resume --help` describes it",
    });
  const decides =
    tests.length > 0 || choice !== undefined || given.list("set") !== null || given.list("agent") !== null;
  const by = decides ? requirePerson() : requirePersonOrSession();
  return withHost(io.cwd, async (host) => {
    const run =
      choice === undefined
        ? await findRun(host, given.text("run"))
        : await waitingRun(host, given.text("run"), (ask) => ask.answers.includes(choice));
    return await driveRun({
      io,
      host,
      run,
      waits: !given.flag("no-wait"),
      beforeOpen: async () => {
        const change = { set: given.list("set") ?? [], agents: agentsOf(given), by };
        if (change.set.length + Object.keys(change.agents).length > 0)
          await changeSettings(host, await openRun(host, { run }), change);
      },
      beforeDrive: (context) =>
        answerWaiting(context, {
          choice,
          text,
          tests,
          reason,
          node: given.text("node") ?? undefined,
          by,
        }),
    });
  });
};

export interface ResumeAnswer {
  readonly choice: (typeof choices)[number] | undefined;
  readonly text: string;
  /** Ids of the tests that the person accepts. */
  readonly tests: readonly string[];
  readonly node: string | undefined;
  readonly by: By;
  readonly reason: string | null;
}

/** `resume` repeats a paused check without an option; a breaker needs the option that answers it (ORC-82). */
export async function answerWaiting(context: RunContext, given: ResumeAnswer): Promise<void> {
  const { tests, node, by, reason } = given;
  const why = reason === null ? {} : { reason: mask(reason, context.host.secrets) };
  refuseEnded(context);
  if (tests.length > 0)
    await context.session.record([{ type: "tests.accepted", tests: [...tests], by, ...why }]);
  const { choice, text } = tests.length > 0 ? acceptance(context, tests) : given;
  const asks = asksForNode(context, node, (one) => choice !== undefined && one.answers.includes(choice));
  for (const ask of asks.filter((one) => askKind(one) === "paused"))
    await context.session.settle(ask.key, await answerAsk(context, { ask, outcome: "resume", by }));
  if (choice === undefined) return;
  const ask = asks.find((one: AskCommand) => one.answers.includes(choice));
  if (!ask && choice === "context" && openAsksOf(context).length === 0) return goOn(context, { by, text });
  if (!ask)
    throw new AppError("nothing_waiting", `run ${context.run} waits for no ${choice}`, {
      hint: `\`mettle status ${context.run}\``,
    });
  const facts = choice === "reset" ? await reset(context, ask, text) : [];
  const settlement = await answerAsk(context, { ask, outcome: choice, text, by });
  await context.session.settle(ask.key, { ...settlement, facts });
}

/** Journals who lets the run go on; the text reaches the agents that work next (SEE-06). */
export async function goOn(
  context: Pick<RunContext, "session" | "host">,
  { by, text }: Pick<ResumeAnswer, "by" | "text">,
): Promise<void> {
  const said = text.trim() === "" ? {} : { text: mask(text.trim(), context.host.secrets) };
  await context.session.record([{ type: "run.resumed", by, ...said }]);
}

/** Answers the breaker if one is open; a run that is not waiting only records the accepted tests. */
function acceptance(context: RunContext, tests: readonly string[]): Pick<ResumeAnswer, "choice" | "text"> {
  const isBroken = openAsksOf(context).some(({ answers }) => answers.includes("context"));
  const text = `a person accepts these tests as they are (changed, or passing already): ${tests.join(", ")}`;
  return { choice: isBroken ? "context" : undefined, text };
}

async function reset(context: RunContext, ask: AskCommand, commit: string): Promise<readonly RunEvent[]> {
  const node = nodeOf(context, ask);
  const to = { commit, key: ask.key };
  return node === null ? resetWork(context, to) : resetNode(context, node, to);
}

/** A complete run may be resumed: its summary is shown again. */
function refuseEnded({ run, session }: RunContext): void {
  const { ended } = session.view;
  if (ended === null || ended.outcome === "complete") return;
  throw new AppError("run_ended", withLabel(`run ${run} has ended: ${ended.outcome}`, ended.reason), {
    hint: `\`mettle show ${run}\``,
  });
}
