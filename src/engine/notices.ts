/** Tells people that a run waits, trips a breaker or has ended, once each, beside the run (CORE-74, SEE-09). */
import type { AskCommand } from "../kernel/command.ts";
import { withLabel } from "../lib/with-label.ts";
import type { RunEvent } from "../log/run-event.ts";
import { linkTo, type Notice } from "../notify/notice.ts";
import { sendNotice } from "../notify/send.ts";
import { askCommands, askKind } from "../views/asks.ts";
import type { FamilyRun } from "../family/family.ts";

/** The notices of one drive, which go out while the run goes on. */
export interface Notices {
  /** A person must answer this ask. */
  waits(ask: AskCommand): void;
  ended(): void;
  /** Resolves when all are sent, or their time is over. */
  sent(): Promise<void>;
}

export function openNotices(context: FamilyRun, signal: AbortSignal): Notices {
  const under: Promise<void>[] = [];
  const begun = new Set<string>();
  const tell = (key: string, notice: () => Notice) => {
    const { session, started, settings } = context;
    if (started.demo || settings.notify === undefined) return;
    if (begun.has(key) || session.view.notified.includes(key)) return;
    begun.add(key);
    // Nothing of it may disturb the run.
    under.push(send(context, { key, notice: notice(), signal }).catch(() => undefined));
  };
  return {
    waits(ask) {
      if (!context.started.preapproved.includes(askKind(ask))) tell(ask.key, () => waitNotice(context, ask));
    },
    ended: () => tell("end", () => endNotice(context)),
    sent: async () => void (await Promise.all(under)),
  };
}

function waitNotice({ run, started, session, settings }: FamilyRun, ask: AskCommand): Notice {
  const kind = askKind(ask);
  const commands = askCommands(session.view, ask);
  const { task } = started;
  return {
    facts: { version: 1, run, task, kind, text: ask.text, commands },
    title: `Mettle: run ${run} ${kind === "breaker" ? "tripped a breaker" : "waits for you"}`,
    text: [ask.text, task, ...commands].join("\n"),
    link: linkTo(settings.notify?.link, run, ask.key),
  };
}

function endNotice({ run, started, session, settings }: FamilyRun): Notice {
  const { outcome = "stopped", reason = "" } = session.view.ended ?? {};
  const { task } = started;
  const text = withLabel(`ended ${outcome}`, reason);
  const commands = [`mettle status ${run}`];
  return {
    facts: { version: 1, run, task, kind: "ended", outcome, text, commands },
    title: `Mettle: run ${run} ended ${outcome}`,
    text: [text, task, ...commands].join("\n"),
    link: linkTo(settings.notify?.link, run, null),
  };
}

interface SentNotice {
  /** Of the ask, or `end`. */
  readonly key: string;
  readonly notice: Notice;
  readonly signal: AbortSignal;
}

/** Journals each way that fails as a warning, once in a run. */
async function send(context: FamilyRun, { key, notice, signal }: SentNotice): Promise<void> {
  const { settings, repository, host, session } = context;
  if (settings.notify === undefined) return;
  const { path, env, secrets } = host;
  const failed = await sendNotice(settings.notify, notice, {
    cwd: repository.root,
    path,
    env,
    secrets,
    signal,
  });
  const why = failed.map((each) => `${each.way}: ${each.why}`).join("; ");
  const isNew = ({ way }: { readonly way: string }) =>
    !session.view.warnings.some(({ message }) => message.startsWith(`notify.${way} failed: `));
  const warnings = failed.filter(isNew).map((each): RunEvent => ({
    type: "warned",
    code: "notify_failed",
    message: `notify.${each.way} failed: ${each.why}`,
  }));
  await session.record([{ type: "notified", key, ok: failed.length === 0, why }, ...warnings]);
}
