/** Takes a token along a route: to a state, out of its region or frame, or back from an ask. */
import type { Route } from "../machine.ts";
import { routeFor } from "../routes.ts";
import { standing, type Back, type Token } from "./position.ts";
import { stepOf, type Now, type Result, type Scope } from "./scope.ts";
import { takeRoute, type Taken } from "./take.ts";

interface Answering {
  readonly token: Token;
  readonly outcome: string;
}

export function answer(scope: Scope, { token, outcome }: Answering, now: Now): readonly Result[] {
  const route = routeFor(scope.machine, token.spot.state, outcome);
  return route === undefined ? [] : follow(scope, { token, route, outcome }, now);
}

interface Following {
  readonly token: Token;
  readonly route: Route;
  readonly outcome?: string;
}

/** Takes the route of an outcome, which is told as a step. */
export function follow(scope: Scope, { token, route, outcome }: Following, now: Now): readonly Result[] {
  return take(scope, { token, route }, now, (taken) => {
    const [trip] = taken.trips;
    const step = stepOf(scope, token.spot, outcome ?? "");
    return { ...now, steps: [...now.steps, trip === undefined ? step : { ...step, trip }] };
  });
}

export function take(
  scope: Scope,
  { token, route }: Following,
  now: Now,
  tell = (_: Taken): Now => now,
): readonly Result[] {
  const { machine } = scope;
  const { spot, visit } = token;
  const counts = { frame: now.memory.tallies, visit };
  return takeRoute({ machine, from: spot, level: spot.level }, route, counts).flatMap((taken) => {
    const told = tell(taken);
    const memory = { ...told.memory, tallies: taken.counts.frame };
    return go(scope, { token: { ...token, visit: taken.counts.visit }, taken }, { ...told, memory });
  });
}

function go(
  scope: Scope,
  { token, taken }: { readonly token: Token; readonly taken: Taken },
  now: Now,
): readonly Result[] {
  const { to, rest } = taken;
  switch (to.type) {
    case "spot": {
      if (to.spot.level.prefix !== token.spot.level.prefix)
        return [{ now, moved: { type: "leads out", spot: to.spot } }];
      const again = to.spot.id === token.spot.id;
      const back =
        again && rest === null
          ? token.back
          : { spot: token.spot, rest, before: shortened(token.back, [token.spot.id, to.spot.id]) };
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

function goBack(scope: Scope, token: Token, now: Now): readonly Result[] {
  const { back } = token;
  if (back === null) return scope.walker.enter(scope, token, now);
  if (back.rest !== null)
    return take(scope, { token: standing(back.spot, back.before), route: back.rest }, now);
  return scope.walker.enter(scope, { spot: back.spot, back: back.before, visit: {} }, now);
}

/** Going round between asks does not make the way back longer. */
function shortened(back: Back | null, ids: readonly string[]): Back | null {
  if (back === null) return null;
  const before = shortened(back.before, ids);
  return ids.includes(back.spot.id) ? before : { ...back, before };
}
