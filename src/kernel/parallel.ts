/** The regions of a parallel: started together or one by one, joined by the worst outcome, left early by `first`. */
import { invariant } from "../lib/assert-never.ts";
import type { ParallelState } from "../protocol/machine.ts";
import type { Cause } from "./command.ts";
import { firstFor, joined } from "./routing.ts";
import { mergeCauses } from "./issue.ts";
import type { Passage, Token } from "./state.ts";
import { newToken, ownEntry, pushMoves, type Move, type TokenSpot, type Turn } from "./turn.ts";

export function startRegions(turn: Turn, spot: TokenSpot, state: ParallelState): void {
  const regions = Object.keys(state.regions).map(newToken);
  if (state.order === "one-by-one") for (const region of regions) region.activity = { type: "queued" };
  spot.token.activity = { type: "regions", regions };
  if (state.order === "one-by-one" || regions.length === 0) return pushMoves(turn, { type: "judge", spot });
  pushMoves(turn, ...regions.map((region) => enterRegion(spot, state, region)));
}

/** After a region ends: leave early, join, or start the next one. */
export function judgeRegions(turn: Turn, spot: TokenSpot, state: ParallelState): void {
  const { activity } = spot.token;
  if (activity.type !== "regions") return;
  const ended = activity.regions.flatMap((region) =>
    region.activity.type === "ended" ? [{ name: region.name, ...region.activity }] : [],
  );
  for (const { name, outcome, causes } of ended) {
    const route = firstFor(state, outcome);
    if (route) return pushMoves(turn, { type: "take", spot, route, passage: { causes }, trigger: name });
  }
  if (ended.length === activity.regions.length) {
    const outcome = joined(
      state.join,
      ended.map((region) => region.outcome),
    );
    const causes =
      ended.length === 0 ? spot.token.entry.causes : mergeCauses(...ended.map((region) => region.causes));
    return pushMoves(turn, { type: "route", spot, outcome, passage: { causes } });
  }
  const waiting = activity.regions.filter((region) => region.activity.type !== "ended");
  const [next] = waiting;
  if (next && waiting.every((region) => region.activity.type === "queued"))
    pushMoves(turn, enterRegion(spot, state, next));
}

/** Restarts the region that triggered the `first` route; the others have continued meanwhile. */
export function restartRegion(
  turn: Turn,
  { spot, trigger, passage }: Extract<Move, { type: "restart" }>,
  state: ParallelState,
): void {
  const { activity } = spot.token;
  if (activity.type !== "regions") return;
  const fresh = newToken(trigger);
  const regions = activity.regions.map((region) => (region.name === trigger ? fresh : region));
  spot.token.activity = { type: "regions", regions };
  pushMoves(turn, enterRegion(spot, state, fresh, passage.causes), { type: "judge", spot });
}

function enterRegion(spot: TokenSpot, state: ParallelState, token: Token, more: readonly Cause[] = []): Move {
  const region = ownEntry(state.regions, token.name);
  invariant(region, `region ${token.name} of ${state.name}`);
  const { causes, ctx, thread } = spot.token.entry;
  const passage: Passage = {
    causes: mergeCauses(causes, more),
    ...(ctx === undefined ? {} : { ctx }),
    ...(thread === undefined ? {} : { thread }),
  };
  token.activity = { type: "idle" };
  return {
    type: "enter",
    spot: { ...spot, outer: [...spot.outer, spot.token], token },
    state: region.start,
    passage,
  };
}
