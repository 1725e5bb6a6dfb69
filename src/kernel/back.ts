/** The way back from an ask: what would have come next, had nobody been asked. */
import type { Route } from "../protocol/machine.ts";
import type { Cause } from "./command.ts";
import { mergeCauses } from "./say.ts";
import type { Back, Token } from "./state.ts";
import { plan, type Spot, type Turn } from "./turn.ts";
import { stateOf } from "./where.ts";

/** Back to where the token stands now. */
export function standingBack(token: Token): Back {
  return { state: token.state, entry: token.entry, rest: null, before: token.back };
}

/** The same way without the stops at one state, so that going round between asks does not make it longer. */
export function without(back: Back | null, state: string): Back | null {
  if (back === null) return null;
  const before = without(back.before, state);
  return back.state === state ? before : { ...back, before };
}

interface GoingBack {
  readonly spot: Spot;
  /** The answer's own route: its words win. */
  readonly route: Route;
  readonly causes: readonly Cause[];
}

/**
 * Takes the rest of the route that a counter cut short; else goes on with what a `first` route led away from;
 * else does the state again that led to the ask.
 */
export function goBack(turn: Turn, { spot, route, causes }: GoingBack): void {
  const { token } = spot;
  const { back, held } = token;
  const own = {
    ...(route.ctx !== undefined && { ctx: route.ctx }),
    ...(route.thread !== undefined && { thread: route.thread }),
  };
  if (!back) {
    const passage = { ...token.entry, ...own, causes };
    return plan(turn, { type: "enter", spot, state: token.state, passage });
  }
  if (back.rest) {
    const { route: rest, passage } = back.rest;
    const onward = { ...passage, causes: mergeCauses(passage.causes, causes) };
    const answered = stateOf(turn, spot)?.kind === "ask";
    standAt(token, back);
    return plan(turn, { type: "take", spot, route: { ...rest, ...own }, passage: onward, answered });
  }
  if (held && held.state === back.state) {
    standAt(token, back);
    token.kind = held.kind;
    token.activity = held.activity;
    token.held = null;
    return plan(turn, { type: "restart", spot, trigger: held.trigger, passage: { causes } });
  }
  const passage = { ...back.entry, ...own, causes: mergeCauses(back.entry.causes, causes) };
  plan(turn, { type: "enter", spot, state: back.state, passage, source: { back: back.before } });
}

function standAt(token: Token, back: Back): void {
  token.state = back.state;
  token.entry = back.entry;
  token.back = back.before;
}
