/** The tests of a run: each with its result in every run of tests. */
import type { TestRow, TestsModel } from "../../views/model/evidence-model.ts";
import type { RunModel } from "../../views/model/run-model.ts";
import { TestMark } from "./test-mark.tsx";
import { lastResults } from "./last-results.ts";
import { Fold, Section } from "./section.tsx";
import { clockText } from "./words.ts";
import { Rest } from "./pieces.tsx";
import { Table } from "./table.tsx";
import { TestsOverTime } from "./pictures/tests-over-time.tsx";

export function Tests({ model }: { readonly model: Pick<RunModel, "tests" | "run"> }) {
  const { tests, run } = model;
  const last = lastResults(tests);
  if (tests.rows.length === 0) return null;
  return (
    <Section id="tests" title="Tests" lead="A test that a gate requires has to pass from then on.">
      <TestsOverTime tests={tests} />
      <Fold title="The same as a table">
        <Table
          caption="Runs of the tests"
          rows={tests.runs}
          idOf={({ record }) => `run ${record}`}
          rest={`mettle show ${run}`}
          newest
          columns={[
            { label: "Record", kind: "name", cell: ({ record }) => record },
            { label: "Purpose", cell: ({ purpose }) => purpose },
            { label: "Passed", kind: "number", cell: ({ passed }) => passed },
            { label: "Failed", kind: "number", cell: ({ failed }) => failed },
            { label: "Skipped", kind: "number", cell: ({ skipped }) => skipped },
            { label: "At", cell: ({ at }) => clockText(at) },
          ]}
        />
        <Rest count={tests.earlier} command={`mettle show ${run}`} />
      </Fold>
      <h3>Each test</h3>
      <Table
        caption="Tests with their results in every run, oldest first"
        rows={tests.rows}
        idOf={({ id }) => `test ${id}`}
        rest={`mettle show ${run} --json`}
        columns={[
          { label: "Test", kind: "name", cell: ({ id }) => id },
          { label: "Last result", kind: "mark", cell: ({ id }) => <TestMark result={last.get(id)} /> },
          { label: "All runs", cell: (row) => <History row={row} tests={tests} /> },
          { label: "Required", cell: ({ required }) => (required ? "yes" : "no") },
        ]}
      />
      <Rest count={tests.cut} command={`mettle show ${run} --json`} />
    </Section>
  );
}

const cell = 9;
const maxRuns = 24;

/** One small square for each run: how the test did over time. */
function History({ row, tests }: { readonly row: TestRow; readonly tests: TestsModel }) {
  const from = Math.max(0, row.results.length - maxRuns);
  const letters = [...row.results].slice(from);
  const counts = (letter: string) => [...row.results].filter((one) => one === letter).length;
  const words = `passed ${counts("p")}, failed ${counts("f")}`;
  return (
    <svg
      role="img"
      aria-label={words}
      width={letters.length * cell}
      height="12"
      class="history"
      data-results={row.results}
    >
      <title>{words}</title>
      {letters.map((letter, index) =>
        letter === "-" ? (
          <rect key={index} x={index * cell + 3} y="5" width="2" height="2" class="absent" />
        ) : (
          <rect
            key={index}
            x={index * cell}
            y={letter === "f" ? 5 : 1}
            width={cell - 2}
            height={letter === "f" ? 6 : 10}
            rx="1.5"
            class={resultClass(letter)}
            data-run={tests.runs[from + index]?.record}
          />
        ),
      )}
    </svg>
  );
}

function resultClass(letter: string): string {
  return letter === "p" ? "passed" : letter === "f" ? "failed" : "skipped";
}
