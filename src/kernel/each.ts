/** The children of an each: one frame per item, kept or replaced on re-entry, joined like regions. */
import type { EachState, Route } from "../protocol/machine.ts";
import type { Cause } from "./command.ts";
import type { Item } from "./event.ts";
import { beginFrame } from "./frames.ts";
import { wordOf } from "../protocol/routes.ts";
import { firstFor, joined } from "./routing.ts";
import { base, cancel, mergeCauses } from "./issue.ts";
import type { Child, Frame } from "./state.ts";
import { dropFrame } from "./stop.ts";
import { frameOf, ownEntry, pushMoves, type Move, type TokenSpot, type Turn } from "./turn.ts";
import { mainSpot, pathOf, spotsOf } from "./spots.ts";

export function startChildren(turn: Turn, spot: TokenSpot, state: EachState): void {
  const { frame, token } = spot;
  const path = pathOf(spot);
  const before = ownEntry(frame.children, path) ?? [];
  const items = claim(frame, state.items);
  const named = new Set(
    token.entry.reopen === undefined ? [] : (token.entry.items ?? []).map((item) => item.id),
  );
  const answers: Move[] = [];
  const children = items.map((item) => {
    const old = before.find((child) => child.item.id === item.id);
    if (old && isUnacknowledged(turn, { state, child: old, item })) return { ...old };
    const asking = old && askingSpot(turn, old);
    if (asking) answers.push(answer(turn, asking, token.entry.causes));
    if (old && (asking || canKeep(state, old, item))) {
      const reopen = old.outcome !== null && named.has(item.id) ? (token.entry.reopen ?? null) : null;
      return {
        ...old,
        item,
        judged: old.outcome !== null && reopen === null,
        reopen,
        outcome: reopen === null ? old.outcome : null,
      };
    }
    if (old?.frame) dropFrame(turn, old.frame);
    return newChild(item);
  });
  for (const old of before)
    if (old.frame !== null && !items.some((item) => item.id === old.item.id)) dropFrame(turn, old.frame);
  frame.children[path] = children;
  token.activity = { type: "children", each: path };
  pushMoves(turn, ...answers, { type: "judge", spot });
}

/** After the each is entered, or a child ends or asks: leave early, join, or start waiting children. */
export function judgeChildren(turn: Turn, spot: TokenSpot, state: EachState): void {
  const { activity } = spot.token;
  if (activity.type !== "children") return;
  const children = ownEntry(spot.frame.children, activity.each) ?? [];
  for (const child of children) {
    const route = firstOf(turn, state, child);
    if (!route) continue;
    // With `keep` the others continue, so one visit handles all children whose `first` route has this target.
    const heard = state.keep
      ? children.filter((each) => leadsTo(route, firstOf(turn, state, each)))
      : [child];
    const causes = heard.map((each) => causeOf(turn, activity.each, each, childOutcome(turn, each) ?? ""));
    // With `keep`, a child is judged when a command or an answer has used its cause: acknowledge().
    if (!state.keep) child.judged = true;
    return pushMoves(turn, { type: "take", spot, route, passage: { causes }, trigger: child.item.id });
  }
  const settled = children.flatMap((child) => {
    const outcome = childOutcome(turn, child);
    return outcome === null || (outcome === "asked" && !state.join.includes(outcome))
      ? []
      : [{ child, outcome }];
  });
  if (settled.length === children.length) {
    const outcome = joined(
      state.join,
      settled.map((each) => each.outcome),
    );
    const causes = settled.map((each) => causeOf(turn, activity.each, each.child, each.outcome));
    const passage = { causes: causes.length === 0 ? spot.token.entry.causes : causes };
    return pushMoves(turn, { type: "route", spot, outcome, passage });
  }
  const waiting = children.filter((child) => isWaiting(child));
  const starting =
    state.order === "together"
      ? waiting
      : waiting.length + settled.length === children.length
        ? waiting.slice(0, 1)
        : [];
  pushMoves(turn, ...starting.map((child): Move => ({ type: "spawn", spot, child, more: [] })));
}

/** Restarts or answers the child that triggered the `first` route; its siblings have continued meanwhile. */
export function restartChild(
  turn: Turn,
  { spot, trigger, passage }: Extract<Move, { type: "restart" }>,
): void {
  const { activity } = spot.token;
  if (activity.type !== "children") return;
  const children = ownEntry(spot.frame.children, activity.each) ?? [];
  const old = children.find((child) => child.item.id === trigger);
  const asking = old && askingSpot(turn, old);
  if (old && asking) {
    old.judged = false;
    return pushMoves(turn, answer(turn, asking, passage.causes), { type: "judge", spot });
  }
  if (!old) return pushMoves(turn, { type: "judge", spot });
  if (old.frame !== null) dropFrame(turn, old.frame);
  const child = newChild(old.item);
  spot.frame.children[activity.each] = children.map((each) => (each === old ? child : each));
  pushMoves(turn, { type: "spawn", spot, child, more: passage.causes }, { type: "judge", spot });
}

