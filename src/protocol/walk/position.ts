/**
 * A position of a run: the tree of frames and tokens as plain values, without payloads. The proof rule explores these; the
 * kernel is a layer above.
 */
import type { Machine, Route } from "../machine.ts";
import type { Spot } from "../levels.ts";

export interface WalkToken {
  readonly spot: Spot;
  /** For an ask: what would have come next. */
  readonly back: WalkBack | null;
  /** For a parallel, by region; null for a region that has not started. */
  readonly regions: ReadonlyMap<string, WalkToken | EndedRegion | null> | null;
  /** For an `each`: the frame of its single item. */
  readonly child: WalkFrame | null;
  /** Counters with `scope: visit`. */
  readonly visit: Tallies;
}

export interface EndedRegion {
  readonly ended: string;
}

export interface WalkBack {
  readonly spot: Spot;
  /** The rest of the route that a counter cut short. */
  readonly rest: Route | null;
  readonly before: WalkBack | null;
}

export type Tallies = Readonly<Record<string, number>>;

/** State of a frame besides its tokens. */
export interface Memory {
  /** Null if counters are not tracked; then each may run out at any time. */
  readonly tallies: Tallies | null;
  /** Outcomes of kept children, by the id of the `each`. */
  readonly finished: Readonly<Record<string, string>>;
}

export interface WalkFrame {
  readonly machine: Machine;
  /** The machines of the frames around this one, outermost first. */
  readonly around: readonly string[];
  readonly token: WalkToken;
  readonly handler: WalkToken | null;
  readonly memory: Memory;
}

/** `proved`: a gate has executed something since the last dispatch that may write. */
export interface WalkPosition {
  readonly frame: WalkFrame;
  readonly proved: boolean;
}

export function tokenAt(spot: Spot, back: WalkBack | null = null): WalkToken {
  return { spot, back, regions: null, child: null, visit: {} };
}

export function isEnded(region: WalkToken | EndedRegion | null): region is EndedRegion {
  return region !== null && "ended" in region;
}

/** The spots of a frame's tokens, inner ones first. */
export function spotsOf(token: WalkToken): readonly Spot[] {
  const regions = [...(token.regions?.values() ?? [])];
  return [
    ...regions.flatMap((region) => (region === null || isEnded(region) ? [] : spotsOf(region))),
    token.spot,
  ];
}

/** Equal positions have equal keys. */
export function keyOf({ frame, proved }: WalkPosition): string {
  return `${proved ? "+" : "-"}${frameKey(frame)}`;
}

function frameKey({ machine, token, handler, memory }: WalkFrame): string {
  const during = handler === null ? "" : `!${tokenKey(handler)}`;
  const tallies = memory.tallies === null ? "" : recordKey(memory.tallies);
  return `${machine.name}(${tokenKey(token)}${during}${tallies}${recordKey(memory.finished)})`;
}

function tokenKey({ spot, back, regions, child, visit }: WalkToken): string {
  const inner = [...(regions ?? [])].map(([name, region]) => `${name}=${regionKey(region)}`).join("|");
  const inFrame = child === null ? "" : frameKey(child);
  return `${spot.id}${backKey(back)}[${inner}]${inFrame}${recordKey(visit)}`;
}

function regionKey(region: WalkToken | EndedRegion | null): string {
  if (region === null) return "?";
  return isEnded(region) ? `^${region.ended}` : tokenKey(region);
}

function backKey(back: WalkBack | null): string {
  if (back === null) return "";
  const rest =
    back.rest === null ? "" : `:${back.rest.at.line}.${back.rest.at.column}.${back.rest.do.length}`;
  return `<${back.spot.id}${rest}${backKey(back.before)}`;
}

function recordKey(record: Readonly<Record<string, string | number>>): string {
  const entries = Object.entries(record);
  if (entries.length === 0) return "";
  return `{${entries
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}:${value}`)
    .join(",")}}`;
}
