/** The tree of a graph's run, as a picture and as a table. */
import type { RunModel } from "../../views/model/run-model.ts";
import { Mark } from "./mark.tsx";
import { Tree } from "./pictures/tree.tsx";
import { Section } from "./section.tsx";
import { Table } from "./table.tsx";
import { betweenMs, durationText } from "./words.ts";

export function Nodes({ model }: { readonly model: Pick<RunModel, "nodes" | "run"> }) {
  const { nodes, run } = model;
  if (nodes.length === 0) return null;
  return (
    <Section
      id="tree"
      title="The tree"
      lead="Each node is proved when it is accepted, and again when it is merged into its parent."
    >
      <Tree nodes={nodes} />
      <Table
        caption="Nodes of the tree"
        rows={nodes}
        idOf={({ id }) => `node ${id}`}
        rest={`mettle status ${run}`}
        columns={[
          { label: "Node", kind: "name", cell: ({ id }) => id },
          { label: "State", kind: "mark", cell: ({ mark, words }) => <Mark of={mark}>{words}</Mark> },
          { label: "Attempt", kind: "number", cell: ({ attempt }) => attempt ?? "–" },
          {
            label: "Criteria",
            kind: "number",
            cell: ({ criteria }) => `${criteria.covered} of ${criteria.of}`,
          },
          {
            label: "Until merged",
            kind: "number",
            cell: ({ startedAt, mergedAt }) =>
              startedAt === null || mergedAt === null ? "–" : durationText(betweenMs(startedAt, mergedAt)),
          },
          {
            label: "Waits for",
            cell: ({ waitsFor }) => waitsFor.join(", "),
            isEmpty: ({ waitsFor }) => waitsFor.length === 0,
          },
          { label: "Critical", cell: ({ critical }) => (critical ? "yes" : "no") },
          {
            label: "Failure",
            cell: ({ failure }) => failure ?? "",
            isEmpty: ({ failure }) => failure === null,
          },
        ]}
      />
    </Section>
  );
}
