/** The nodes of a graph as a tree, with the chain that takes the longest. */
import type { NodeModel } from "../../../views/model/run-model.ts";
import { Rest } from "../pieces.tsx";
import { classOf, symbols } from "../tones.ts";
import { placed, short, type Point } from "./placed.ts";
import { ScrolledDrawing } from "./scrolled-drawing.tsx";

const width = 208;
const boxHeight = 46;
const maxNodes = 150;

export function Tree({ nodes }: { readonly nodes: readonly NodeModel[] }) {
  if (nodes.length === 0) return null;
  const shown = mostTelling(nodes);
  const { places, size } = placed({
    ids: shown.map(({ id }) => id),
    lines: shown.flatMap(({ id, parent }) => (parent === null ? [] : [{ from: parent, to: id }])),
    box: { width, height: boxHeight },
    direction: "LR",
    between: { boxes: 14, ranks: 44 },
  });
  return (
    <figure class="picture">
      <ScrolledDrawing title="The tree of nodes" name="tree" size={size}>
        {shown.map((node) => (
          <Edge key={node.id} node={node} places={places} />
        ))}
        {shown.map((node) => (
          <Box key={node.id} node={node} at={places.get(node.id) ?? { x: 0, y: 0 }} />
        ))}
      </ScrolledDrawing>
      <Rest count={nodes.length - shown.length} />
      <figcaption>
        <span class="key critical">the chain that takes the longest</span>
      </figcaption>
    </figure>
  );
}

/** All nodes if they fit; else the critical ones, open and failed ones first, each with all its parents. */
function mostTelling(nodes: readonly NodeModel[]): readonly NodeModel[] {
  if (nodes.length <= maxNodes) return nodes;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const kept = new Set<string>();
  for (const node of nodes.toSorted((a, b) => rank(a) - rank(b))) {
    const chain: string[] = [];
    for (let one: NodeModel | undefined = node; one !== undefined && !kept.has(one.id);) {
      chain.push(one.id);
      one = one.parent === null ? undefined : byId.get(one.parent);
    }
    if (kept.size + chain.length <= maxNodes) for (const id of chain) kept.add(id);
  }
  return nodes.filter(({ id }) => kept.has(id));
}

function rank({ critical, mark, depth }: NodeModel): number {
  const first = critical ? 0 : mark === "failed" ? 1 : mark === "open" || mark === "waiting" ? 2 : 3;
  return first * 1000 + Math.min(depth, 999);
}

function Edge({ node, places }: { readonly node: NodeModel; readonly places: ReadonlyMap<string, Point> }) {
  const from = node.parent === null ? undefined : places.get(node.parent);
  const to = places.get(node.id);
  if (from === undefined || to === undefined) return null;
  const x1 = from.x + width / 2;
  const x2 = to.x - width / 2;
  const middle = (x1 + x2) / 2;
  return (
    <path
      d={`M${x1},${from.y} C${middle},${from.y} ${middle},${to.y} ${x2},${to.y}`}
      class={node.critical ? "edge critical" : "edge"}
      data-edge={`${node.parent ?? ""} ${node.id}`}
    />
  );
}

function Box({ node, at: { x, y } }: { readonly node: NodeModel; readonly at: Point }) {
  const { id, name, words, mark, critical, attempt } = node;
  return (
    <g
      transform={`translate(${x - width / 2}, ${y - boxHeight / 2})`}
      class={`node ${classOf[mark]}`}
      data-node={id}
      data-parent={node.parent ?? ""}
      data-state={node.state}
      data-critical={String(critical)}
    >
      <title>
        {id}: {words}
      </title>
      <rect width={width} height={boxHeight} rx="8" class={critical ? "box critical" : "box"} />
      <text x="12" y="19" class="label">
        {short(name, 20)}
      </text>
      <text x="12" y="36" class="state">
        {symbols[mark]} {short(attempt === null ? words : `${words} · ${attempt}`, 24)}
      </text>
    </g>
  );
}
