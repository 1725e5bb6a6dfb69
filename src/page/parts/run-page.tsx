/** Everything about one run, from what was asked to the commands that check it. */
import type { RunModel } from "../../views/model/run-model.ts";
import type { RunTexts } from "../../views/model/run-texts.ts";
import { Agents } from "./agents.tsx";
import { Asked } from "./asked.tsx";
import { Decisions, Waiting } from "./decisions.tsx";
import { Documents } from "./documents.tsx";
import { Evidence } from "./evidence.tsx";
import { Gates } from "./gates.tsx";
import { Nodes } from "./nodes.tsx";
import { Proof } from "./proof.tsx";
import { Protocol } from "./protocol.tsx";
import { Refusals } from "./refusals.tsx";
import { Reproduce } from "./reproduce.tsx";
import { Reviews } from "./reviews.tsx";
import { RunHeader } from "./run-header.tsx";
import { Tests } from "./tests.tsx";
import { Timeline } from "./timeline.tsx";

export function RunPage({ model, texts }: { readonly model: RunModel; readonly texts: RunTexts }) {
  return (
    <main>
      <RunHeader model={model} />
      <nav class="parts" aria-label="Parts of this page">
        {linksOf(model).map(([id, title]) => (
          <a key={id} href={`#${id}`}>
            {title}
          </a>
        ))}
      </nav>
      <Waiting model={model} />
      <Timeline model={model} />
      <Protocol model={model} />
      <Nodes model={model} />
      <Asked model={model} />
      <Proof model={model} />
      <Gates model={model} />
      <Refusals model={model} />
      <Reviews model={model} />
      <Decisions model={model} />
      <Agents model={model} texts={texts} />
      <Tests model={model} />
      <Evidence model={model} />
      <Documents model={model} texts={texts} />
      <Reproduce model={model} />
    </main>
  );
}

/** Links to the parts that this run has. */
function linksOf(model: RunModel): readonly (readonly [string, string])[] {
  const decided = model.answers.length + model.breakers.length + model.planGates.length;
  const parts: readonly (readonly [string, string, boolean?])[] = [
    ["waiting", "Waits", model.asks.length > 0],
    ["timeline", "Timeline"],
    ["protocol", "Protocol", model.machines.length > 0],
    ["tree", "Tree", model.nodes.length > 0],
    ["asked", "Asked"],
    ["proof", "Proof"],
    ["gates", "Gates", model.gates.length > 0],
    ["refused", "Refused"],
    ["reviews", "Reviews", model.reviews.length + model.loopReviews.length > 0],
    ["decisions", "Decisions", decided > 0],
    ["agents", "Agents and cost"],
    ["tests", "Tests", model.tests.rows.length > 0],
    ["evidence", "Evidence"],
    ["documents", "Documents", model.documents.length > 0],
    ["reproduce", "Check it yourself"],
  ];
  return parts.flatMap(([id, title, isThere = true]) => (isThere ? [[id, title] as const] : []));
}
