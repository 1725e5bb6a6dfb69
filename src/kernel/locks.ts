/** Locks: of one parent's children only one frame at a time is in a state with the lock, first come first served. */
import type { Frame } from "./state.ts";
import { frameOf, ownEntry, type TokenSpot, type Turn } from "./turn.ts";
import { spotsOf, stateOf } from "./spots.ts";

/** Acquires the lock or joins its queue. The root has no siblings, so its locks are always free. */
export function acquire(turn: Turn, frame: Frame, lock: string): boolean {
  const parent = frame.parent && frameOf(turn, frame.parent.frame);
  if (!parent) return true;
  const queue = ownEntry(parent.locks, lock) ?? [];
  if (!queue.includes(frame.id)) queue.push(frame.id);
  parent.locks[lock] = queue;
  return queue[0] === frame.id;
}

/** Removes frames that left the locked states from the queues, and returns the token that gets a lock now. */
export function nextForLock(turn: Turn, parent: Frame): TokenSpot | null {
  for (const [lock, queue] of Object.entries(parent.locks)) {
    const waiting = queue.filter((id) => lockedSpots(turn, id, lock).length > 0);
    if (waiting.length === 0) delete parent.locks[lock];
    else parent.locks[lock] = waiting;
    const [head] = waiting;
    const spot =
      head === undefined
        ? undefined
        : lockedSpots(turn, head, lock).find((each) => each.token.activity.type === "locked");
    if (spot) return spot;
  }
  return null;
}

function lockedSpots(turn: Turn, id: string, lock: string): readonly TokenSpot[] {
  const frame = frameOf(turn, id);
  if (!frame || frame.outcome !== null) return [];
  return spotsOf(frame).filter(
    (spot) => spot.token.activity.type !== "ended" && stateOf(turn, spot)?.lock === lock,
  );
}
