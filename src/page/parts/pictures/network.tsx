/** Entities and their relations as boxes and arrows. */
import type { EntityModel, RelationModel } from "../../../views/model/memory-model.ts";
import { countText } from "../words.ts";
import { pathThrough, placed, short } from "./placed.ts";
import { ScrolledDrawing } from "./scrolled-drawing.tsx";

const box = { width: 168, height: 44 };
const labelSize = 22;
const maxBoxes = 40;

export interface NetworkProps {
  readonly entities: readonly EntityModel[];
  readonly relations: readonly RelationModel[];
}

/** Drawn where it is small enough to be read. */
export function Network({ entities, relations }: NetworkProps) {
  const shown = mostRelated(entities, relations);
  const names = new Set(shown.map(({ name }) => name));
  const pairs = pairsOf(relations.filter(({ from, to }) => names.has(from) && names.has(to)));
  if (shown.length < 2 || pairs.length === 0) return null;
  const { places, lines, size } = placed({
    ids: shown.map(({ name }) => name),
    lines: pairs.map(({ from, to, label }) => ({
      from,
      to,
      room: Math.min(label.length, labelSize) * 6.6 + 12,
    })),
    box,
    direction: "LR",
    between: { boxes: 16, ranks: 24 },
  });
  const labels = new Map(pairs.map(({ from, to, label }) => [`${from}\n${to}`, label]));
  return (
    <figure class="picture">
      <ScrolledDrawing title="The knowledge graph" name="knowledge" size={size}>
        <ArrowHead id="relation-head" />
        {lines.map(({ from, to, points, label }) => (
          <g key={`${from}\n${to}`} data-edge={`${from} ${to}`}>
            <path d={pathThrough(points)} class="edge relation" marker-end="url(#relation-head)" />
            <text x={label.x} y={label.y + 4} class="note middle backed">
              {short(labels.get(`${from}\n${to}`) ?? "", labelSize)}
            </text>
          </g>
        ))}
        {shown.map(({ name, type }) => {
          const { x, y } = places.get(name) ?? { x: 0, y: 0 };
          return (
            <g
              key={name}
              transform={`translate(${x - box.width / 2}, ${y - box.height / 2})`}
              class="node"
              data-node={name}
            >
              <title>
                {name}: {type}
              </title>
              <rect width={box.width} height={box.height} rx="8" class="box" />
              <text x="12" y="18" class="label">
                {short(name, 19)}
              </text>
              <text x="12" y="35" class="state">
                {short(type, 24)}
              </text>
            </g>
          );
        })}
      </ScrolledDrawing>
      {entities.length > shown.length ? (
        <figcaption>
          {countText(entities.length - shown.length, "entity", "entities")} with fewer relations are only in
          the table.
        </figcaption>
      ) : null}
    </figure>
  );
}

function ArrowHead({ id }: { readonly id: string }) {
  return (
    <defs>
      <marker
        id={id}
        viewBox="0 0 8 8"
        refX="7"
        refY="4"
        markerWidth="7"
        markerHeight="7"
        orient="auto-start-reverse"
      >
        <path d="M0,0 L8,4 L0,8 z" class="head" />
      </marker>
    </defs>
  );
}

/** All entities if they fit; else those with the most relations. Each name once. */
function mostRelated(
  entities: readonly EntityModel[],
  relations: readonly RelationModel[],
): readonly EntityModel[] {
  const unique = [...new Map(entities.map((entity) => [entity.name, entity])).values()];
  if (unique.length <= maxBoxes) return unique;
  const counts = new Map<string, number>();
  for (const { from, to } of relations)
    for (const name of [from, to]) counts.set(name, (counts.get(name) ?? 0) + 1);
  const ranked = unique.toSorted((a, b) => (counts.get(b.name) ?? 0) - (counts.get(a.name) ?? 0));
  const kept = new Set(ranked.slice(0, maxBoxes));
  return unique.filter((entity) => kept.has(entity));
}

/** One line for all relations of a pair. */
function pairsOf(relations: readonly RelationModel[]) {
  const pairs = new Map<string, { from: string; to: string; types: string[] }>();
  for (const { from, to, type } of relations) {
    if (from === to) continue;
    const pair = pairs.get(`${from}\n${to}`) ?? { from, to, types: [] };
    pair.types.push(type);
    pairs.set(`${from}\n${to}`, pair);
  }
  return [...pairs.values()].map(({ from, to, types }) => ({ from, to, label: types.join(", ") }));
}
