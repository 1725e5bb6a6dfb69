/** What was proved and how: the record that proves the result, and what was done to be sure of its tests. */
import type { RecordModel } from "../../views/model/evidence-model.ts";
import type { RunModel } from "../../views/model/run-model.ts";
import { Block, RecordTitle } from "./evidence.tsx";
import { MutantsByFile } from "./pictures/mutants-by-file.tsx";
import { Fold, Section } from "./section.tsx";
import { Table } from "./table.tsx";

type ProofFacts = Pick<RunModel, "records" | "state" | "mutants" | "tests" | "proof">;

export function Proof({ model }: { readonly model: ProofFacts }) {
  const { records, state, mutants } = model;
  const proof = records.find(({ id }) => id === model.proof);
  const controls = proof === undefined ? [] : controlsOf(records, proof);
  return (
    <Section id="proof" title="What was proved, and how" lead={leadOf(model, proof)}>
      {state.unverified.length === 0 ? null : (
        <>
          <h3>Claimed, and not proved</h3>
          <ul class="reasons">
            {state.unverified.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      )}
      {controls.length === 0 ? null : (
        <>
          <h3>How the tests were tested</h3>
          <Table
            caption="Controls of the tests"
            rows={controls}
            idOf={({ name, record }) => `control ${record} ${name}`}
            columns={[
              { label: "Control", cell: ({ name }) => controlNames[name] ?? name.replaceAll("_", " ") },
              { label: "Result", cell: ({ value }) => value },
              { label: "Record", kind: "name", cell: ({ record }) => record },
            ]}
          />
        </>
      )}
      {mutants.files.length === 0 ? null : (
        <>
          <h3>Mutants by file</h3>
          <MutantsByFile mutants={mutants} />
          <Table
            caption="Mutants by file"
            rows={mutants.files}
            idOf={({ path }) => `mutants ${path}`}
            columns={[
              { label: "File", kind: "name", cell: ({ path }) => path },
              { label: "Noticed", kind: "number", cell: ({ noticed }) => noticed ?? "–" },
              { label: "Not noticed", kind: "number", cell: ({ unnoticed }) => unnoticed },
              {
                label: "Missing tests",
                cell: ({ survivors }) => (
                  <ul class="plain">
                    {survivors.map((text) => (
                      <li key={text}>{text}</li>
                    ))}
                  </ul>
                ),
              },
            ]}
          />
        </>
      )}
      {proof?.run == null ? null : (
        <Fold title={<strong>The last verification, record {proof.id}</strong>} open>
          {records
            .filter(({ id }) => proof.run?.inner.includes(id) === true)
            .map((record) =>
              record.asItMust ? (
                <Fold key={record.id} title={<RecordTitle record={record} />}>
                  <Block record={record} />
                </Fold>
              ) : (
                <Block key={record.id} record={record} />
              ),
            )}
          <Block record={proof} />
        </Fold>
      )}
    </Section>
  );
}

function leadOf({ state }: ProofFacts, proof: RecordModel | undefined): string {
  if (proof === undefined) return "Nothing about the work was executed yet.";
  const verdict =
    proof.verdict === "pass" ? "passed" : proof.verdict === "fail" ? "failed" : "could not be judged";
  const of = proof.commit === null ? "" : ` of commit ${proof.commit.slice(0, 12)}`;
  const end = state.proved ? " The run ended complete on it." : "";
  return `The last verification${of} ${verdict} with exit code ${proof.exit}: record ${proof.id}.${end}`;
}

interface Control {
  readonly name: string;
  readonly value: string;
  readonly record: string;
}

/** The controls of the newest record that has some and is about the proved work. */
function controlsOf(records: readonly RecordModel[], proof: RecordModel): readonly Control[] {
  const own = records.findLast(
    ({ run, verdict }) => verdict === "pass" && run !== null && "canary" in run.controls,
  );
  const shown = own ?? proof;
  return Object.entries(shown.run?.controls ?? {})
    .filter(([name]) => name in controlNames)
    .map(([name, value]) => ({ name, value, record: shown.id }));
}

const controlNames: Readonly<Record<string, string>> = {
  canary: "a test that has to fail was added",
  flip: "expected values were changed",
  mutants: "the changed lines were altered",
  special_case: "neighbouring inputs were tried",
  surrounding: "the surrounding was changed",
  unexecuted_lines: "changed lines that no test executes",
};
