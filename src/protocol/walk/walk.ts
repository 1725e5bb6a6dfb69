/**
 * Computes all successors of a position under every outcome. It follows the kernel's rules with at most one item for each
 * `each`, and without payloads, rounds and threads. A machine inside itself is not entered a second time; its children may
 * end with any possible outcome.
 */
import type { AskState } from "../machine.ts";
import { startChild, childMoves } from "./children.ts";
import { follow } from "./follow.ts";
import { abort, beginFrame, frameMoves } from "./frames.ts";
import { isEnded, tokenAt, type WalkPosition, type WalkToken } from "./position.ts";
import { settleRegion, startRegions } from "./regions.ts";
import {
  emptyMemory,
  type FrameResult,
  type Next,
  type WalkState,
  type EntryPoint,
  type WalkResult,
  type Scope,
  type World,
} from "./scope.ts";
import { isProvedAfter, outcomeRoutes, type OutcomeRoute } from "./outcome-routes.ts";

export function firstPositions(world: World): readonly Next[] {
  const machine = world.protocol.machines[world.machine];
  if (machine === undefined) return [];
  const now = { memory: emptyMemory(world), proved: false, steps: [] };
  return beginFrame({ walker, world, machine, around: [] }, now).map(toNext);
}

export function nextPositions(world: World, { frame, proved }: WalkPosition): readonly Next[] {
  const scope = { walker, world, machine: frame.machine, around: frame.around };
  const now = { memory: frame.memory, proved, steps: [] };
  const aborted = abort(scope, frame, now);
  return [...frameMoves(scope, frame, now), ...aborted].map(toNext);
}

const walker = { enter, tokenMoves, beginFrame, frameMoves };

function toNext({ now, frame }: FrameResult): Next {
  const to = "ended" in frame ? { ended: frame.ended, proved: now.proved } : { frame, proved: now.proved };
  return { steps: now.steps, to };
}

function tokenMoves(scope: Scope, token: WalkToken, now: WalkState): readonly WalkResult[] {
  const { state } = token.spot;
  if (token.regions !== null && state.kind === "parallel") {
    return [...token.regions].flatMap(([name, region]) =>
      region === null || isEnded(region)
        ? []
        : tokenMoves(scope, region, now).flatMap((result) =>
            settleRegion(scope, { token, state, name }, result),
          ),
    );
  }
  if (token.child !== null && state.kind === "each")
    return childMoves(scope, { token, state, child: token.child }, now);
  return outcomeRoutes(scope, state).flatMap(({ outcome, route }) =>
    follow(
      scope,
      { token, route, outcome },
      { ...now, proved: isProvedAfter(scope, state, outcome, now.proved) },
    ),
  );
}

const maxStepsAtOnce = 100;

function enter(scope: Scope, place: EntryPoint, now: WalkState): readonly WalkResult[] {
  const { spot, back, visit } = place;
  const { state, level } = spot;
  // A cycle of states without work: no run can continue from here.
  if (now.steps.length > maxStepsAtOnce) return [];
  switch (state.kind) {
    case "end":
      return [
        {
          now,
          moved: {
            type: level.parallel === undefined ? "frame ended" : "region ended",
            outcome: state.outcome,
          },
        },
      ];
    case "parallel":
      return startRegions(scope, { ...tokenAt(spot), visit }, state, now);
    case "each":
      return startChild(scope, { ...tokenAt(spot), visit }, state, now);
    case "ask": {
      const token = { ...tokenAt(spot, back), visit };
      const detour = back === null ? undefined : onlyBack(scope, state);
      // An ask that only leads back is skipped: everything possible during it is also possible there.
      if (detour !== undefined) return follow(scope, { token, ...detour }, now);
      return [{ now, moved: { type: "stays", token } }];
    }
    default:
      return [{ now, moved: { type: "stays", token: { ...tokenAt(spot), visit } } }];
  }
}

/** The only answer of an ask to a person, if it only leads back. */
function onlyBack(scope: Scope, state: AskState): OutcomeRoute | undefined {
  const [way, ...others] = outcomeRoutes(scope, state);
  const isBack = way?.route.to.type === "back" && way.route.do.length === 0;
  return state.to === "person" && isBack && others.length === 0 ? way : undefined;
}
