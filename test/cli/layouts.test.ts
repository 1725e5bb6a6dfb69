/** From `mettle init` to a proved change, in the layouts that people have (SEE-10). */
import { expect } from "vitest";
import { runnersHere } from "../../src/evidence/fixtures/run-native.ts";
import { createWorld, eventsOf, type DriveResult } from "../orchestrate/world.ts";
import { verifies, verifiesInCi } from "../verifies.ts";
import { callIn } from "./here.ts";
import { discountCassette, languageOf, layouts, type Layout } from "./layouts.ts";

const runner = { script: "node:test", python: "unittest", go: "go" } as const;
const here = await runnersHere();
const rest = "every file that is neither test, fixture nor configuration";

async function proveIn(layout: Layout): Promise<void> {
  const world = await createWorld(layout.files);
  const init = await callIn(world, ["init"]);
  expect(init.code).toBe(0);
  expect(init.stdout + init.stderr).toContain(`source: ${layout.says}${rest}\n`);
  await world.repository.commit("Set up Mettle");
  const agent = await world.agent(await discountCassette(layout));
  const { stderr, code } = await callIn(world, ["run", "Add a discount", "--agent", agent]);
  expect(stderr).toMatch(/^protocol: orchestrate \(/u);
  expect(code).toBe(3); // the questions wait
  const [run = ""] = await world.host.journal.runs();
  expect(whatFailed(await world.drive(run))).toEqual([]);
}

/** Failed checks, and the end if it is not that of a proved change. */
function whatFailed({ end, events }: DriveResult): readonly unknown[] {
  const failures = eventsOf(events, "gate.judged").flatMap(({ gate, verdict, reasons }) =>
    verdict === "pass" ? [] : [`${gate}: ${reasons.join("; ")}`],
  );
  return end.type === "ended" && end.outcome === "complete" ? failures : [...failures, end];
}

for (const [name, layout] of Object.entries(layouts)) {
  if (!here.has(runner[languageOf(layout)])) console.warn(`SKIPPED ${name}: its runner is not installed`);
  const title = `after init, a change of ${name} is proved`;
  if (name === "a package with src, and a new folder beside it")
    verifies("SEE-10", title, () => proveIn(layout), 120_000);
  else verifiesInCi("SEE-10", title, () => proveIn(layout), 120_000);
}
