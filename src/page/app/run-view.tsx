/** One run, live: what waits for a person, what was done, and what was proved. */
import type { RunModel } from "../../views/model/run-model.ts";
import type { RunTexts } from "../../views/model/run-texts.ts";
import { Agents } from "../parts/agents.tsx";
import { Asked } from "../parts/asked.tsx";
import { Decisions } from "../parts/decisions.tsx";
import { Evidence } from "../parts/evidence.tsx";
import { Gates } from "../parts/gates.tsx";
import { Nodes } from "../parts/nodes.tsx";
import { Proof } from "../parts/proof.tsx";
import { Refusals } from "../parts/refusals.tsx";
import { Reviews } from "../parts/reviews.tsx";
import { RunHeader } from "../parts/run-header.tsx";
import { Tests } from "../parts/tests.tsx";
import { Timeline } from "../parts/timeline.tsx";
import { Asks } from "./asks.tsx";
import { Changes } from "./changes.tsx";
import { Controls } from "./controls.tsx";
import { Texts } from "./texts.tsx";
import { place, repositories, shownRun } from "./state.ts";

export function RunView() {
  const now = shownRun.value;
  const at = place.value;
  if (now === null || at === null) return <Missing />;
  const { model } = now;
  return (
    <main>
      <RunHeader model={model} />
      <Controls now={now} at={at} />
      <Asks now={now} at={at} />
      <nav class="parts" aria-label="Parts of this run">
        {partsOf(model).map(([id, title]) => (
          <a key={id} href={`#${id}`}>
            {title}
          </a>
        ))}
      </nav>
      <Asked model={model} />
      <Timeline model={model} />
      <Nodes model={model} />
      <Changes model={model} />
      <Proof model={model} />
      <Gates model={model} />
      <Refusals model={model} />
      <Reviews model={model} />
      <Decisions model={model} />
      <Tests model={model} />
      <Evidence model={model} />
      <Texts model={model} />
      <Agents model={model} texts={none} />
    </main>
  );
}

/** Texts are read from the server when someone opens them. */
const none: RunTexts = { documents: {}, prompts: {}, outputs: {} };

/** In the order of the page. */
function partsOf({ nodes, answers, breakers, planGates }: RunModel): readonly (readonly [string, string])[] {
  const isDecided = answers.length + breakers.length + planGates.length > 0;
  return [
    ["timeline", "Timeline"],
    ...(nodes.length === 0 ? [] : [["tree", "Tree"] as const]),
    ["changes", "Plan and changes"],
    ["proof", "Proof"],
    ["gates", "Gates"],
    ["refused", "Refused"],
    ["reviews", "Reviews"],
    ...(isDecided ? [["decisions", "Decisions"] as const] : []),
    ["tests", "Tests"],
    ["evidence", "Evidence"],
    ["texts", "Prompts and output"],
    ["agents", "Agents and cost"],
  ];
}

function Missing() {
  const at = place.value;
  const repository = at === null ? undefined : repositories.value.get(at.repository);
  const isKnown = repository?.runs.some(({ run }) => run === at?.run) ?? false;
  const isLoading = repositories.value.size === 0 || isKnown;
  return (
    <main>
      <h1 tabIndex={-1}>{isLoading ? "Loading" : "There is no such run"}</h1>
      {isLoading ? null : <p>It may have been removed by `mettle clean --all`.</p>}
    </main>
  );
}
