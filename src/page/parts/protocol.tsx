/** The protocol as its definition has it: which steps it has, where the run was and is, and what may still come. */
import type { RunModel } from "../../views/model/run-model.ts";
import type { MachineModel, ProtocolStepModel } from "../../views/model/protocol-model.ts";
import { Mark } from "./mark.tsx";
import { ProtocolLines, toneOf, whatText, wordsOf } from "./pictures/protocol-lines.tsx";
import { Fold, Section } from "./section.tsx";
import { Table } from "./table.tsx";
import { countText, nameText } from "./words.ts";

export function Protocol({
  model: { machines, asked },
}: {
  readonly model: Pick<RunModel, "machines" | "asked">;
}) {
  if (machines.length === 0) return null;
  return (
    <Section
      id="protocol"
      title="Protocol"
      lead={`All steps of ${asked.protocol}, as it was frozen when the run began. Lines beside them lead back, or around steps.`}
    >
      {machines.map((machine) => (
        <div key={machine.name} data-machine={machine.name}>
          {machines.length === 1 ? null : <h3>{titleOf(machine)}</h3>}
          <ProtocolLines machine={machine} />
          <Fold title="As a table">
            <Steps machine={machine} />
          </Fold>
        </div>
      ))}
    </Section>
  );
}

function titleOf({ name, begun }: MachineModel): string {
  if (name === "main") return "The run";
  const times = begun === 0 ? "not begun" : `begun ${countText(begun, "time")}`;
  return `Each ${nameText(name)}, ${times}`;
}

function Steps({ machine: { name, steps, routes } }: { readonly machine: MachineModel }) {
  const leadsTo = ({ id }: ProtocolStepModel) => routes.filter(({ from }) => from === id);
  return (
    <Table
      caption={`Steps of ${name}`}
      rows={steps}
      idOf={({ id }) => `step ${name} ${id}`}
      columns={[
        { label: "Step", kind: "name", cell: ({ id }) => id },
        { label: "By", cell: ({ kind, what, phase }) => whatText(kind, what, phase) },
        {
          label: "State",
          kind: "mark",
          cell: ({ state }) => <Mark of={toneOf[state]}>{wordsOf[state]}</Mark>,
        },
        { label: "Times", kind: "number", cell: ({ times }) => times },
        {
          label: "Last outcome",
          cell: ({ outcome }) => outcome ?? "",
          isEmpty: ({ outcome }) => outcome === null,
        },
        {
          label: "Leads to",
          cell: (step) => (
            <ul class="plain">
              {leadsTo(step).map(({ to, outcomes, taken }) => (
                <li key={to}>
                  {to} <span class="aside">{outcomes.join(", ")}</span>
                  {taken === 0 ? "" : `, ${countText(taken, "time")}`}
                </li>
              ))}
            </ul>
          ),
          isEmpty: (step) => leadsTo(step).length === 0,
        },
      ]}
    />
  );
}
