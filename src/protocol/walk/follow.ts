/** Moves a token along a route: to a state, out of its region or frame, or back from an ask. */
import type { Route } from "../machine.ts";
import { routeFor } from "../routes.ts";
import { tokenAt, type WalkBack, type WalkToken } from "./position.ts";
import { stepOf, type WalkState, type WalkResult, type Scope } from "./scope.ts";
import { takeRoute, type RouteResult } from "./take.ts";

interface AnswerOptions {
  readonly token: WalkToken;
  readonly outcome: string;
}

export function answer(
  scope: Scope,
  { token, outcome }: AnswerOptions,
  now: WalkState,
): readonly WalkResult[] {
  const route = routeFor(scope.machine, token.spot.state, outcome);
  return route === undefined ? [] : follow(scope, { token, route, outcome }, now);
}

interface FollowOptions {
  readonly token: WalkToken;
  readonly route: Route;
  readonly outcome?: string;
}

/** Takes the route of an outcome and records it as a step. */
export function follow(
  scope: Scope,
  { token, route, outcome }: FollowOptions,
  now: WalkState,
): readonly WalkResult[] {
  return take(scope, { token, route }, now, (taken) => {
    const [trip] = taken.trips;
    const step = stepOf(scope, token.spot, outcome ?? "");
    return { ...now, steps: [...now.steps, trip === undefined ? step : { ...step, trip }] };
  });
}

export function take(
  scope: Scope,
  { token, route }: FollowOptions,
  now: WalkState,
  record = (_: RouteResult): WalkState => now,
): readonly WalkResult[] {
  const { machine } = scope;
  const { spot, visit } = token;
  const counts = { frame: now.memory.tallies, visit };
  return takeRoute({ machine, from: spot, level: spot.level }, route, counts).flatMap((taken) => {
    const told = record(taken);
    const memory = { ...told.memory, tallies: taken.counts.frame };
    return followDestination(
      scope,
      { token: { ...token, visit: taken.counts.visit }, taken },
      { ...told, memory },
    );
  });
}

function followDestination(
  scope: Scope,
  { token, taken }: { readonly token: WalkToken; readonly taken: RouteResult },
  now: WalkState,
): readonly WalkResult[] {
  const { to, rest } = taken;
  switch (to.type) {
    case "spot": {
      if (to.spot.level.prefix !== token.spot.level.prefix)
        return [{ now, moved: { type: "leads out", spot: to.spot } }];
      const again = to.spot.id === token.spot.id;
      const back =
        again && rest === null
          ? token.back
          : { spot: token.spot, rest, before: withoutSpots(token.back, [token.spot.id, to.spot.id]) };
      return scope.walker.enter(scope, { spot: to.spot, back, visit: again ? token.visit : {} }, now);
    }
    case "joined":
      return [{ now, moved: { type: "region ended", outcome: to.outcome } }];
    case "ended":
      return [{ now, moved: { type: "frame ended", outcome: to.outcome } }];
    case "resume":
      return [{ now, moved: { type: "resumes" } }];
    case "back":
      return goBack(scope, token, now);
    case "nowhere":
      return [];
  }
}

function goBack(scope: Scope, token: WalkToken, now: WalkState): readonly WalkResult[] {
  const { back } = token;
  if (back === null) return scope.walker.enter(scope, token, now);
  if (back.rest !== null)
    return take(scope, { token: tokenAt(back.spot, back.before), route: back.rest }, now);
  return scope.walker.enter(scope, { spot: back.spot, back: back.before, visit: {} }, now);
}

/** The way back without these spots, so that a loop between asks does not lengthen it. */
function withoutSpots(back: WalkBack | null, ids: readonly string[]): WalkBack | null {
  if (back === null) return null;
  const before = withoutSpots(back.before, ids);
  return ids.includes(back.spot.id) ? before : { ...back, before };
}
