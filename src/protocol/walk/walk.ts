/**
 * Walks through a protocol under every outcome: from a position to all that can follow it. It does what the kernel does,
 * with at most one item for each `each`, and without payloads, rounds and threads; a machine inside itself is not entered
 * a second time, its children may end in any way they can.
 */
import type { AskState } from "../machine.ts";
import { startChild, childMoves } from "./children.ts";
import { follow } from "./follow.ts";
import { abort, beginFrame, frameMoves } from "./frames.ts";
import { isEnded, standing, type Position, type Token } from "./position.ts";
import { settleRegion, startRegions } from "./regions.ts";
import {
  emptyMemory,
  type FrameResult,
  type Next,
  type Now,
  type Place,
  type Result,
  type Scope,
  type World,
} from "./scope.ts";
import { provedAfter, waysOut, type WayOut } from "./ways.ts";

export function firstPositions(world: World): readonly Next[] {
  const machine = world.protocol.machines[world.machine];
  if (machine === undefined) return [];
  const now = { memory: emptyMemory(world), proved: false, steps: [] };
  return beginFrame({ walker, world, machine, around: [] }, now).map(toNext);
}

export function nextPositions(world: World, { frame, proved }: Position): readonly Next[] {
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

function tokenMoves(scope: Scope, token: Token, now: Now): readonly Result[] {
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
  return waysOut(scope, state).flatMap(({ outcome, route }) =>
    follow(
      scope,
      { token, route, outcome },
      { ...now, proved: provedAfter(scope, state, outcome, now.proved) },
    ),
  );
}

const mostStepsAtOnce = 100;

function enter(scope: Scope, place: Place, now: Now): readonly Result[] {
  const { spot, back, visit } = place;
  const { state, level } = spot;
  // States that do nothing and lead into each other: no run gets anywhere, so no way leads on from here.
  if (now.steps.length > mostStepsAtOnce) return [];
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
      return startRegions(scope, { ...standing(spot), visit }, state, now);
    case "each":
      return startChild(scope, { ...standing(spot), visit }, state, now);
    case "ask": {
      const token = { ...standing(spot, back), visit };
      const detour = back === null ? undefined : onlyBack(scope, state);
      // Who is only sent back is passed by at once: whatever could happen meanwhile can happen there too.
      if (detour !== undefined) return follow(scope, { token, ...detour }, now);
      return [{ now, moved: { type: "stands", token } }];
    }
    default:
      return [{ now, moved: { type: "stands", token: { ...standing(spot), visit } } }];
  }
}

/** The answer of an ask of a person that every answer leads back from, and nothing else. */
function onlyBack(scope: Scope, state: AskState): WayOut | undefined {
  const [way, ...others] = waysOut(scope, state);
  const isBack = way?.route.to.type === "back" && way.route.do.length === 0;
  return state.to === "person" && isBack && others.length === 0 ? way : undefined;
}
