/** What agents did: each dispatch with its time and cost, and the sums by role and agent. */
import type { RunModel } from "../../views/model/run-model.ts";
import type { DispatchModel, UsedModel } from "../../views/model/step-model.ts";
import type { RunTexts } from "../../views/model/run-texts.ts";
import { Mark } from "./mark.tsx";
import { Outputs } from "./outputs.tsx";
import {
  CostByAgent,
  CostByPhase,
  TimeByAgent,
  TimeByPhase,
  timeByPhase,
  type NamedTime,
} from "./pictures/time-and-cost.tsx";
import { Section } from "./section.tsx";
import { Table, type Column } from "./table.tsx";
import { clockText, costText, countText, durationText, nameText, tokensText } from "./words.ts";

type AgentFacts = Pick<RunModel, "dispatches" | "spent" | "run" | "phases">;

export function Agents({ model, texts }: { readonly model: AgentFacts; readonly texts: RunTexts }) {
  const { dispatches, spent, run } = model;
  return (
    <Section id="agents" title="Agents and cost" lead={<CostLead spent={spent.total} />}>
      <h3>By phase</h3>
      <TimeByPhase model={model} />
      <CostByPhase model={model} />
      <Table
        caption="Time and cost by phase"
        rows={timeByPhase(model.phases)}
        idOf={({ name }) => `phase ${name}`}
        columns={byPhase}
      />
      <h3>By role</h3>
      <TimeByAgent used={spent.roles} name="time-by-role" />
      <CostByAgent used={spent.roles} name="cost-by-role" />
      <Table
        caption="Use by role"
        rows={spent.roles}
        idOf={({ name }) => `role ${name}`}
        columns={used("Role")}
      />
      <h3>By agent</h3>
      <TimeByAgent used={spent.agents} name="time-by-agent" />
      <CostByAgent used={spent.agents} name="cost-by-agent" />
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
        newest
        columns={columns}
      />
      <Outputs model={model} texts={texts} />
    </Section>
  );
}

const byPhase: readonly Column<NamedTime>[] = [
  {
    label: "Phase",
    cell: ({ name, words }) => (
      <>
        {nameText(name)} <span class="aside">{words}</span>
      </>
    ),
  },
  { label: "Agents", kind: "number", cell: ({ agentMs }) => durationText(agentMs) },
  { label: "Gates", kind: "number", cell: ({ gateMs }) => durationText(gateMs) },
  { label: "People", kind: "number", cell: ({ personMs }) => durationText(personMs) },
  {
    label: "Cost",
    kind: "number",
    cell: ({ costUsd }) => costText(costUsd),
    isEmpty: ({ costUsd }) => costUsd === null,
  },
];

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

const priceColumns: readonly Column<Pick<UsedModel, "tokens" | "costUsd">>[] = [
  {
    label: "Tokens",
    kind: "number",
    cell: ({ tokens }) => tokensText(tokens),
    isEmpty: ({ tokens }) => tokens === null,
  },
  {
    label: "Cost",
    kind: "number",
    cell: ({ costUsd }) => costText(costUsd),
    isEmpty: ({ costUsd }) => costUsd === null,
  },
];

function used(label: string): readonly Column<UsedModel>[] {
  return [
    { label, kind: "name", cell: ({ name }) => name },
    { label: "Dispatches", kind: "number", cell: ({ dispatches }) => dispatches },
    { label: "Worked", kind: "number", cell: ({ workedMs }) => durationText(workedMs) },
    ...priceColumns,
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
  ...priceColumns,
  { label: "Confined", cell: ({ isolation }) => isolation },
  { label: "At", cell: ({ startedAt }) => clockText(startedAt) },
];
