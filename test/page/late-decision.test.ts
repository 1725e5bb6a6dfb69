/**
 * Somebody answers a run in the moment in which another one has claimed it to answer and to drive it.
 * @module-tag ci
 */
import { expect, test } from "vitest";
import { answerAsk } from "../../src/engine/asks/answer.ts";
import { openAsksOf } from "../../src/engine/asks/open.ts";
import { openRun } from "../../src/families/open-run.ts";
import { applyDecision } from "../../src/cli/answer-run.ts";
import { drives } from "../../src/cli/page/drives.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { answerOnly, createWorld, eventsOf, golden } from "../orchestrate/world.ts";
import { servePageOf } from "./page-server.ts";

test("the second decision is refused, and its process drives the run that the first one let go on", async () => {
  const world = await createWorld();
  const { run } = await world.go(await golden(), answerOnly("questions"));
  await servePageOf(world);
  const ended = new AbortController();
  const warnings: string[] = [];
  const driven = drives({ signal: ended.signal, cwd: world.home, warn: (line) => void warnings.push(line) });
  const by = { answeredBy: "page", authenticated: false, who: "second" } as const;
  const started = driven.start({
    folder: world.repository.dir,
    run,
    async decide(context) {
      const first = await openRun(world.host, { run });
      const [ask] = openAsksOf(first);
      if (ask === undefined) throw new Error("nothing waits");
      const other = { ...by, answeredBy: "file", who: "first" } as const;
      await first.session.settle(ask.key, await answerAsk(first, { ask, outcome: "approve", by: other }));
      await context.session.refresh();
      const decision = { matches: () => true, decide: async () => ({ outcome: "approve" }) };
      await applyDecision(context, decision, by);
    },
  });
  await expect(started).rejects.toMatchObject({ code: "nothing_waiting" });
  await expect
    .poll(
      async () =>
        eventsOf((await world.host.journal.read(run)).map(recorded), "dispatch.started").at(-1)?.role,
      { timeout: 60_000 },
    )
    .toBe("tester");
  ended.abort();
  await driven.stopped();
  expect(warnings).toEqual([]);
  const approvals = eventsOf((await world.host.journal.read(run)).map(recorded), "result").filter(
    ({ outcome }) => outcome === "approve",
  );
  expect(approvals).toMatchObject([{ by: { who: "first" } }]);
}, 120_000);
