/** Printed steps through their failures: each question is answered as printed, and the run ends. */
import { expect } from "vitest";
import { promptText } from "../envoy/plan-world.ts";
import { createStepsWorld, implemented, merged } from "../steps/world.ts";
import { samples } from "../wide.ts";
import { Person } from "./explorer.ts";
import { inCi } from "../verifies.ts";

const starts = {
  continue: ["--protocol", "continue"],
  steps: ["--protocol", "implementation", "--input", "prompt_num=1"],
};

for (const [name, start] of samples(Object.entries(starts)))
  inCi(
    `${name} comes to its end from each question`,
    async () => {
      const world = await createStepsWorld();

      await world.ok(["plan", "write-prompt", "1", ...promptText]);
      const claims = {
        report: { status: "DONE", message: "merged", payload: { success: true, merged: true } },
      };
      const shell = `${implemented("1", "export const one = 1;")}\n${merged("1")}`;
      const turns = [
        { does: [{ crash: 3 }] },
        {},
        claims,
        claims,
        claims,
        claims,
        { does: [{ shell }], ...claims },
      ];
      const file = await world.cassette({ worker: turns });
      const person = new Person((args) => world.text(...args), {
        start: [...start, "--agent", `scripted:${file}`],
      });
      const run = await person.start();
      await person.answerAll(run);
      expect(person.faults).toEqual([]);
      expect(person.given.length).toBeGreaterThan(2);
      expect((await person.status(run)).status).toBe("complete");
    },
    240_000,
  );
