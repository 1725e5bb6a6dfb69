/** A usage limit pauses the agents of one account until it ends, and the run goes on by itself (CORE-77, SEE-11). */
import { expect, vi } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { pauseAccount } from "../../src/dispatch/limits/pauses.ts";
import { recorded } from "../../src/run/list-runs.ts";
import type { Command } from "../../src/kernel/command.ts";
import { manualClock } from "../../src/testing/manual-clock.ts";
import { callIn } from "../cli/here.ts";
import { inCi, verifies, verifiesInCi } from "../verifies.ts";
import { openTerminal } from "../support/terminal.ts";
import { shellWords } from "../../src/views/shell-words.ts";
import { createLimitedWorld } from "./limited-world.ts";
import { createWorld, eventsOf, golden } from "./world.ts";

vi.setConfig({ testTimeout: 60_000 });
const hour = 3_600_000;

verifies(
  ["CORE-77", "SEE-11"],
  "ten agents of one account wait for its limit, then the same step goes on; nothing is charged",
  async () => {
    const world = await createLimitedWorld();
    const agent = await world.limited({ why: "429 from the service", retryAfterMs: hour });
    const run = await world.start({} as never, { protocol: "ten", agents: { default: agent } });
    const clock = manualClock("2026-12-01T08:00:00.000Z");
    const driven = world.driveBy(run, { clock });
    const started = async () => eventsOf(await world.events(run), "dispatch.started");
    const results = async () => eventsOf(await world.events(run), "result");
    await vi.waitFor(
      async () => expect(eventsOf(await world.events(run), "account.paused")).toHaveLength(1),
      30_000,
    );
    await world.release();
    // The planner and nine drafts: the words about limits in a file, in tool output and in a message pause nothing.
    await vi.waitFor(async () => expect(await results()).toHaveLength(10), 30_000);
    await clock.advance(hour - 1);
    const status = await callIn(world, ["status", run]);
    expect(status.stdout).toContain(
      `limit     the usage limit of ${agent} is reached, its agents go on by themselves at 2026-12-01 09:00:00 UTC`,
    );
    expect(await started()).toHaveLength(11);
    await clock.advance(1);
    expect(await driven).toMatchObject({ type: "ended", outcome: "complete" });
    const all = await started();
    expect(all.map(({ role }) => role).toSorted()).toEqual(
      ["planner", ...Array(11).fill("drafter"), ...Array(10).fill("polisher")].toSorted(),
    );
    const [again] = all.slice(11).filter(({ role }) => role === "drafter");
    const limited = eventsOf(await world.events(run), "account.paused");
    expect(limited).toMatchObject([{ reachedBy: again?.key, why: "429 from the service" }]);
    // Every draft counts once, also the repeated one.
    const issued = eventsOf(await world.events(run), "command.issued").map(
      ({ command }) => command as Command,
    );
    const polished = issued.filter(({ state }) => state === "polish");
    expect(polished.map(({ counters }) => counters["tries"]?.value)).toEqual(Array(10).fill(2));
    expect(eventsOf(await world.events(run), "warned")).toEqual([]);
    expect((await callIn(world, ["status", run, "--json"])).json()).toMatchObject({ runs: [{ limits: [] }] });
  },
);

inCi("two accounts: the agents of the other one go on while the first waits", async () => {
  const world = await createLimitedWorld();
  const drafter = await world.limited({ retryAfterMs: hour });
  const polisher = await world.limited({});
  const agents = { default: drafter, polisher };
  const run = await world.start({} as never, { protocol: "ten", agents });
  const clock = manualClock();
  const driven = world.driveBy(run, { clock });
  const polished = async () =>
    eventsOf(await world.events(run), "result").filter(({ key }) => key.includes("polish"));
  await vi.waitFor(
    async () => expect(eventsOf(await world.events(run), "account.paused")).toHaveLength(1),
    30_000,
  );
  await world.release();
  await vi.waitFor(async () => expect(await polished()).toHaveLength(9), 30_000);
  await clock.advance(hour);
  expect(await driven).toMatchObject({ type: "ended", outcome: "complete" });
});

