/** One run, live: what waits for a person, what was done, and what was proved. */
import type { ComponentType } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import type { RunModel } from "../../views/model/run-model.ts";
import type { RunTexts } from "../../views/model/run-texts.ts";
import { Agents } from "../parts/agents.tsx";
import { Asked } from "../parts/asked.tsx";
import { Decisions } from "../parts/decisions.tsx";
import { Evidence } from "../parts/evidence.tsx";
import { Gates } from "../parts/gates.tsx";
import { Nodes } from "../parts/nodes.tsx";
import { IsLive } from "../parts/pieces.tsx";
import { Proof } from "../parts/proof.tsx";
import { Protocol } from "../parts/protocol.tsx";
import { Refusals } from "../parts/refusals.tsx";
import { Reviews } from "../parts/reviews.tsx";
import { RunHeader } from "../parts/run-header.tsx";
import { Tests } from "../parts/tests.tsx";
import { Timeline } from "../parts/timeline.tsx";
import { Asks } from "./asks.tsx";
import { Changes } from "./changes.tsx";
import { Controls } from "./controls.tsx";
import { redrawnFor } from "./redrawn.tsx";
import { Plan } from "./plan/plan.tsx";
import { memoryAddress } from "./routes.ts";
import { Texts } from "./texts.tsx";
import { Working } from "./working/working.tsx";
import { place, repositories, shownRun } from "./state.ts";

interface Part {
  readonly id: string;
  /** Of the link that leads to it; null: it follows at once. */
  readonly title: string | null;
  readonly View: ComponentType<{ readonly model: RunModel }>;
  /** Whether this run has it. */
  readonly isIn?: (model: RunModel) => boolean;
}

/** Texts are read from the server when someone opens them. */
const none: RunTexts = { documents: {}, prompts: {}, outputs: {} };

const AtWork = redrawnFor(["dispatches", "state"], Working);

/** In the order of the page, each with what it shows of a run. */
const parts: readonly Part[] = [
  {
    id: "asked",
    title: null,
    View: redrawnFor(["asked", "requirements", "questions", "tests", "state"], Asked),
  },
  {
    id: "timeline",
    title: "Timeline",
    View: redrawnFor(["phases", "steps", "state", "nodes", "run"], Timeline),
  },
  {
    id: "protocol",
    title: "Protocol",
    View: redrawnFor(["machines", "asked"], Protocol),
    isIn: ({ machines }) => machines.length > 0,
  },
  {
    id: "tree",
    title: "Tree",
    View: redrawnFor(["nodes", "run"], Nodes),
    isIn: ({ nodes }) => nodes.length > 0,
  },
  {
    id: "plan",
    title: "The plan",
    View: redrawnFor(["asked", "seq"], Plan),
    isIn: ({ asked }) => asked.plan !== null,
  },
  {
    id: "changes",
    title: "Plan and changes",
    View: redrawnFor(["documents", "commits", "result", "asked"], Changes),
    isIn: ({ asked, documents, commits }) => asked.plan === null || documents.length + commits.length > 0,
  },
  {
    id: "proof",
    title: "Proof",
    View: redrawnFor(["records", "state", "mutants", "tests", "proof"], Proof),
    // What proves a prompt of Envoy is in its plan.
    isIn: ({ asked, proof }) => asked.plan === null || proof !== null,
  },
  { id: "gates", title: "Gates", View: redrawnFor(["gates", "run"], Gates) },
  { id: "refused", title: "Refused", View: redrawnFor(["refusals", "warnings", "run"], Refusals) },
  { id: "reviews", title: "Reviews", View: redrawnFor(["reviews", "loopReviews"], Reviews) },
  {
    id: "decisions",
    title: "Decisions",
    View: redrawnFor(["answers", "breakers", "planGates"], Decisions),
    isIn: ({ answers, breakers, planGates }) => answers.length + breakers.length + planGates.length > 0,
  },
  { id: "tests", title: "Tests", View: redrawnFor(["tests", "run"], Tests) },
  { id: "evidence", title: "Evidence", View: redrawnFor(["records", "run"], Evidence) },
  { id: "texts", title: "Prompts and output", View: redrawnFor(["dispatches", "records"], Texts) },
  {
    id: "agents",
    title: "Agents and cost",
    View: redrawnFor(["dispatches", "spent", "run", "phases"], ({ model }) => (
      <Agents model={model} texts={none} />
    )),
  },
];

export function RunView() {
  const now = shownRun.value;
  const at = place.value;
  if (now === null || at === null) return <Missing />;
  const { model } = now;
  const there = parts.filter(({ isIn }) => isIn?.(model) ?? true);
  return (
    <IsLive.Provider value={true}>
      <main id="main" tabIndex={-1}>
        <RunHeader model={model} />
        <Controls now={now} at={at} />
        <Asks now={now} at={at} />
        <AtWork model={model} />
        <nav class="parts" aria-label="Parts of this run">
          {there.map(({ id, title }) =>
            title === null ? null : (
              <a key={id} href={`#${id}`}>
                {title}
              </a>
            ),
          )}
          <a href={memoryAddress(at.repository)} data-inside="">
            Memory and knowledge
          </a>
        </nav>
        <PartAfterPart key={model.run} parts={there} model={model} />
      </main>
    </IsLive.Provider>
  );
}

/**
 * Draws one part after the other, each with the newest model, and lets the browser work between them: neither a large run nor a
 * change of all its parts keeps a person waiting.
 */
function PartAfterPart({ parts: all, model }: { readonly parts: readonly Part[]; readonly model: RunModel }) {
  const [drawn, setDrawn] = useState<Drawn>({ last: -1, models: {} });
  useLayoutEffect(() => {
    // Begins behind the last one, so that changes which follow each other quickly reach all parts.
    const order = [...all.keys()].map((index) => (drawn.last + 1 + index) % all.length);
    const next = order.find((index) => drawn.models[all[index]?.id ?? ""] !== model);
    const part = next === undefined ? undefined : all[next];
    if (next === undefined || part === undefined) return undefined;
    const timer = window.setTimeout(() =>
      setDrawn({ last: next, models: { ...drawn.models, [part.id]: model } }),
    );
    return () => window.clearTimeout(timer);
  }, [all, model, drawn]);
  return (
    <>
      {all.map(({ id, View }) => {
        const shown = drawn.models[id];
        return shown === undefined ? null : <View key={id} model={shown} />;
      })}
    </>
  );
}

interface Drawn {
  /** Index of the part that was drawn last. */
  readonly last: number;
  /** What each part shows, by its id. */
  readonly models: Readonly<Record<string, RunModel>>;
}

function Missing() {
  const at = place.value;
  const repository = at === null ? undefined : repositories.value.get(at.repository);
  const isKnown = repository?.runs.some(({ run }) => run === at?.run) ?? false;
  const isLoading = repositories.value.size === 0 || isKnown;
  return (
    <main id="main" tabIndex={-1}>
      <h1 tabIndex={-1}>{isLoading ? "Loading" : "There is no such run"}</h1>
      {isLoading ? null : <p>It may have been removed by `mettle clean --all`.</p>}
    </main>
  );
}
