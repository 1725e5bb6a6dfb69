/** The protocol state of a node, and what the node waits for. */
import { parentIdOf } from "../../log/node-id.ts";
import type { RunState } from "../../kernel/state.ts";

export type FrameNow = RunState["frames"][string];
type TokenNow = FrameNow["token"];
type ActivityNow = TokenNow["activity"];

export interface NodeState {
  readonly state: string;
  readonly mode: string | null;
  /** Key of its running or asking command. */
  readonly key: string | null;
  readonly waitsFor: readonly string[];
}

interface NodeFrame {
  readonly id: string;
  readonly frame: FrameNow;
}

export function nodeState(state: RunState, { id, frame }: NodeFrame): NodeState {
  const nothing = { mode: null, key: null, waitsFor: [] };
  if (frame.outcome !== null) return { ...nothing, state: frame.outcome };
  const tokens = [...(frame.handler === null ? [] : tokensOf(frame.handler.token)), ...tokensOf(frame.token)];
  const waitsForWork = tokens.flatMap(({ activity, held }) => regionsOf(held?.activity ?? activity));
  const waitsFor = waitsForWork.flatMap((region) => pendingWork(frame, region));
  const now = firstOf(tokens);
  if (now === null) return { ...nothing, state: "held", waitsFor };
  const { activity } = now;
  return {
    state: now.state,
    mode: now.mode,
    key: activity.type === "working" || activity.type === "asking" ? activity.key : null,
    waitsFor: [...waitsFor, ...blockers(state, { id, frame }, activity)],
  };
}

/** A handler's token comes before the node's own, which it halts; working tokens come before waiting ones. */
function firstOf(tokens: readonly TokenNow[]): TokenNow | null {
  for (const type of ["working", "asking", "locked", "parked"] as const) {
    const found = tokens.find(({ activity }) => activity.type === type);
    if (found) return found;
  }
  return null;
}

/** A token and the tokens of its regions, also while an ask interrupts it. */
function tokensOf(token: TokenNow): readonly TokenNow[] {
  const inner = regionsOf(token.held?.activity ?? token.activity);
  return [token, ...inner.flatMap((region) => tokensOf(region))];
}

function regionsOf(activity: ActivityNow): readonly TokenNow[] {
  return activity.type === "regions" ? activity.regions : [];
}

/** What a region has not delivered yet, in the terms of the specification. */
function pendingWork(frame: FrameNow, region: TokenNow): readonly string[] {
  if (region.activity.type === "ended") return [];
  if (region.name === "tests") return ["TDD.TestsReady"];
  if (region.name !== "children") return [region.name];
  const open = Object.values(frame.children)
    .flat()
    .filter(({ outcome }) => outcome !== "merged");
  if (open.length > 0) return open.map(({ item }) => `child ${item.id}`);
  return region.state === "contracts" ? ["contracts of its children"] : [];
}

function blockers(
  state: RunState,
  { id, frame }: { readonly id: string; readonly frame: FrameNow },
  activity: ActivityNow,
): readonly string[] {
  if (activity.type === "asking")
    return [activity.to === "person" ? "a person" : `Scaffold of ${parentIdOf(id) ?? ""}`];
  if (activity.type !== "locked" || frame.parent === null) return [];
  const parent = state.frames[frame.parent.frame];
  const holders = Object.values(parent?.locks ?? {}).flatMap(([holder]) => holder ?? []);
  return holders
    .filter((holder) => holder !== frame.id)
    .map((holder) => `merge of ${state.frames[holder]?.parent?.item ?? holder}`);
}
