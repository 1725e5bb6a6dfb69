/** The error without an installed reviewer, and the text of the variants gate of a debug prompt. */
import { beforeAll, expect, test } from "vitest";
import { createGateWorld, type GateWorld } from "./gate-world.ts";

let world: GateWorld;
beforeAll(async () => {
  world = await createGateWorld();
  await world.reset();
});

test("a review without a reviewer names the setting that selects another one (fault E18)", async () => {
  await world.repository.write({
    "mettle.yaml":
      "version: 1\nagents:\n  roles: { reviewer: absent }\n  commands:\n    absent: { run: [no-such-program] }\n",
  });
  await world.implement("1", await world.prompt("1"));
  const refused = await world.refused(["gemini", "review", "1"]);
  expect(JSON.stringify(refused)).toMatch(/no-such-program is not installed.*agents\.roles\.reviewer/u);
  await world.repository.write({ "mettle.yaml": null });
});

test("the gate of a debug prompt's variants promises no branch that is archived (fault E21)", async () => {
  for (const id of ["2 A", "2 B"]) {
    await world.implement(id, await world.prompt(id, "--debug"));
    await world.review(id);
  }
  await world.open(["plan", "block-prompt-variants-gate", "2", "A"]);
  const file = await world.saved("2_variants.yaml");
  expect(file).toContain("or discard (its branch is archived)");
  expect(file).not.toContain("branch kept");
});
