/** Places of boxes and of the lines between them, found by dagre. Pure. */
import { graphlib, layout } from "@dagrejs/dagre";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface PlacedLine {
  readonly from: string;
  readonly to: string;
  readonly points: readonly Point[];
  /** The middle of its label. */
  readonly label: Point;
}

export interface Placed {
  /** Centres by id. */
  readonly places: ReadonlyMap<string, Point>;
  readonly lines: readonly PlacedLine[];
  readonly size: { readonly width: number; readonly height: number };
}

export interface PlaceOptions {
  readonly ids: readonly string[];
  /** One for each pair; `room` is the width of its label. */
  readonly lines: readonly { readonly from: string; readonly to: string; readonly room?: number }[];
  readonly box: { readonly width: number; readonly height: number };
  readonly direction: "LR" | "TB";
  readonly between: { readonly boxes: number; readonly ranks: number };
}

const lineHeight = 16;
const margin = 2;

export function placed({ ids, lines, box, direction, between }: PlaceOptions): Placed {
  const graph = new graphlib.Graph();
  graph.setGraph({
    rankdir: direction,
    nodesep: between.boxes,
    ranksep: between.ranks,
    marginx: margin,
    marginy: margin,
  });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const id of ids) graph.setNode(id, { ...box });
  const known = lines.filter(({ from, to }) => graph.hasNode(from) && graph.hasNode(to) && from !== to);
  for (const { from, to, room = 0 } of known)
    graph.setEdge(from, to, room === 0 ? {} : { width: room, height: lineHeight, labelpos: "c" });
  layout(graph);
  const places = new Map(ids.map((id) => [id, pointOf(graph.node(id))]));
  const drawn = known.map(({ from, to }): PlacedLine => {
    const edge = graph.edge(from, to) as { points?: readonly Point[]; x?: number; y?: number } | undefined;
    return { from, to, points: edge?.points ?? [], label: pointOf(edge) };
  });
  const all = [...places.values()];
  const bends = drawn.flatMap(({ points }) => points);
  const end = (centres: readonly number[], size: number, others: readonly number[]) =>
    Math.ceil(Math.max(...centres.map((centre) => centre + size / 2), ...others) + margin);
  return {
    places,
    lines: drawn,
    size: {
      width: end(
        all.map(({ x }) => x),
        box.width,
        bends.map(({ x }) => x),
      ),
      height: end(
        all.map(({ y }) => y),
        box.height,
        bends.map(({ y }) => y),
      ),
    },
  };
}

function pointOf(node: { readonly x?: number; readonly y?: number } | undefined): Point {
  return { x: node?.x ?? 0, y: node?.y ?? 0 };
}

/** A line through all points, with round bends. */
export function pathThrough([first, ...rest]: readonly Point[]): string {
  if (first === undefined) return "";
  const parts = [`M${first.x},${first.y}`];
  for (const [index, point] of rest.entries()) {
    const next = rest[index + 1];
    if (next === undefined) parts.push(`L${point.x},${point.y}`);
    else parts.push(`Q${point.x},${point.y} ${(point.x + next.x) / 2},${(point.y + next.y) / 2}`);
  }
  return parts.join(" ");
}

/** The first characters, and a sign that there are more. */
export function short(text: string, max: number): string {
  const characters = [...text];
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join("")}…`;
}
