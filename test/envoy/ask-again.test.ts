/** Every gate that `--again` opens again returns the answer that `mettle answer` gives meanwhile (fault D5). */
import { beforeAll, beforeEach, expect, test } from "vitest";
import { createGateWorld, type GateWorld } from "./gate-world.ts";

let world: GateWorld;
beforeAll(async () => void (world = await createGateWorld()));
beforeEach(() => world.reset());

const approach = ["--description", "x", "--context", "x", "--files", "src/a.ts"];

const gates = {
  "1_testing": {
    call: ["plan", "block-prompt-testing-gate", "1"],
    prepare: async () => {
      const worktree = await world.prompt("1");
      await world.implement("1", worktree);
    },
    sets: ["test_passed=true"],
  },
  "2_logging": {
    call: ["plan", "block-debugging-logging-gate", "2"],
    prepare: async () => {
      await world.prompt("2", "--debug");
    },
    sets: ["thoughts=none"],
  },
  "3_variants": {
    call: ["plan", "block-prompt-variants-gate", "3", "A"],
    prepare: async () => {
      for (const id of ["3 A", "3 B"]) {
        await world.implement(id, await world.prompt(id));
        await world.review(id);
      }
    },
    sets: ["variants.A.decision=main", "variants.B.decision=discard"],
  },
  findings_gate: {
    call: ["plan", "block-findings-gate"],
    prepare: async () => {
      await world.ok(["plan", "write-approach", "frontend", "1", ...approach]);
    },
    sets: ["approach_feedback.frontend_1.user_required_changes=Simpler"],
  },
} as const;

test.each(Object.entries(gates))("%s", { tags: "ci" }, async (gate, { call, prepare, sets }) => {
  await prepare();
  const answer = (thoughts: string) =>
    world.mettle("answer", gate, ...[...sets, `thoughts=${thoughts}`].flatMap((set) => ["--set", set]));
  await world.open(call);
  expect(await answer("first")).toMatchObject({ code: 0 });
  expect(await world.ok(call)).toMatchObject({ thoughts: "first" });
  const again = [...call, "--again"];
  await world.open(again);
  expect(await answer("second")).toMatchObject({ code: 0 });
  expect(await world.ok(again)).toMatchObject({ thoughts: "second" });
  // The answer was returned, so that `--again` opens the gate again.
  await world.open(again);
});
