/** Work of DE that its gate refused stays in a session's checkout, and is not attributed to QA, who is next. */
import { beforeAll, describe, expect, test } from "vitest";
import type { Recorded } from "../../src/log/run-event.ts";
import { wide } from "../wide.ts";
import { eventsOf } from "../orchestrate/world.ts";
import { withInventedResults } from "./dialogue-cassettes.ts";
import { playOn, takeSeat, type Seat } from "./referee-world.ts";

let seat: Seat;
let events: readonly Recorded[];
async function play(): Promise<void> {
  seat = await takeSeat("riper");
  await seat.call("enter", { mode: "Ω₁ᴾ", ctx: "Add slugify(text)" });
  await playOn({ seat, cassette: await withInventedResults() });
  events = await seat.events();
}

// Another whole run of one cycle.
describe.skipIf(!wide)("refused work", () => {
  beforeAll(play, 120_000);

  test("results that DE invents are not used, and its refused work is attributed to no one else and corrected by DE", () => {
    const gates = eventsOf(events, "gate.judged").map(({ gate, verdict }) => `${gate} ${verdict}`);
    expect(gates.slice(0, 6)).toEqual([
      "cycle_red pass",
      "cycle_green pass",
      "test_refactor pass",
      "impl_refactor fail",
      "test_refactor pass",
      "impl_refactor pass",
    ]);
    expect(eventsOf(events, "commit.made").map(({ kind, paths }) => [kind, paths])).toContainEqual([
      "impl_refactor",
      ["src/slugify.js"],
    ]);
    expect(events.at(-1)).toMatchObject({ type: "run.ended", outcome: "complete" });
  });
});