/** Starts a child or reopens an ended one. Does nothing if an earlier move did so or left the each. */
export function spawn(
  turn: Turn,
  { spot, child, more }: Extract<Move, { type: "spawn" }>,
  state: EachState,
): void {
  const { activity } = spot.token;
  if (activity.type !== "children" || !isWaiting(child)) return;
  if (!ownEntry(spot.frame.children, activity.each)?.includes(child)) return;
  const causes = mergeCauses(spot.token.entry.causes, more);
  const kept = child.frame === null ? undefined : frameOf(turn, child.frame);
  if (kept && child.reopen !== null) {
    kept.outcome = null;
    const { ctx, thread } = spot.token.entry;
    const passage = { causes, ...(ctx !== undefined && { ctx }), ...(thread !== undefined && { thread }) };
    pushMoves(turn, { type: "enter", spot: mainSpot(kept), state: child.reopen, passage });
    child.reopen = null;
    return;
  }
  const path = `${activity.each}/${segment(child.item.id)}`;
  const common = base(turn, spot, path);
  const nth = ownEntry(ownEntry(turn.draft.issued, spot.frame.id) ?? {}, path) ?? 1;
  const id = nth === 1 ? path : `${path}~${nth}`;
  turn.commands.push({ type: "spawn", ...common, child: id, machine: state.machine, item: child.item.id });
  child.frame = id;
  const parent = { frame: spot.frame.id, each: activity.each, item: child.item.id };
  beginFrame(turn, { id, machine: state.machine, parent, passage: { causes } });
}

function newChild(item: Item): Child {
  return { item, frame: null, outcome: null, causes: [], reopen: null, judged: false };
}

/** The `first` route of a child that the parent has not acknowledged yet. */
function firstOf(turn: Turn, state: EachState, child: Child): Route | undefined {
  const outcome = child.judged ? null : childOutcome(turn, child);
  return outcome === null ? undefined : firstFor(state, outcome);
}

function leadsTo({ to: one }: Route, other: Route | undefined): boolean {
  return one.type === "state" && other?.to.type === "state" && one.state === other.to.state;
}

/** The child failed or asked while the parent was elsewhere: handle that before it is restarted or answered. */
function isUnacknowledged(turn: Turn, { state, child, item }: Reentry): boolean {
  if (child.item.hash !== item.hash || firstOf(turn, state, child) === undefined) return false;
  return child.outcome === null || !endedWell(state, child.outcome);
}

interface Reentry {
  readonly state: EachState;
  readonly child: Child;
  readonly item: Item;
}

/** An unchanged item whose child is running or ended well keeps its child. */
function canKeep(state: EachState, child: Child, item: Item): boolean {
  if (child.item.hash !== item.hash) return false;
  return child.outcome === null ? child.frame !== null : endedWell(state, child.outcome);
}

function endedWell(state: EachState, outcome: string): boolean {
  const word = wordOf(outcome);
  return (
    word !== "failed" && word !== "halted" && (state.join.includes(outcome) || state.join.includes(word))
  );
}

function isWaiting(child: Child): boolean {
  return child.outcome === null && (child.frame === null || child.reopen !== null);
}

/** The outcome of a child for `first` and `join`; `asked` while it asks its parent. */
function childOutcome(turn: Turn, child: Child): string | null {
  return child.outcome ?? (askingSpot(turn, child) ? "asked" : null);
}

function askingSpot(turn: Turn, child: Child): TokenSpot | undefined {
  const frame = child.frame === null ? undefined : frameOf(turn, child.frame);
  return (
    frame &&
    spotsOf(frame).find(({ token: { activity } }) => activity.type === "asking" && activity.to === "parent")
  );
}

/** The parent answers by re-entering its each. */
function answer(turn: Turn, spot: TokenSpot, causes: readonly Cause[]): Move {
  const { token } = spot;
  if (token.activity.type === "asking") cancel(turn, spot, token.activity.key);
  token.activity = { type: "idle" };
  return {
    type: "route",
    spot,
    outcome: "answer",
    passage: { causes: mergeCauses(token.entry.causes, causes) },
  };
}

/** The cause that a child contributes: its outcome with the payload of its last result. */
function causeOf(turn: Turn, each: string, child: Child, outcome: string): Cause {
  const last = child.causes.at(-1) ?? askingSpot(turn, child)?.token.entry.causes.at(-1);
  const path = child.frame ?? `${each}/${segment(child.item.id)}`;
  return {
    key: last?.key ?? path,
    path,
    outcome,
    ...(last?.payload === undefined ? {} : { payload: last.payload }),
  };
}

/** The latest list of this name. An unnamed list that no each has claimed yet becomes this one. */
function claim(frame: Frame, name: string): readonly Item[] {
  if (frame.unclaimed) frame.lists[name] = frame.unclaimed;
  frame.unclaimed = null;
  const items = ownEntry(frame.lists, name) ?? [];
  return items.filter((item, index) => items.findIndex((other) => other.id === item.id) === index);
}

/** Encodes an item's id as one path segment. */
function segment(id: string): string {
  return encodeURIComponent(id.replace(/\p{Surrogate}/gu, "\ufffd")).replaceAll("~", "%7E");
}
