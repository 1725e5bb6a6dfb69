/** The records of a run: each command that Mettle executed as proof. */
import type { RecordModel } from "../../views/model/evidence-model.ts";
import type { RunModel } from "../../views/model/run-model.ts";
import { Mark } from "./mark.tsx";
import { InPieces } from "./pieces.tsx";
import { Fold, Section } from "./section.tsx";
import { Table } from "./table.tsx";
import { clockText, countText, durationText } from "./words.ts";

export function Evidence({ model }: { readonly model: Pick<RunModel, "records" | "run"> }) {
  const { records, run } = model;
  return (
    <Section
      id="evidence"
      title="Evidence"
      lead="Every record was written by Mettle for a command that it executed, signed, and chained to the one before it."
    >
      <Table
        caption="Records of the run"
        rows={records}
        idOf={({ id }) => id}
        empty="Nothing was executed yet."
        rest={`mettle show ${run} --json`}
        newest
        columns={[
          { label: "Record", kind: "name", cell: ({ id }) => id },
          { label: "Purpose", cell: ({ purpose }) => purpose },
          { label: "Verdict", kind: "mark", cell: (record) => <RecordMark record={record} /> },
          { label: "Exit", kind: "number", cell: ({ exit }) => exit },
          { label: "Tests", cell: (record) => <Counts record={record} /> },
          {
            label: "Took",
            kind: "number",
            cell: ({ run: run_ }) => (run_ ? durationText(run_.durationMs) : "–"),
          },
          { label: "Commit", kind: "name", cell: ({ commit }) => commit?.slice(0, 10) ?? "–" },
          { label: "At", cell: ({ at }) => clockText(at) },
        ]}
      />
      <InPieces of={records.filter(({ run: executed }) => executed !== null)} max={maxOutputs} newest>
        {(shown) =>
          shown.map((record) => (
            <Fold key={record.id} title={<RecordTitle record={record} />}>
              <Block record={record} />
            </Fold>
          ))
        }
      </InPieces>
    </Section>
  );
}

const maxOutputs = 300;

/** A run of tests that has to fail is no bad news when it does. */
function RecordMark({ record: { verdict, asItMust } }: { readonly record: RecordModel }) {
  if (asItMust) return <Mark of="cancelled">failed as it must</Mark>;
  return <Mark of={verdict}>{verdict === "fail" ? "failed" : undefined}</Mark>;
}

export function RecordTitle({ record }: { readonly record: RecordModel }) {
  const { id, purpose } = record;
  return (
    <>
      <RecordMark record={record} />
      <span class="name">{id}</span>
      <span>{purpose}</span>
    </>
  );
}

function Counts({ record: { run } }: { readonly record: RecordModel }) {
  if (run === null) return <>–</>;
  const { passed, failed, skipped } = run.counts;
  if (passed + failed + skipped === 0) return <>–</>;
  return (
    <span data-passed={passed} data-failed={failed} data-skipped={skipped}>
      {passed} passed{failed === 0 ? "" : `, ${failed} failed`}
      {skipped === 0 ? "" : `, ${skipped} skipped`}
    </span>
  );
}

/** The command, its last lines and its exit, as they are in the record. */
export function Block({ record }: { readonly record: RecordModel }) {
  const { run, exit, failing } = record;
  if (run === null) return null;
  const controls = Object.entries(run.controls);
  return (
    <>
      <pre class="block">{[`$ ${run.command}`, ...run.lastLines, `EXIT_CODE: ${exit}`].join("\n")}</pre>
      <p class="aside">
        {run.lastLines.length === 0 ? "The output:" : "Last lines of the output; all of it:"}{" "}
        <code>mettle show {run.output}</code>
      </p>
      {run.reasons.length === 0 ? null : (
        <ul class="reasons">
          {run.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      {failing.length === 0 ? null : (
        <Fold title={countText(failing.length, "failing test")}>
          <ul class="plain">
            {failing.slice(0, maxFailing).map((id) => (
              <li key={id} class="name">
                {id}
              </li>
            ))}
          </ul>
        </Fold>
      )}
      {controls.length === 0 ? null : (
        <dl class="pairs">
          {controls.map(([name, value]) => (
            <div key={name}>
              <dt>{name.replaceAll("_", " ")}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

const maxFailing = 100;
