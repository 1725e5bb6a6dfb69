/** Frames in a walk: their tokens, interrupting events, and aborts. */
import { startOf } from "../flow.ts";
import { frameOutcome } from "../outcomes.ts";
import { handlerLevel, machineLevel } from "../levels.ts";
import { routeIn } from "../routes.ts";
import { follow, take } from "./follow.ts";
import { spotsOf, tokenAt, type WalkFrame } from "./position.ts";
import { stepOf, type FrameResult, type WalkState, type WalkResult, type Scope } from "./scope.ts";

export function beginFrame(scope: Scope, now: WalkState): readonly FrameResult[] {
  const { machine, around } = scope;
  return startOf(machineLevel(machine)).flatMap((spot) => {
    const frame: WalkFrame = { machine, around, token: tokenAt(spot), handler: null, memory: now.memory };
    return scope.walker
      .enter(scope, { spot, back: null, visit: {} }, now)
      .flatMap((result) => settleMain(frame, result));
  });
}

export function frameMoves(scope: Scope, frame: WalkFrame, now: WalkState): readonly FrameResult[] {
  // While a handler runs, the frame's other tokens are parked.
  if (frame.handler !== null) {
    return scope.walker
      .tokenMoves(scope, frame.handler, now)
      .flatMap((result) => settleHandler(scope, frame, result));
  }
  const moves = scope.walker
    .tokenMoves(scope, frame.token, now)
    .flatMap((result) => settleMain(frame, result));
  return [...moves, ...events(scope, frame, now)];
}

function settleMain(frame: WalkFrame, { now, moved }: WalkResult): readonly FrameResult[] {
  if (moved.type === "stays") return [{ now, frame: { ...frame, token: moved.token, memory: now.memory } }];
  return moved.type === "frame ended" ? [{ now, frame: { ended: moved.outcome } }] : [];
}

function settleHandler(scope: Scope, frame: WalkFrame, result: WalkResult): readonly FrameResult[] {
  const { now, moved } = result;
  const without = { ...frame, handler: null, memory: now.memory };
  switch (moved.type) {
    case "stays":
      return [{ now, frame: { ...without, handler: moved.token } }];
    case "resumes":
      return [{ now, frame: without }];
    case "leads out":
      return scope.walker
        .enter(scope, { spot: moved.spot, back: null, visit: {} }, now)
        .flatMap((entered) => settleMain(without, entered));
    default:
      return settleMain(without, result);
  }
}

/** An event may occur whenever a current state or the machine has a handler for it. */
function events(scope: Scope, frame: WalkFrame, now: WalkState): readonly FrameResult[] {
  const { machine } = scope;
  const owners = [
    ...spotsOf(frame.token).map((spot) => ({ spot, events: spot.state.events })),
    { spot: null, events: machine.events },
  ];
  return owners.flatMap(({ spot: owner, events: handlers }) =>
    Object.entries(handlers).flatMap(([event, handler]) => {
      const step = stepOf(scope, owner ?? frame.token.spot, event);
      const told = { ...now, steps: [...now.steps, step] };
      if (handler.type === "route") {
        return take(scope, { token: frame.token, route: handler.route }, told).flatMap((result) =>
          settleMain(frame, result),
        );
      }
      const level = handlerLevel(machine, { owner, event, region: handler.region });
      return startOf(level)
        .flatMap((spot) => scope.walker.enter(scope, { spot, back: null, visit: {} }, told))
        .flatMap((result) => settleHandler(scope, frame, result));
    }),
  );
}

export function abort(scope: Scope, frame: WalkFrame, now: WalkState): readonly FrameResult[] {
  const route = routeIn(scope.machine.errors, frameOutcome);
  if (route === undefined) return [];
  return follow(scope, { token: frame.token, route, outcome: frameOutcome }, now).flatMap((result) =>
    settleMain({ ...frame, handler: null }, result),
  );
}
