/** What a run's model is read from. */
import { expect, test } from "vitest";
import { started } from "../../test/page/large-run.ts";
import type { Recorded, RunEvent } from "../log/run-event.ts";
import { emptyView, foldView } from "../log/run-view.ts";
import { load } from "../protocol/fixtures/sources.ts";
import { memoryPayloads } from "../testing/memory-payloads.ts";
import { readModel } from "./read-run.ts";

const spec = "# Prices\n\n## Functional Requirements\n\n- FR-1: A discount is subtracted\n";
const payloads = memoryPayloads();

async function events(): Promise<readonly Recorded[]> {
  const protocolRef = await payloads.put(JSON.stringify(load("orchestrate")));
  const written: RunEvent = {
    type: "document.written",
    name: "spec",
    ref: await payloads.put(spec),
    key: "",
    by: "agent",
  };
  return [{ ...started, protocolRef }, written].map((event, index) => ({
    ...event,
    seq: index + 1,
    at: "2026-01-01T00:00:00.000Z",
  }));
}

/** Opening a run reads its journal once more and repeats its steps: of 10,000 events that takes as long as everything else. */
test("a run without a tree is shown without being opened, also when its repository is gone", async () => {
  const read = await events();
  const model = await readModel(
    { view: foldView(emptyView("r1"), read), events: read, owner: null },
    {
      stored: async (ref, parse) => parse(await payloads.text(ref)),
      repository: null,
      open: () => Promise.reject(new Error("it was opened")),
    },
  );
  expect(model.requirements).toEqual([{ id: "FR1", text: "A discount is subtracted", tests: [] }]);
  expect(model.machines.length).toBeGreaterThan(0);
  expect(model.warnings).toEqual([]);
});
