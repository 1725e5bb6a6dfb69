/** Everything about one run, from what was asked to the commands that check it. */
import type { RunModel } from "../../views/model/run-model.ts";
import { Agents } from "./agents.tsx";
import { Evidence } from "./evidence.tsx";
import { Gates } from "./gates.tsx";
import { RunHeader } from "./run-header.tsx";
import { Timeline } from "./timeline.tsx";

export function RunPage({ model }: { readonly model: RunModel }) {
  return (
    <main>
      <RunHeader model={model} />
      <Timeline model={model} />
      <Gates model={model} />
      <Agents model={model} />
      <Evidence model={model} />
    </main>
  );
}
