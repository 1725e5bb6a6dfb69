/** What was asked: the requirements with their tests, the questions, and what the run began with. */
import type { RequirementModel, RunModel } from "../../views/model/run-model.ts";
import { Mark } from "./mark.tsx";
import { Section } from "./section.tsx";
import { Table } from "./table.tsx";
import { TestMark } from "./test-mark.tsx";
import { lastResults, type LastResult } from "./last-results.ts";
import { countText } from "./words.ts";

type AskedFacts = Pick<RunModel, "asked" | "requirements" | "questions" | "tests" | "state">;

export function Asked({ model }: { readonly model: AskedFacts }) {
  const { asked, requirements, questions, state } = model;
  const results = lastResults(model.tests);
  return (
    <Section id="asked" title="What was asked" lead={<Start model={model} />}>
      {requirements.length === 0 ? null : (
        <>
          <h3>Requirements</h3>
          <Table
            caption="Requirements and the tests that cover them"
            rows={requirements}
            idOf={({ id }) => `requirement ${id}`}
            columns={[
              { label: "Id", kind: "id", cell: ({ id }) => id },
              { label: "Requirement", cell: ({ text }) => text },
              {
                label: "Tests",
                cell: (requirement) => (
                  <Tests requirement={requirement} results={results} isOver={state.endedAt !== null} />
                ),
              },
            ]}
          />
        </>
      )}
      {questions.length === 0 ? null : (
        <>
          <h3>Questions</h3>
          <Table
            caption="Clarifying questions and their answers"
            rows={questions}
            idOf={({ id }) => id}
            columns={[
              { label: "Id", kind: "id", cell: ({ id }) => id },
              { label: "Question", cell: ({ text }) => text },
              { label: "Answer", cell: ({ answer }) => answer ?? <Mark of="waiting" /> },
              { label: "By", cell: ({ answeredBy }) => answeredBy ?? "–" },
            ]}
          />
        </>
      )}
      <h3>The start</h3>
      <dl class="pairs">
        {startFacts(asked).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function Start({ model: { asked } }: { readonly model: AskedFacts }) {
  const { baseTests } = asked;
  if (baseTests === null) return <>The tests of the base commit were not run at the start.</>;
  if (baseTests.tests === 0) return <>The base commit had no tests.</>;
  return (
    <>
      Before any agent worked, {baseTests.tests - baseTests.failing} of {countText(baseTests.tests, "test")}{" "}
      of the base commit passed.
    </>
  );
}

function startFacts(asked: RunModel["asked"]): readonly (readonly [string, string])[] {
  const agents = Object.entries(asked.agents).map(([role, agent]) =>
    role === "default" ? agent : `${role}: ${agent}`,
  );
  return [
    ["Protocol", `${asked.protocol} ${asked.frozen.protocol.slice(0, 19)}`],
    ["Base", `${asked.base}${asked.branch === null ? "" : ` on ${asked.branch}`}`],
    ["Agents", agents.length === 0 ? "by the settings" : agents.join(", ")],
    ["Sandbox", asked.sandbox],
    ...(asked.preapproved.length === 0
      ? []
      : [["Approved beforehand", asked.preapproved.join(", ")] as const]),
    ["Settings", asked.frozen.settings.slice(0, 19)],
  ];
}

/** The tests of a requirement with what they gave when they last ran. */
function Tests({
  requirement,
  results,
  isOver,
}: {
  readonly requirement: RequirementModel;
  readonly results: ReadonlyMap<string, LastResult>;
  readonly isOver: boolean;
}) {
  const { tests } = requirement;
  if (tests.length === 0)
    return isOver ? <Mark of="inconclusive">no test</Mark> : <Mark of="queued">no test yet</Mark>;
  return (
    <ul class="plain tests">
      {tests.map((id) => (
        <li key={id} class="name" data-test={id}>
          <TestMark result={results.get(id)} /> <span>{id}</span>
        </li>
      ))}
    </ul>
  );
}
