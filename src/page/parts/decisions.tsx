/** What waits for a person now, with the commands that answer it. */
import type { AskModel } from "../../views/model/decision-model.ts";
import type { RunModel } from "../../views/model/run-model.ts";
import { Mark } from "./mark.tsx";
import { Fold, Section } from "./section.tsx";
import { Table } from "./table.tsx";
import { askText, clockText, nameText } from "./words.ts";

export function Waiting({ model }: { readonly model: Pick<RunModel, "asks"> }) {
  if (model.asks.length === 0) return null;
  return (
    <Section id="waiting" title="Waits for a person">
      {model.asks.map((ask) => (
        <Ask key={ask.key} ask={ask} />
      ))}
    </Section>
  );
}

/** One question with what was shown, and the hash that an answer is bound to. */
export function Ask({ ask }: { readonly ask: AskModel }) {
  const { node, text, kind, hash, shown, commands, questions, since } = ask;
  return (
    <article class="ask" data-ask={ask.key} data-hash={hash ?? ""}>
      <p class="line">
        <Mark of={kind === "breaker" || kind === "failed" ? "blocked" : "waiting"}>{nameText(kind)}</Mark>
        {node === null ? null : <span class="place">{node}</span>}
        <strong>{askText(text)}</strong>
        {since === null ? null : <span class="aside">since {clockText(since)}</span>}
      </p>
      {questions.length === 0 ? null : (
        <ul class="plain">
          {questions.map(({ id, topic, text: question }) => (
            <li key={id}>
              <span class="name">{id}</span> {question} <span class="aside">({topic})</span>
            </li>
          ))}
        </ul>
      )}
      {shown === null ? null : (
        <Fold title="What is shown with it">
          <pre>{shown}</pre>
        </Fold>
      )}
      <pre class="commands">{commands.join("\n")}</pre>
      {hash === null ? null : (
        <p class="aside">
          An answer is bound to{" "}
          <span class="name" title={hash}>
            {hash.slice(0, 23)}…
          </span>
        </p>
      )}
    </article>
  );
}

type DecisionFacts = Pick<RunModel, "answers" | "breakers" | "planGates">;

/** What people decided, and the breakers that stopped the run. */
export function Decisions({ model }: { readonly model: DecisionFacts }) {
  const { answers, breakers, planGates } = model;
  if (answers.length + breakers.length + planGates.length === 0) return null;
  return (
    <Section id="decisions" title="Decisions of people">
      {answers.length === 0 ? null : (
        <Table
          caption="Answers of people"
          newest
          rows={answers}
          idOf={({ key }) => `answer ${key}`}
          columns={[
            { label: "About", cell: ({ ask }) => askText(ask) },
            {
              label: "Answer",
              cell: ({ outcome, text }) => (
                <>
                  <strong>{nameText(outcome)}</strong> {text}
                </>
              ),
            },
            {
              label: "By",
              cell: ({ by, authenticated }) => (authenticated ? by : `${by}, not authenticated`),
            },
            {
              label: "Bound to",
              kind: "name",
              cell: ({ hash }) => hash?.replace("sha256:", "").slice(0, 12) ?? "–",
            },
            { label: "At", cell: ({ at }) => clockText(at) },
          ]}
        />
      )}
      {breakers.length === 0 ? null : (
        <>
          <h3>Circuit breakers</h3>
          <Table
            caption="Circuit breakers that tripped"
            newest
            rows={breakers}
            idOf={({ key }) => `breaker ${key}`}
            columns={[
              { label: "Trigger", cell: ({ trigger }) => trigger },
              { label: "Attempts", kind: "number", cell: ({ attempts, max }) => `${attempts} of ${max}` },
              { label: "Last error", cell: ({ lastError }) => <span class="pre">{lastError}</span> },
              {
                label: "State",
                kind: "mark",
                cell: ({ open }) => (open ? <Mark of="blocked" /> : <Mark of="done">answered</Mark>),
              },
            ]}
          />
        </>
      )}
      {planGates.length === 0 ? null : (
        <>
          <h3>Gates of the plan</h3>
          <Table
            caption="Gates of the plan that were opened for a person"
            rows={planGates}
            idOf={({ key, gate }) => `plan gate ${gate} ${key}`}
            columns={[
              { label: "Gate", kind: "name", cell: ({ gate }) => gate },
              {
                label: "State",
                kind: "mark",
                cell: ({ open }) => (open ? <Mark of="waiting" /> : <Mark of="done">answered</Mark>),
              },
              { label: "Answer with", kind: "name", cell: ({ command }) => command ?? "–" },
              { label: "Opened", cell: ({ at }) => clockText(at) },
            ]}
          />
        </>
      )}
    </Section>
  );
}
