/** What agents did: each dispatch with its time and cost, and the sums by role and agent. */
import type { RunModel } from "../../views/model/run-model.ts";
import type { DispatchModel, UsedModel } from "../../views/model/step-model.ts";
import { Mark } from "./mark.tsx";
import { Section } from "./section.tsx";
import { Table, type Column } from "./table.tsx";
import { clockText, costText, countText, durationText, tokensText } from "./words.ts";

export function Agents({ model }: { readonly model: Pick<RunModel, "dispatches" | "spent" | "run"> }) {
  const { dispatches, spent, run } = model;
  return (
    <Section id="agents" title="Agents and cost" lead={<CostLead spent={spent.total} />}>
      <h3>By role</h3>
      <Table
        caption="Use by role"
        rows={spent.roles}
        idOf={({ name }) => `role ${name}`}
        columns={used("Role")}
      />
      <h3>By agent</h3>
      <Table
        caption="Use by agent"
        rows={spent.agents}
        idOf={({ name }) => `agent ${name}`}
        columns={used("Agent")}
      />
      <h3>Dispatches</h3>
      <Table
        caption="Every task that was given to an agent"
        rows={dispatches}
        idOf={({ key }) => key}
        empty="No agent has worked yet."
        rest={`mettle log ${run}`}
        columns={columns}
      />
    </Section>
  );
}

function CostLead({ spent }: { readonly spent: UsedModel }) {
  const { costUsd, withoutCost, dispatches } = spent;
  if (costUsd === null) return <>No agent reported what it cost.</>;
  return (
    <>
      {costText(costUsd)} by the agents' own figures
      {withoutCost === 0
        ? "."
        : `; ${withoutCost} of ${countText(dispatches, "dispatch", "dispatches")} reported none.`}
    </>
  );
}

function used(label: string): readonly Column<UsedModel>[] {
  return [
    { label, kind: "name", cell: ({ name }) => name },
    { label: "Dispatches", kind: "number", cell: ({ dispatches }) => dispatches },
    { label: "Worked", kind: "number", cell: ({ workedMs }) => durationText(workedMs) },
    { label: "Tokens", kind: "number", cell: ({ tokens }) => tokensText(tokens) },
    { label: "Cost", kind: "number", cell: ({ costUsd }) => costText(costUsd) },
  ];
}

const columns: readonly Column<DispatchModel>[] = [
  { label: "Task", kind: "name", cell: ({ key }) => key },
  {
    label: "Agent",
    cell: ({ role, agent, vendor }) => (
      <>
        {role} <span class="aside">{vendor === agent ? agent : `${agent}, ${vendor}`}</span>
      </>
    ),
  },
  {
    label: "Reported",
    cell: ({ outcome, message, state }) =>
      outcome === null ? (
        <Mark of={state} />
      ) : (
        <>
          <strong>{outcome}</strong> {message}
        </>
      ),
  },
  { label: "Worked", kind: "number", cell: ({ workedMs }) => durationText(workedMs) },
  { label: "Tokens", kind: "number", cell: ({ tokens }) => tokensText(tokens) },
  { label: "Cost", kind: "number", cell: ({ costUsd }) => costText(costUsd) },
  { label: "Confined", cell: ({ isolation }) => isolation },
  { label: "At", cell: ({ startedAt }) => clockText(startedAt) },
];
