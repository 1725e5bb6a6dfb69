/** A token is done: its region ends, or outside of regions its frame. */
import { vacate } from "./stop.ts";
import { plan, type Move, type Turn } from "./turn.ts";
import { enclosing } from "./where.ts";

export function leave(turn: Turn, { spot, outcome, causes }: Extract<Move, { type: "leave" }>): void {
  const around = enclosing(spot);
  if (!around) return plan(turn, { type: "end", frame: spot.frame, outcome, causes });
  vacate(turn, spot);
  spot.token.activity = { type: "ended", outcome, causes };
  plan(turn, { type: "judge", spot: around });
}
