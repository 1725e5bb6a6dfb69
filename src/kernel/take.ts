/** Takes a route: its actions in order, then its target. A counter that runs out takes its own route instead. */
import type { Action, Route } from "../protocol/machine.ts";
import { assertNever } from "../lib/assert-never.ts";
import { goBack, backToCurrent, withoutState } from "./back.ts";
import { count, reset } from "./counters.ts";
import { note } from "./enter.ts";
import { emit } from "./events.ts";
import { openDialogue } from "./frames.ts";
import { wordOf } from "../protocol/routes.ts";
import { routeHere } from "./routing.ts";
import { mergeCauses } from "./issue.ts";
import type { Frame, Passage } from "./state.ts";
import { dropHandler } from "./stop.ts";
import type { Cause } from "./command.ts";
import { resumedOutcome } from "../protocol/outcomes.ts";
import { ownEntry, pushMoves, type Move, type TokenSpot, type Turn } from "./turn.ts";
import { spotsOf, stateOf } from "./spots.ts";

export function routeOutcome(turn: Turn, { spot, outcome, passage }: Extract<Move, { type: "route" }>): void {
  const route =
    routeHere(turn, spot, outcome) ??
    (wordOf(outcome) === "halted" ? routeHere(turn, spot, "abort") : undefined);
  if (!route)
    return pushMoves(turn, { type: "fail", reason: `state ${spot.token.state} has no route for ${outcome}` });
  if (passage.items && route.reopen === undefined) spot.frame.unclaimed = passage.items;
  pushMoves(turn, { type: "take", spot, route, passage });
}

export function take(turn: Turn, move: Extract<Move, { type: "take" }>): void {
  for (const [index, action] of move.route.do.entries()) {
    const stop = act(turn, move, action);
    if (stop === "go on") continue;
    const rest: Route = { ...move.route, do: move.route.do.slice(index + 1) };
    return stop(rest);
  }
  followTarget(turn, move);
}

type TakeMove = Extract<Move, { type: "take" }>;

/** Performs one action. If it cuts the route short, returns a function that takes the rest of the route elsewhere. */
function act(
  turn: Turn,
  { spot, route, passage, trigger, answered }: TakeMove,
  action: Action,
): "go on" | ((rest: Route) => void) {
  const { frame, token } = spot;
  switch (action.type) {
    case "count": {
      const counted = count(turn, { spot, name: action.counter, signature: passage.signature });
      if (counted.type === "counted" || (counted.type === "tripped" && answered === true)) return "go on";
      if (counted.type === "impossible")
        return () => pushMoves(turn, { type: "fail", reason: counted.reason });
      const { trip, over } = counted;
      return (rest) => {
        const back = { ...backToCurrent(token), rest: { route: rest, passage } };
        const { causes, items, signature } = passage;
        const onward = {
          causes,
          trip,
          ...(items && { items }),
          ...(signature !== undefined && { signature }),
        };
        pushMoves(turn, {
          type: "take",
          spot,
          route: over,
          passage: onward,
          back,
          ...(trigger !== undefined && { trigger }),
        });
      };
    }
    case "reset":
      reset(turn, spot, action.counters);
      return "go on";
    case "set":
      frame.facts = { ...frame.facts, ...action.facts };
      return "go on";
    case "note":
      note(turn, spot, action.text);
      return "go on";
    case "open":
      openDialogue(turn, frame, action.session);
      return "go on";
    case "emit":
      emit(turn, frame, {
        event: action.event,
        to: action.to,
        causes: passage.causes,
        reopened: route.reopen === undefined ? [] : (passage.items ?? []).map(({ id }) => id),
      });
      return "go on";
    default:
      return assertNever(action);
  }
}

function followTarget(turn: Turn, { spot, route, passage, back, trigger }: TakeMove): void {
  const { token, frame } = spot;
  const { to } = route;
  const { causes } = passage;
  const source = {
    back: withoutState(
      back === undefined ? backToCurrent(token) : back,
      to.type === "state" ? to.state : token.state,
    ),
    ...(trigger === undefined ? {} : { trigger }),
  };
  switch (to.type) {
    case "state":
      return pushMoves(turn, {
        type: "enter",
        spot,
        state: to.state,
        passage: onward(route, passage),
        source,
      });
    case "self":
      return pushMoves(turn, {
        type: "enter",
        spot,
        state: token.state,
        passage: onward(route, repeatedPassage(spot, passage)),
        source: { back: token.back },
      });
    case "back":
      return goBack(turn, { spot, route, causes });
    case "resume":
      return spot.handler ? resume(turn, frame, causes) : undefined;
    case "out":
      return pushMoves(turn, { type: "leave", spot, outcome: to.outcome, causes });
    case "frame":
      return pushMoves(turn, { type: "end", frame, outcome: to.outcome, causes });
    default:
      return assertNever(to);
  }
}

/** Ends the handler: tokens continue in their states, or take their state's route for a handled event. */
function resume(turn: Turn, frame: Frame, causes: readonly Cause[]): void {
  dropHandler(turn, frame);
  for (const spot of spotsOf(frame)) {
    const { token } = spot;
    const route = ownEntry(stateOf(turn, spot)?.on ?? {}, resumedOutcome);
    if (!route || token.activity.type === "ended" || token.activity.type === "queued") continue;
    pushMoves(turn, { type: "take", spot, route, passage: repeatedPassage(spot, { causes }) });
  }
}

/** The passage that travels on; the route's `ctx`, `thread` and `reopen` take precedence. */
function onward({ ctx, thread, reopen }: Route, passage: Passage): Passage {
  return {
    ...passage,
    ...(ctx === undefined ? {} : { ctx }),
    ...(thread === undefined ? {} : { thread }),
    ...(reopen === undefined ? {} : { reopen }),
  };
}

/** The passage of a repeated state: what it came with, plus the causes of the repetition. */
function repeatedPassage(spot: TokenSpot, passage: Passage): Passage {
  const { entry } = spot.token;
  return { ...entry, ...passage, causes: mergeCauses(entry.causes, passage.causes) };
}
