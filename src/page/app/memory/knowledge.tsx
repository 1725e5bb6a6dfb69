/** The knowledge graph: a search, a drawing where it is small, and tables. */
import type { EntityModel, GraphModel, RelationModel } from "../../../views/model/memory-model.ts";
import { Network } from "../../parts/pictures/network.tsx";
import { Section } from "../../parts/section.tsx";
import { Rest } from "../../parts/pieces.tsx";
import { Table } from "../../parts/table.tsx";
import { countText } from "../../parts/words.ts";

export interface KnowledgeProps {
  readonly graph: GraphModel;
  readonly query: string;
  readonly onQuery: (text: string) => void;
}

export function Knowledge({ graph, query, onQuery }: KnowledgeProps) {
  const { entities, relations, found, shown, links } = graph;
  if (entities === 0 && query === "")
    return (
      <Section id="knowledge" title="Knowledge graph" lead={lead}>
        <p class="none">
          This repository has no knowledge graph; agents fill it with the memory tools of{" "}
          <code>mettle mcp</code>, and <code>mettle memory import FILE</code> takes that of another server.
        </p>
      </Section>
    );
  return (
    <Section id="knowledge" title="Knowledge graph" lead={lead}>
      <label class="field search">
        <span>Search in names, types and observations</span>
        <input type="search" value={query} onInput={({ currentTarget }) => onQuery(currentTarget.value)} />
      </label>
      <p class="aside" role="status" data-found={found}>
        {query === ""
          ? `${countText(entities, "entity", "entities")}, ${countText(relations, "relation")}`
          : `${found} of ${countText(entities, "entity", "entities")}`}
      </p>
      <Network entities={shown} relations={links} />
      <h3>Entities</h3>
      <Table
        caption="Entities of the knowledge graph"
        rows={shown.map((entity, index) => ({ ...entity, index }))}
        idOf={({ index, name }) => `${index} ${name}`}
        empty="Nothing contains that."
        columns={entityColumns}
      />
      <Rest count={found - shown.length} command="mettle memory export FILE" />
      <h3>Relations</h3>
      <Table
        caption="Relations of the knowledge graph"
        rows={links}
        idOf={({ from, to, type }) => `${from} ${type} ${to}`}
        columns={relationColumns}
      />
    </Section>
  );
}

const lead = "What agents of this repository kept, for all of its runs.";

const entityColumns = [
  { label: "Name", kind: "name", cell: ({ name }: EntityModel) => name },
  { label: "Type", cell: ({ type }: EntityModel) => type },
  {
    label: "Observations",
    cell: ({ observations, more }: EntityModel) => (
      <ul class="plain">
        {observations.map((text, index) => (
          <li key={index}>{text}</li>
        ))}
        {more === 0 ? null : <li class="rest">{more} more</li>}
      </ul>
    ),
  },
] as const;

const relationColumns = [
  { label: "From", kind: "name", cell: ({ from }: RelationModel) => from },
  { label: "Relation", cell: ({ type }: RelationModel) => type },
  { label: "To", kind: "name", cell: ({ to }: RelationModel) => to },
] as const;
