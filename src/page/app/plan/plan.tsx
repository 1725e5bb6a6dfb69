/** The plan of Envoy that a run works on: each prompt with the step that it is at, and its change. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { RunModel } from "../../../views/model/run-model.ts";
import { Mark } from "../../parts/mark.tsx";
import { Section } from "../../parts/section.tsx";
import { Table } from "../../parts/table.tsx";
import { fetchPlan } from "../api.ts";
import { opened, place } from "../state.ts";
import type { PlanModel, PlanPromptModel } from "../../../views/model/plan-model.ts";

/** A run that works is quiet for so long before its plan is read again. */
const pauseMs = 500;

export function Plan({ model: { asked, seq } }: { readonly model: Pick<RunModel, "asked" | "seq"> }) {
  const plan = useSignal<PlanModel | null>(null);
  const repository = place.value?.repository ?? null;
  const branch = asked.plan;
  useEffect(() => {
    if (repository === null || branch === null) return undefined;
    // What cannot be read, for example of a repository that is gone, is left as it was.
    const read = async (): Promise<void> => {
      const answer = await fetchPlan(repository, branch);
      if (answer.type === "ok") plan.value = answer.value.plan;
    };
    // The plan changes with the work of the run; reading it costs git some work.
    const timer = window.setTimeout(() => void read(), plan.peek() === null ? 0 : pauseMs);
    return () => window.clearTimeout(timer);
  }, [repository, branch, seq]);
  if (branch === null) return null;
  const now = plan.value;
  return (
    <Section
      id="plan"
      title="The plan"
      lead={
        now === null || now.title === ""
          ? `Of the branch ${branch}.`
          : `${now.title}, of the branch ${branch}.`
      }
    >
      <Table
        caption="Prompts of the plan"
        rows={now?.prompts ?? []}
        idOf={({ id }) => `prompt ${id}`}
        empty={now === null ? "Loading." : "It has no prompts yet."}
        columns={[
          { label: "Prompt", cell: ({ id, description }) => `${id}: ${description}` },
          { label: "Steps", cell: (prompt) => <Steps prompt={prompt} /> },
          { label: "Agent", cell: ({ agent }) => agent, isEmpty: ({ agent }) => agent === null },
          { label: "Iterations", kind: "number", cell: ({ iterations }) => iterations },
          {
            label: "Verified",
            kind: "mark",
            cell: ({ verified }) =>
              verified === null ? <Mark of="queued">not yet</Mark> : <Mark of={verified.verdict} />,
          },
          { label: "Change", cell: (prompt) => <Change prompt={prompt} /> },
        ]}
      />
    </Section>
  );
}

function Steps({ prompt: { steps, isInProgress } }: { readonly prompt: PlanPromptModel }) {
  const current = steps.find(({ isDone }) => !isDone)?.name;
  return (
    <ol class="steps">
      {steps.map(({ name, isDone }) => (
        <li key={name} aria-current={name === current ? "step" : undefined}>
          <Mark of={isDone ? "done" : name === current && isInProgress ? "open" : "queued"}>{name}</Mark>
        </li>
      ))}
    </ol>
  );
}

function Change({ prompt: { id, change } }: { readonly prompt: PlanPromptModel }) {
  if (change === null) return <span class="aside">none yet</span>;
  return (
    <button
      type="button"
      class="link"
      aria-label={`open the change of prompt ${id}`}
      onClick={() => (opened.value = { type: "diff", title: `The change of prompt ${id}`, ...change })}
    >
      open
    </button>
  );
}