inCi("another run of this user waits for the same account, and Ctrl-C ends its wait at once", async () => {
  const world = await createLimitedWorld();
  const agent = await world.limited({ why: "429" });
  const clock = manualClock();
  await pauseAccount(
    { home: world.host.home, clock },
    { account: agent, why: "429", resets: { inMs: hour }, startedMs: 0 },
  );
  const run = await world.start({} as never, { protocol: "ten", agents: { default: agent } });
  const stop = new AbortController();
  const driven = world.driveBy(run, { clock, signal: stop.signal });
  await vi.waitFor(() => expect(clock.sleeping()).toBe(1));
  stop.abort();
  expect(await driven).toEqual({ type: "interrupted" });
  const events = await world.events(run);
  expect(eventsOf(events, "dispatch.started")).toEqual([]);
  expect(eventsOf(events, "account.paused")).toMatchObject([{ account: agent, reachedBy: null, why: "429" }]);
});

inCi(
  "without a reset time a run waits one minute, and with --no-wait it stops and charges nobody",
  async () => {
    const world = await createLimitedWorld();
    await world.release();
    const agent = await world.limited({ why: "come back at noon" });
    const run = await world.start({} as never, { protocol: "ten", agents: { default: agent } });
    const clock = manualClock();
    const end = await world.driveBy(run, { clock, waits: false });
    const until = clock.now() + 60_000;
    expect(end).toMatchObject({
      type: "limited",
      pauses: [{ account: agent, until, why: "come back at noon" }],
    });
    const driven = world.driveBy(run, { clock });
    await vi.waitFor(() => expect(clock.sleeping()).toBe(1));
    await clock.advance(60_000);
    expect(await driven).toMatchObject({ type: "ended", outcome: "complete" });
  },
);

verifiesInCi(
  "SEE-11",
  "`--no-wait` exits with 5 and names the command that goes on, which counts down in a terminal and survives kill -9 while it waits",
  async () => {
    const world = await createWorld();
    const cassette = await golden();
    const [first = {}] = cassette.roles.intake;
    const limit = { outcome: "rate_limited", why: "429", retryAfterMs: 15_000 };
    cassette.roles.intake = [{ does: [{ fails: limit }] }, first];
    const agent = await world.agent(cassette);
    const stopped = await world.cli(["run", "Add slugify(text)", "--agent", agent, "--no-wait", "--json"]);
    const { run, limits, error } = stopped.json() as {
      run: string;
      limits: unknown;
      error: { hint: string };
    };
    expect(stopped.code).toBe(5);
    expect(stopped.json()).toMatchObject({ outcome: "limited", status: "stopped", waiting_all: [] });
    expect(limits).toMatchObject([{ account: agent, why: "429" }]);
    expect(error).toMatchObject({ code: "usage_limit", message: expect.stringContaining(agent) as string });
    expect(error.hint).toContain(`\`mettle resume ${run}\``);
    const words = [process.execPath, packageRoot("dist/bin/mettle.js"), "resume", run];
    // The terminal of `script` has no size.
    const sized = ["sh", "-c", `stty cols 140 rows 30; exec ${shellWords(words)}`];
    const waiting = openTerminal(sized, { cwd: world.repository.dir, env: world.env });
    await waiting.shows(`usage limit of ${agent}: goes on in `);
    const owner = await world.host.journal.owner(run);
    process.kill(owner?.pid ?? 0, "SIGKILL");
    await waiting.ended();
    const resumed = await world.cli(["resume", run]);
    expect(resumed.code).toBe(3);
    expect(resumed.stderr).toContain(
      `note: the usage limit of ${agent} is reached, its agents go on by themselves`,
    );
    const [until = 0] = (limits as { until: string }[]).map((each) => Date.parse(each.until));
    const starts = eventsOf((await world.host.journal.read(run)).map(recorded), "dispatch.started");
    expect(starts.map(({ role }) => role)).toEqual(["intake", "intake"]);
    expect(Date.parse(starts[1]?.at ?? "")).toBeGreaterThanOrEqual(until);
  },
  90_000,
);
