/** Everything that was said to agents and by them, and the output of every record. */
import type { RunModel } from "../../views/model/run-model.ts";
import { Fold, Section } from "../parts/section.tsx";
import { Table } from "../parts/table.tsx";
import { opened } from "./state.ts";

export function Texts({
  model: { dispatches, records },
}: {
  readonly model: Pick<RunModel, "dispatches" | "records">;
}) {
  return (
    <Section id="texts" title="Prompts and output" lead="Whole, as they were stored. Secrets are masked.">
      <Table
        caption="Prompts and output of agents"
        newest
        rows={dispatches}
        idOf={({ key, startedAt }) => `${key} ${startedAt}`}
        empty="No agent has worked yet."
        columns={[
          { label: "Task", kind: "name", cell: ({ key }) => key },
          { label: "Agent", cell: ({ role, agent }) => `${role}, ${agent}` },
          {
            label: "Prompt",
            cell: ({ key, prompt }) => <TextButton title={`prompt of ${key}`} address={prompt} />,
          },
          {
            label: "Output",
            cell: ({ key, output, state }) =>
              output === null ? (
                <span class="aside">{state === "open" ? "at work" : "none"}</span>
              ) : (
                <TextButton title={`output of ${key}`} address={output} />
              ),
          },
        ]}
      />
      <Fold title="Output of records">
        <Table
          caption="Output of records"
          newest
          rows={records}
          idOf={({ id }) => id}
          empty="Nothing was executed yet."
          columns={[
            { label: "Record", kind: "name", cell: ({ id }) => id },
            { label: "Purpose", cell: ({ purpose }) => purpose },
            {
              label: "Output",
              cell: ({ id, run }) =>
                run === null ? (
                  <span class="aside">none</span>
                ) : (
                  <TextButton title={`output of ${id}`} address={run.output} />
                ),
            },
          ]}
        />
      </Fold>
    </Section>
  );
}

function TextButton({ title, address }: { readonly title: string; readonly address: string }) {
  return (
    <button
      type="button"
      class="link"
      aria-label={`open the ${title}`}
      onClick={() => (opened.value = { type: "text", title, address, file: null })}
    >
      open
    </button>
  );
}
