/**
 * The canonical text of a state: states with equal texts have equal futures. It leaves out key numbers, causes,
 * dialogues, rounds and facts, since they decide nothing.
 */
import type { RunState } from "./state.ts";

type Frame = RunState["frames"][string];
type Token = Frame["token"];
type Activity = Token["activity"];
type Tallies = Frame["counters"];

export function canonical(state: RunState): string {
  if (state.ended) return `ended ${state.ended.outcome} ${state.ended.reason}`;
  const main = state.frames["main"];
  return main ? frameText(state, main) : "not started";
}

function frameText(state: RunState, frame: Frame): string {
  const parts = [
    frame.machine,
    frame.outcome ?? tokenText(frame.token),
    talliesText(frame.counters),
    Object.entries(frame.lists)
      .map(([name, items]) => `${name}=${itemsText(items)}`)
      .join(),
    frame.unclaimed ? itemsText(frame.unclaimed) : "",
    frame.mailbox.map((mail) => mail.event).join(),
    frame.handler
      ? `${frame.handler.event}@${frame.handler.owner.join("/")} ${tokenText(frame.handler.token)}`
      : "",
    Object.entries(frame.locks)
      .map(([lock, queue]) => `${lock}=${queue.map(unnumbered).join()}`)
      .join(),
    Object.entries(frame.children)
      .map(([each, children]) => `${unnumbered(each)}=${childrenText(state, children)}`)
      .join(),
  ];
  return `{${parts.join(";")}}`;
}

function childrenText(state: RunState, children: Frame["children"][string]): string {
  const texts = children.map((child) => {
    const frame = child.frame === null ? undefined : state.frames[child.frame];
    const marks = `${child.outcome ?? ""}${child.judged ? "!" : ""}${child.reopen === null ? "" : `@${child.reopen}`}`;
    return `${child.item.id}:${child.item.hash}:${marks}${frame ? frameText(state, frame) : ""}`;
  });
  return `[${texts.join()}]`;
}

function tokenText(token: Token): string {
  const back = token.back ? `<${JSON.stringify(backOf(token.back))}` : "";
  const held = token.held
    ? `|${token.held.state} ${token.held.trigger} ${activityText(token.held.activity)}`
    : "";
  return `${token.name}/${token.state} ${talliesText(token.visit)}${entryText(token.entry)}${activityText(token.activity)}${back}${held}`;
}

function activityText(activity: Activity): string {
  switch (activity.type) {
    case "regions":
      return `(${activity.regions.map(tokenText).join()})`;
    case "ended":
      return `=${activity.outcome}`;
    default:
      return activity.type;
  }
}

function entryText(entry: Token["entry"]): string {
  return entry.reopen === undefined ? "" : `@${entry.reopen}${itemsText(entry.items ?? [])}`;
}

interface BackText {
  readonly state: string;
  readonly rest: unknown;
  readonly before: BackText | null;
}

function backOf({ state, rest, before }: NonNullable<Token["back"]>): BackText {
  const { to, do: actions, reopen } = rest?.route ?? {};
  return {
    state,
    rest: rest && [to, actions, reopen, rest.passage.signature],
    before: before && backOf(before),
  };
}

function talliesText(tallies: Tallies): string {
  return Object.entries(tallies)
    .map(([name, { value, signature }]) => `${name}${value}${signature ?? ""}`)
    .toSorted()
    .join();
}

function itemsText(items: readonly { readonly id: string; readonly hash: string }[]): string {
  return items.map((item) => `${item.id}:${item.hash}`).join("+");
}

/** A frame's path without the number of its activation. */
function unnumbered(path: string): string {
  return path.replaceAll(/~\d+/gu, "");
}
