/** The regions of a parallel in a walk: started together or one by one, joined by the worst outcome, or left early. */
import type { ParallelState } from "../machine.ts";
import { emptyOutcome } from "../outcomes.ts";
import { findSpot, regionLevel } from "../levels.ts";
import { routeIn, wordOf } from "../routes.ts";
import { answer, follow } from "./follow.ts";
import { isEnded, type WalkToken } from "./position.ts";
import type { WalkState, WalkResult, Scope } from "./scope.ts";

export interface WalkRegion {
  readonly token: WalkToken;
  readonly state: ParallelState;
  readonly name: string;
}

export function startRegions(
  scope: Scope,
  token: WalkToken,
  state: ParallelState,
  now: WalkState,
): readonly WalkResult[] {
  const names = Object.keys(state.regions);
  const [first] = names;
  if (first === undefined) return answer(scope, { token, outcome: emptyOutcome }, now);
  const waiting = { ...token, regions: new Map(names.map((name) => [name, null])) };
  if (state.order === "one-by-one") return startRegion(scope, { token: waiting, state, name: first }, now);
  const begun: readonly WalkResult[] = [{ now, moved: { type: "stays", token: waiting } }];
  return names.reduce(
    (results, name) =>
      results.flatMap((result) => {
        const { moved } = result;
        const isHere =
          moved.type === "stays" &&
          moved.token.spot.id === token.spot.id &&
          moved.token.regions?.get(name) === null;
        return isHere ? startRegion(scope, { token: moved.token, state, name }, result.now) : [result];
      }),
    begun,
  );
}

function startRegion(scope: Scope, region: WalkRegion, now: WalkState): readonly WalkResult[] {
  const { token, state, name } = region;
  const inside = Object.hasOwn(state.regions, name) ? state.regions[name] : undefined;
  const spot =
    inside === undefined ? undefined : findSpot(regionLevel(token.spot, name, inside), inside.start);
  if (spot === undefined) return [];
  return scope.walker
    .enter(scope, { spot, back: null, visit: {} }, now)
    .flatMap((result) => settleRegion(scope, region, result));
}

export function settleRegion(scope: Scope, region: WalkRegion, result: WalkResult): readonly WalkResult[] {
  const { token, name } = region;
  const { now, moved } = result;
  switch (moved.type) {
    case "stays":
      return [
        {
          now,
          moved: {
            type: "stays",
            token: { ...token, regions: new Map(token.regions).set(name, moved.token) },
          },
        },
      ];
    case "region ended": {
      const regions = new Map(token.regions).set(name, { ended: moved.outcome });
      return judgeRegions(scope, { ...region, token: { ...token, regions } }, moved.outcome, now);
    }
    case "leads out":
      if (moved.spot.level.prefix !== token.spot.level.prefix) return [result];
      return scope.walker.enter(scope, { spot: moved.spot, back: null, visit: {} }, now);
    default:
      return [result];
  }
}

function judgeRegions(
  scope: Scope,
  { token, state }: WalkRegion,
  outcome: string,
  now: WalkState,
): readonly WalkResult[] {
  const route = routeIn(state.first, outcome);
  if (route !== undefined) return follow(scope, { token, route, outcome }, now);
  const regions = [...(token.regions ?? [])];
  const ended = regions.flatMap(([, region]) => (isEnded(region) ? [region.ended] : []));
  if (ended.length === regions.length)
    return answer(scope, { token, outcome: joined(state.join, ended) }, now);
  const [next] = regions.flatMap(([name, region]) => (region === null ? [name] : []));
  if (state.order === "one-by-one" && next !== undefined)
    return startRegion(scope, { token, state, name: next }, now);
  return [{ now, moved: { type: "stays", token } }];
}

/** The worst outcome by the order of `join`. */
function joined(join: readonly string[], outcomes: readonly string[]): string {
  const rank = (outcome: string) =>
    join.includes(outcome) ? join.indexOf(outcome) : join.indexOf(wordOf(outcome));
  return outcomes.toSorted((a, b) => rank(a) - rank(b))[0] ?? emptyOutcome;
}
