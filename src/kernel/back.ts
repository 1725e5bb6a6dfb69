/** The way back from an ask: what would have come next without the ask. */
import type { Route } from "../protocol/machine.ts";
import type { Cause } from "./command.ts";
import { mergeCauses } from "./issue.ts";
import type { Back, Token } from "./state.ts";
import { pushMoves, type TokenSpot, type Turn } from "./turn.ts";
import { stateOf } from "./spots.ts";

/** A way back to the token's current state. */
export function backToCurrent(token: Token): Back {
  return { state: token.state, entry: token.entry, rest: null, before: token.back };
}

/** The same way without the stops at one state, so that a loop between asks does not lengthen it. */
export function withoutState(back: Back | null, state: string): Back | null {
  if (back === null) return null;
  const before = withoutState(back.before, state);
  return back.state === state ? before : { ...back, before };
}

interface GoBackOptions {
  readonly spot: TokenSpot;
  /** The route of the answer; its `ctx` and `thread` take precedence. */
  readonly route: Route;
  readonly causes: readonly Cause[];
}

/**
 * Takes the rest of the route that a counter cut short; else continues the parallel or each that a `first` route
 * left; else repeats the state that led to the ask.
 */
export function goBack(turn: Turn, { spot, route, causes }: GoBackOptions): void {
  const { token } = spot;
  const { back, held } = token;
  const own = {
    ...(route.ctx !== undefined && { ctx: route.ctx }),
    ...(route.thread !== undefined && { thread: route.thread }),
  };
  if (!back) {
    const passage = { ...token.entry, ...own, causes };
    return pushMoves(turn, { type: "enter", spot, state: token.state, passage });
  }
  if (back.rest) {
    const { route: rest, passage } = back.rest;
    const onward = { ...passage, causes: mergeCauses(passage.causes, causes) };
    const answered = stateOf(turn, spot)?.kind === "ask";
    returnTo(token, back);
    return pushMoves(turn, { type: "take", spot, route: { ...rest, ...own }, passage: onward, answered });
  }
  if (held && held.state === back.state) {
    returnTo(token, back);
    token.kind = held.kind;
    token.activity = held.activity;
    token.held = null;
    return pushMoves(turn, { type: "restart", spot, trigger: held.trigger, passage: { causes } });
  }
  const passage = { ...back.entry, ...own, causes: mergeCauses(back.entry.causes, causes) };
  pushMoves(turn, { type: "enter", spot, state: back.state, passage, source: { back: back.before } });
}

function returnTo(token: Token, back: Back): void {
  token.state = back.state;
  token.entry = back.entry;
  token.back = back.before;
}
