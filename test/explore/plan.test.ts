/** The driver's /plan through its failures: each question is answered as printed, and the run ends. */
import { expect } from "vitest";
import { promptText } from "../envoy/plan-world.ts";
import { createStepsWorld, surveyed } from "../steps/world.ts";
import { Person } from "./explorer.ts";
import { inCi } from "../verifies.ts";

const crash = { does: [{ crash: 3 }] };
const claimed = { report: { status: "DONE", message: "written", payload: { success: true } } };
const segments = {
  does: [{ shell: 'envoy plan write-plan --title Shop --objective "Sell things" --context "A shop"' }],
  report: {
    status: "SEGMENTS",
    message: "one",
    payload: { segments: [{ specialist: "surveyor", requirements: "Prices" }], bug: false },
  },
};
const unwritten = { report: { status: "DONE", message: "written" } };
const written = {
  does: [{ shell: `envoy plan write-prompt 1 ${promptText.map((word) => JSON.stringify(word)).join(" ")}` }],
  ...unwritten,
};

inCi(
  "plan ends from each question",
  async () => {
    const world = await createStepsWorld();

    const file = await world.cassette(
      { planner: [crash, {}, segments, crash, unwritten, unwritten, unwritten, unwritten, written] },
      {
        surveyor: {
          worker: [
            crash,
            {},
            claimed,
            claimed,
            { does: [{ shell: surveyed("surveyor", "Cents") }], ...claimed },
          ],
        },
      },
    );
    const person = new Person((args) => world.text(...args), {
      start: ["Sell things", "--protocol", "plan", "--agent", `scripted:${file}`],
      maxCommands: 20,
      words: { "FIELD=VALUE": "thoughts=Good" },
    });
    const run = await person.start();
    await person.answerAll(run);
    expect(person.faults).toEqual([]);
    expect(person.given.filter((one) => one.startsWith("The findings wait"))).toHaveLength(1);
    expect(person.given.length).toBeGreaterThan(4);
    expect((await person.status(run)).status).toBe("complete");
  },
  240_000,
);
