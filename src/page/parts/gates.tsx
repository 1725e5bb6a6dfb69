/** The gates of a run with every attempt, its reasons and its criteria. */
import type { RunModel } from "../../views/model/run-model.ts";
import type { GateAttempt, GateModel } from "../../views/model/verdict-model.ts";
import { Mark } from "./mark.tsx";
import { Fold, Section } from "./section.tsx";
import { Table } from "./table.tsx";
import { clockText, countText, nameText } from "./words.ts";

export function Gates({ model }: { readonly model: Pick<RunModel, "gates" | "run"> }) {
  const { gates, run } = model;
  return (
    <Section
      id="gates"
      title="Gates"
      lead="Each gate judges facts that Mettle found out itself. What an agent says counts for nothing here."
    >
      {gates.length === 0 ? <p class="none">No gate has judged yet.</p> : null}
      {gates.slice(0, maxGates).map((gate) => (
        <Gate key={gate.id} gate={gate} />
      ))}
      {gates.length > maxGates ? (
        <p class="rest">
          {countText(gates.length - maxGates, "more gate")} left out: <code>mettle show {run} --gates</code>
        </p>
      ) : null}
    </Section>
  );
}

const maxGates = 200;

function Gate({ gate }: { readonly gate: GateModel }) {
  const { attempts, place } = gate;
  const last = attempts.at(-1);
  if (last === undefined) return null;
  const title = (
    <>
      <Mark of={last.verdict} />
      <strong>{nameText(gate.gate)}</strong>
      {place === null ? null : <span class="place">{place}</span>}
      <span class="aside">{attempts.length === 1 ? "" : countText(attempts.length, "attempt")}</span>
    </>
  );
  return (
    <div class="gate" data-gate={gate.id} data-attempts={attempts.length}>
      <Fold title={title} open={attempts.some(({ verdict }) => verdict !== "pass")}>
        {attempts.map((attempt, index) => (
          <Attempt key={attempt.key} attempt={attempt} number={index + 1} of={attempts.length} />
        ))}
      </Fold>
    </div>
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
            { label: "Why", cell: ({ why }) => why },
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
