/** The phases of a run over time, as a picture and as a table. */
import { Mark } from "./mark.tsx";
import { Fold, Section } from "./section.tsx";
import { phaseText, TimelinePicture, type TimelineFacts } from "./pictures/timeline-picture.tsx";
import { Table } from "./table.tsx";
import { clockText, costText, durationText } from "./words.ts";

export function Timeline({ model }: { readonly model: TimelineFacts }) {
  const { phases, run } = model;
  if (phases.length === 0)
    return (
      <Section id="timeline" title="Timeline">
        <p class="none">Nothing has begun yet.</p>
      </Section>
    );
  return (
    <Section id="timeline" title="Timeline">
      <TimelinePicture model={model} />
      <Fold title="The same as a table">
        <Table
          caption="Phases of the run"
          rows={phases}
          idOf={({ id }) => id}
          rest={`mettle log ${run}`}
          columns={[
            {
              label: "Phase",
              cell: (phase) => (
                <>
                  {phaseText(phase)} <span class="aside">{phase.words}</span>
                </>
              ),
            },
            { label: "State", kind: "mark", cell: ({ state }) => <Mark of={state} /> },
            { label: "Attempts", kind: "number", cell: ({ attempts }) => attempts },
            { label: "Agents", kind: "number", cell: ({ agentMs }) => durationText(agentMs) },
            { label: "Gates", kind: "number", cell: ({ gateMs }) => durationText(gateMs) },
            { label: "People", kind: "number", cell: ({ personMs }) => durationText(personMs) },
            {
              label: "Cost",
              kind: "number",
              cell: ({ costUsd }) => costText(costUsd),
              isEmpty: ({ costUsd }) => costUsd === null,
            },
            { label: "Began", cell: ({ startedAt }) => clockText(startedAt) },
          ]}
        />
      </Fold>
    </Section>
  );
}
