/**
 * Where a run can stand, without counters' meaning or payloads: the tree of frames and tokens as plain values. The proof
 * rule walks through these; the kernel itself lies above this layer.
 */
import type { Machine, Route } from "../machine.ts";
import type { Spot } from "../places.ts";

export interface Token {
  readonly spot: Spot;
  /** Of an ask: what would have come next. */
  readonly back: Back | null;
  /** Of a parallel, by region: null for one that waits for its turn. */
  readonly regions: ReadonlyMap<string, Token | Ended | null> | null;
  /** Of an `each`: its one item's frame. */
  readonly child: Frame | null;
  /** Counters with `scope: visit`. */
  readonly visit: Tallies;
}

export interface Ended {
  readonly ended: string;
}

export interface Back {
  readonly spot: Spot;
  /** What a counter that ran out cut short. */
  readonly rest: Route | null;
  readonly before: Back | null;
}

export type Tallies = Readonly<Record<string, number>>;

/** What a frame remembers while its tokens move. */
export interface Memory {
  /** Null where counters are not followed: then each may run out at any time. */
  readonly tallies: Tallies | null;
  /** How the children of an `each` with `keep` ended, by its id. */
  readonly finished: Readonly<Record<string, string>>;
}

export interface Frame {
  readonly machine: Machine;
  /** The machines of the frames around this one, outermost first. */
  readonly around: readonly string[];
  readonly token: Token;
  readonly handler: Token | null;
  readonly memory: Memory;
}

/** A gate has executed something since the last dispatch that may write. */
export interface Position {
  readonly frame: Frame;
  readonly proved: boolean;
}

export function standing(spot: Spot, back: Back | null = null): Token {
  return { spot, back, regions: null, child: null, visit: {} };
}

export function isEnded(region: Token | Ended | null): region is Ended {
  return region !== null && "ended" in region;
}

/** Where the tokens of a frame stand, inner ones first. */
export function spotsOf(token: Token): readonly Spot[] {
  const regions = [...(token.regions?.values() ?? [])];
  return [
    ...regions.flatMap((region) => (region === null || isEnded(region) ? [] : spotsOf(region))),
    token.spot,
  ];
}

/** Equal positions have equal keys. */
export function keyOf({ frame, proved }: Position): string {
  return `${proved ? "+" : "-"}${frameKey(frame)}`;
}

function frameKey({ machine, token, handler, memory }: Frame): string {
  const during = handler === null ? "" : `!${tokenKey(handler)}`;
  const tallies = memory.tallies === null ? "" : recordKey(memory.tallies);
  return `${machine.name}(${tokenKey(token)}${during}${tallies}${recordKey(memory.finished)})`;
}

function tokenKey({ spot, back, regions, child, visit }: Token): string {
  const inner = [...(regions ?? [])].map(([name, region]) => `${name}=${regionKey(region)}`).join("|");
  const inFrame = child === null ? "" : frameKey(child);
  return `${spot.id}${backKey(back)}[${inner}]${inFrame}${recordKey(visit)}`;
}

function regionKey(region: Token | Ended | null): string {
  if (region === null) return "?";
  return isEnded(region) ? `^${region.ended}` : tokenKey(region);
}

function backKey(back: Back | null): string {
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
