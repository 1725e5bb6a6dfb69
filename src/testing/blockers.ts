/** What blocks a frame: regions that have not ended, and children without an outcome that the join accepts. */
import type { Protocol } from "../protocol/machine.ts";
import { wordOf } from "../protocol/routes.ts";
import type { RunState } from "../kernel/state.ts";
import { frameCopy } from "../kernel/thaw.ts";
import { ownEntry } from "../kernel/turn.ts";
import { compositeActivity, spotsOf, compositeName, findState } from "../kernel/spots.ts";

export type Blocker =
  | { readonly type: "region"; readonly name: string; readonly state: string }
  | { readonly type: "child"; readonly item: string; readonly outcome: string | null };

export function blockersOf(protocol: Protocol, state: RunState, id: string): readonly Blocker[] {
  const frame = frameCopy(state, id);
  if (!frame || frame.outcome !== null) return [];
  return spotsOf(frame).flatMap((spot): readonly Blocker[] => {
    const activity = compositeActivity(spot.token);
    if (activity.type === "regions")
      return activity.regions
        .filter((region) => region.activity.type !== "ended")
        .map((region) => ({ type: "region", name: region.name, state: region.state }));
    const each = findState({ protocol }, spot, compositeName(spot.token))?.state;
    if (activity.type !== "children" || each?.kind !== "each") return [];
    const isJoined = (outcome: string) => each.join.includes(outcome) || each.join.includes(wordOf(outcome));
    return (ownEntry(frame.children, activity.each) ?? [])
      .filter(({ outcome }) => outcome === null || !isJoined(outcome))
      .map(({ item, outcome }) => ({ type: "child", item: item.id, outcome }));
  });
}
