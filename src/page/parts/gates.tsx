/** The gates of a run with every attempt, its reasons and its criteria. */
import type { RunModel } from "../../views/model/run-model.ts";
import type { GateAttempt, GateModel } from "../../views/model/verdict-model.ts";
import { AttemptMarks } from "./pictures/attempt-marks.tsx";
import { Mark } from "./mark.tsx";
import { InPieces } from "./pieces.tsx";
import { Fold, Section } from "./section.tsx";
import { Table } from "./table.tsx";
import { clockText, countText, nameText } from "./words.ts";

export function Gates({ model }: { readonly model: Pick<RunModel, "gates" | "run"> }) {
  const { gates, run } = model;
  if (gates.length === 0) return null;
  return (
    <Section
      id="gates"
      title="Gates"
      lead="Each gate judges facts that Mettle found out itself. What an agent says counts for nothing here."
    >
      <div data-picture="attempts-by-gate">
        <InPieces of={gates} max={maxGates} command={`mettle show ${run} --gates`}>
          {(shown) => shown.map((gate) => <Gate key={gate.id} gate={gate} />)}
        </InPieces>
      </div>
      <AttemptsTable gates={gates} run={run} />
    </Section>
  );
}

const maxGates = 200;
const maxAttempts = 100;

function Gate({ gate }: { readonly gate: GateModel }) {
  const { attempts, place } = gate;
  const last = attempts.at(-1);
  if (last === undefined) return null;
  const title = (
    <>
      <Mark of={last.verdict} />
      <strong>{nameText(gate.gate)}</strong>
      {place === null ? null : <span class="place">{place}</span>}
      <AttemptMarks gate={gate} />
    </>
  );
  return (
    <div class="gate" data-gate={gate.id} data-attempts={attempts.length}>
      <Fold title={title} open={attempts.some(({ verdict }) => verdict !== "pass")}>
        <InPieces of={attempts} max={maxAttempts} newest isLarge>
          {(shown) =>
            shown.map((attempt, index) => (
              <Attempt
                key={attempt.key}
                attempt={attempt}
                number={attempts.length - shown.length + index + 1}
                of={attempts.length}
              />
            ))
          }
        </InPieces>
      </Fold>
    </div>
  );
}

/** The picture as a table. */
function AttemptsTable({ gates, run }: { readonly gates: readonly GateModel[]; readonly run: string }) {
  const count = ({ attempts }: GateModel, wanted: GateAttempt["verdict"]) =>
    attempts.filter(({ verdict }) => verdict === wanted).length;
  return (
    <Fold title="Attempts as a table">
      <Table
        caption="Attempts by gate"
        rows={gates}
        idOf={({ id }) => `gate ${id}`}
        rest={`mettle show ${run} --gates`}
        columns={[
          { label: "Gate", cell: ({ gate }) => nameText(gate) },
          { label: "Of", kind: "name", cell: ({ place }) => place, isEmpty: ({ place }) => place === null },
          { label: "Attempts", kind: "number", cell: ({ attempts }) => attempts.length },
          { label: "Passed", kind: "number", cell: (gate) => count(gate, "pass") },
          { label: "Refused", kind: "number", cell: (gate) => count(gate, "fail") },
          { label: "Not judged", kind: "number", cell: (gate) => count(gate, "inconclusive") },
        ]}
      />
    </Fold>
  );
}

function Attempt({
  attempt,
  number,
  of,
}: {
  readonly attempt: GateAttempt;
  readonly number: number;
  readonly of: number;
}) {
  const { verdict, at, reasons, findings, checks, records } = attempt;
  return (
    <div class="attempt" data-verdict={verdict}>
      <p class="line">
        {of === 1 ? null : <span>Attempt {number}</span>}
        <Mark of={verdict} />
        <span class="aside">
          {clockText(at)}
          {records.length === 0 ? "" : `, record ${records.at(-1) ?? ""}`}
        </span>
      </p>
      {reasons.length === 0 ? null : (
        <ul class="reasons">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      {checks.length === 0 ? null : (
        <Table
          caption="Criteria of the gate"
          rows={checks}
          idOf={({ name }) => name}
          columns={[
            { label: "Criterion", cell: ({ name }) => nameText(name) },
            { label: "Verdict", kind: "mark", cell: ({ mark }) => <Mark of={mark} /> },
            { label: "Why", cell: ({ why }) => why, isEmpty: ({ why }) => why === "" },
          ]}
        />
      )}
      <Findings findings={findings} />
    </div>
  );
}

/** Observations that decided nothing. */
function Findings({ findings }: { readonly findings: readonly string[] }) {
  if (findings.length === 0) return null;
  return (
    <Fold title={`${countText(findings.length, "observation")} that decided nothing`}>
      <ul class="plain">
        {findings.map((finding) => (
          <li key={finding} class="pre">
            {finding}
          </li>
        ))}
      </ul>
    </Fold>
  );
}
