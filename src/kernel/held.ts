/** What a frame waits for before it goes on: regions that have not ended, and children that have not ended as hoped. */
import type { Protocol } from "../protocol/machine.ts";
import { wordOf } from "../protocol/routes.ts";
import type { RunState } from "./state.ts";
import { thaw } from "./thaw.ts";
import { own } from "./turn.ts";
import { composite, spotsOf, standing, findState } from "./where.ts";

export type Hold =
  | { readonly type: "region"; readonly name: string; readonly state: string }
  | { readonly type: "child"; readonly item: string; readonly outcome: string | null };

export function heldBy(protocol: Protocol, state: RunState, id: string): readonly Hold[] {
  const frame = own(thaw(state).frames, id);
  if (!frame || frame.outcome !== null) return [];
  return spotsOf(frame).flatMap((spot): readonly Hold[] => {
    const activity = composite(spot.token);
    if (activity.type === "regions")
      return activity.regions
        .filter((region) => region.activity.type !== "ended")
        .map((region) => ({ type: "region", name: region.name, state: region.state }));
    const each = findState({ protocol }, spot, standing(spot.token))?.state;
    if (activity.type !== "children" || each?.kind !== "each") return [];
    const isIn = (outcome: string) => each.join.includes(outcome) || each.join.includes(wordOf(outcome));
    return (own(frame.children, activity.each) ?? [])
      .filter(({ outcome }) => outcome === null || !isIn(outcome))
      .map(({ item, outcome }) => ({ type: "child", item: item.id, outcome }));
  });
}
