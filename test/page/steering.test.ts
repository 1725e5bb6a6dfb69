/**
 * A person steers a run in the page: a breaker is answered with context, the run is paused, goes on, and is ended.
 * @module-tag ci
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { recorded } from "../../src/run/list-runs.ts";
import type { RunNow } from "../../src/page/app/wire.ts";
import { callIn } from "../cli/here.ts";
import { createWorld, eventsOf, golden, type World } from "../orchestrate/world.ts";
import { promptsOf } from "../orchestrate/watched.ts";
import { servePageOf, type Answer, type Browser } from "./page-server.ts";

let world: World;
let one: Browser;
let path = "";
let run = "";
let outdated: Answer;
const done: Record<string, number> = {};

const now = async () => (await one.get(path)).json as unknown as RunNow;
const decide = (decision: object) => one.post(`${path}/decisions`, decision);
const until = async (condition: (now: RunNow) => boolean): Promise<RunNow> => {
  const end = systemClock.now() + 60_000;
  for (;;) {
    const state = await now();
    if (condition(state)) return state;
    if (systemClock.now() > end)
      throw new Error(`it did not happen within a minute: ${JSON.stringify(state.model.state)}`);
    await systemClock.sleep(100);
  }
};
const askOf = ({ model }: RunNow) => ({ ask: model.asks[0]?.key ?? "", hash: model.asks[0]?.hash ?? "" });

beforeAll(async () => {
  world = await createWorld();
  const cassette = await golden();
  const { roles } = cassette;
  const go = join(world.home, "go");
  const [coder] = roles.coder;
  const says = { does: [{ say: "I did nothing." }], report: { status: "COMPLETE", message: "nothing" } };
  // Nothing is implemented until the breaker trips; then the coder works until the run is paused, and again when it goes on.
  const waits = {
    ...coder,
    does: [{ shell: `while ! test -e ${go}; do sleep 0.1; done` }, ...(coder?.does ?? [])],
  };
  roles.coder = [says, waits, waits];
  run = await world.start(cassette, { limits: { green: 1 } });
  const first = callIn(world, ["resume", run, "--json"]);
  await first;
  const server = await servePageOf(world);
  one = await server.browser();
  path = `repositories/${world.host.repository.id}/runs/${run}`;
  const answers = ["Q1", "Q2", "Q3", "Q4", "Q5"].map((id) => ({ id, text: "yes" }));
  done["answer"] = (await decide({ type: "answer", ...askOf(await now()), answers })).status;
  done["approve"] = (await decide({ type: "approve", ...askOf(await until(isAsk("plan"))) })).status;
  const broken = await until(isAsk("breaker"));
  const context = { type: "resume-with", choice: "context", text: "slugify belongs into src/slugify.js" };
  done["context"] = (await decide({ ...context, ...askOf(broken) })).status;
  const working = await until(({ model }) =>
    model.dispatches.some(({ role, state }) => role === "coder" && state === "open"),
  );
  outdated = await decide({ type: "abort", state: broken.state, reason: "seen too late" });
  done["pause"] = (await decide({ type: "pause", state: working.state })).status;
  const stopped = await until(({ model }) => model.state.owner === null);
  await writeFile(go, "");
  done["resume"] = (
    await decide({ type: "resume", state: stopped.state, text: "Use {{task}} & keep it short" })
  ).status;
  const code = await until(isAsk("code"));
  done["abort"] = (await decide({ type: "abort", state: code.state, reason: "no longer needed" })).status;
  await until(({ model }) => model.state.status === "halted");
}, 240_000);

function isAsk(kind: string) {
  return ({ model }: RunNow): boolean => model.asks[0]?.kind === kind && model.asks[0].hash !== null;
}

test("each decision is taken, and one about a state that is over is refused with how the run is now", () => {
  expect(done).toEqual({ answer: 200, approve: 200, context: 200, pause: 200, resume: 200, abort: 200 });
  expect(outdated).toMatchObject({
    status: 409,
    json: { error: { code: "approval_stale", message: expect.stringContaining("it is running now") } },
  });
});

test("the journal has who paused and ended it and by which way, and the agent read the context", async () => {
  const events = (await world.host.journal.read(run)).map(recorded);
  const by = { answeredBy: "page", who: expect.any(String) as string };
  expect(eventsOf(events, "run.paused")).toMatchObject([{ by }]);
  expect(eventsOf(events, "run.resumed")).toMatchObject([{ by, text: "Use {{task}} & keep it short" }]);
  expect(eventsOf(events, "run.aborted")).toMatchObject([{ reason: "no longer needed", by }]);
  expect(eventsOf(events, "result").find(({ outcome }) => outcome === "context")?.by).toMatchObject(by);
  const [, second, third] = await promptsOf(world, events, "coder");
  expect(second).toContain("slugify belongs into src/slugify.js");
  expect(third).toContain("\n\nA PERSON ADDS:\nUse {{task}} & keep it short\n");
});
