/** Shows an ask: journals what it shows, and marks a breaker; each once. */
import type { AskCommand } from "../../kernel/command.ts";
import type { EventOf, RunEvent } from "../../log/run-event.ts";
import type { RunView } from "../../log/run-view.ts";
import type { FamilyRun } from "../../family/family.ts";
import { askKind } from "../../views/asks.ts";
import { attemptsText } from "../../views/gate/attempts.ts";
import { presentAsk } from "./present.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { unreachableReviewer } from "./unreachable.ts";

export async function showAsk(context: FamilyRun, ask: AskCommand): Promise<void> {
  const { view } = context.session;
  if (view.asks[ask.key] === undefined) {
    await context.session.record(factsOf(context, ask));
    const text = await presentAsk(context, ask);
    const { hash, parts } = fingerprintOf(context, ask);
    await context.session.record([{ type: "ask.shown", key: ask.key, hash, shown: { ...parts }, text }]);
  }
}

/** Facts to journal before the ask is shown. A fact that is journaled already is left out, so a crash doubles nothing. */
function factsOf(context: FamilyRun, ask: AskCommand): readonly RunEvent[] {
  const { view } = context.session;
  if (askKind(ask) === "breaker")
    return view.breakers.some(({ key }) => key === ask.key) ? [] : [breakerFact(context, ask)];
  const unreachable = unreachableReviewer(view, ask);
  const isRecorded = view.warnings.some(
    ({ stopped }) => stopped?.key === unreachable?.stopped?.key && stopped !== undefined,
  );
  return unreachable === null || isRecorded ? [] : [unreachable];
}

function breakerFact(context: FamilyRun, ask: AskCommand): EventOf<"breaker.tripped"> {
  const { session, started, family } = context;
  const { view } = session;
  const tries = family.attemptsOf(context, ask);
  return {
    type: "breaker.tripped",
    key: ask.key,
    trigger: triggerOf(ask),
    attempts: ask.trip?.limit ?? tries?.value ?? 1,
    max: ask.trip?.limit ?? tries?.limit ?? 1,
    lastError: errorsOf(view, ask).join("\n"),
    reset: tries?.reset ?? view.head.branch ?? started.base,
  };
}

/** Why the last attempt was refused; for tests why each attempt was, since the next one must avoid all of it (ORC-74). */
function errorsOf(view: RunView, ask: AskCommand): readonly string[] {
  const cause = ask.causes.at(-1);
  const judged = view.judged.findLast(({ key }) => key === cause?.key);
  if (judged && ask.trip?.counter === "red") {
    const tries = view.judged.filter(({ gate, verdict }) => gate === judged.gate && verdict === "fail");
    return attemptsText(tries.slice(-ask.trip.limit).map(({ reasons }) => reasons.join("; ")));
  }
  if (judged && judged.reasons.length > 0) return judged.reasons;
  const order = view.started?.reviewers ?? [];
  const reviews = view.reviews
    .filter(({ key }) => ask.causes.some((other) => other.key === key))
    .toSorted((a, b) => order.indexOf(a.label) - order.indexOf(b.label));
  const issues = reviews.flatMap(({ label, issues: own }) => own.map((issue) => `${label}: ${issue}`));
  const message = cause ? view.commands[cause.key]?.result?.text : null;
  return issues.length > 0 ? issues : [message ?? ""];
}

/** The protocol's text, with the gate's number for a review loop or the counter's name for a generic breaker. */
function triggerOf(ask: AskCommand): string {
  const counter = ask.trip?.counter;
  if (counter === undefined) return ask.text;
  const gate = /^gate(\d)$/u.exec(counter)?.[1];
  if (gate !== undefined) return `${ask.text} (gate ${gate})`;
  return ask.state === "trouble" ? `${ask.text} (${counter})` : ask.text;
}
