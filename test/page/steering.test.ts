/**
 * People steer runs together: two browsers and a terminal answer, comment, pause, resume with a text and end runs and nodes, and each
 * decision counts only for what was shown.
 * @module-tag ci
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { systemClock } from "../../src/lib/clock.ts";
import type { Recorded } from "../../src/log/run-event.ts";
import { livingProcesses, variableOf } from "../../src/process/proc.ts";
import { foldRun, recorded } from "../../src/run/list-runs.ts";
import type { RunNow } from "../../src/page/app/wire.ts";
import { callIn } from "../cli/here.ts";
import { createGateWorld, type GateWorld } from "../envoy/gate-world.ts";
import { heldCassette, specFile } from "../graph/person-world.ts";
import { createTreeWorld } from "../graph/world.ts";
import { promptsOf } from "../orchestrate/watched.ts";
import { createWorld, eventsOf, golden, type CliResult, type World } from "../orchestrate/world.ts";
import { hasScript, openTerminal } from "../support/terminal.ts";
import { verifiesWhen } from "../verifies.ts";
import { chromiumPath, noChromium, openAddress } from "./chromium.ts";
import { servePageOf, type Answer, type Browser, type PageServer } from "./page-server.ts";

const hasBrowser = chromiumPath !== null;
const proves = (title: string, body: () => unknown): void =>
  verifiesWhen(hasBrowser, noChromium, "SEE-06", title, body);
const hostile = `Why <b>not</b> {{task}}?\n\u001b[31m"""`;
const by = { answeredBy: "page", who: expect.any(String) as string };

describe.skipIf(!hasBrowser)("a run", () => {
  let world: World;
  let server: PageServer;
  let api: Browser;
  let [one, two] = [undefined, undefined] as unknown as [Page, Page];
  let path = "";
  let run = "";
  let events: readonly Recorded[] = [];
  let [stale, staleComment, missed, opened] = ["", "", "", ""];
  let three: readonly boolean[] = [];
  let terminal: CliResult;
  let outdated: Answer;

  const now = async () => (await api.get(path)).json as unknown as RunNow;
  const until = async (condition: (now: RunNow) => boolean): Promise<RunNow> => {
    for (const end = systemClock.now() + 60_000; ; await systemClock.sleep(100)) {
      const state = await now();
      if (condition(state)) return state;
      if (systemClock.now() > end)
        throw new Error(`not within a minute: ${JSON.stringify(state.model.state)}`);
    }
  };
  const ask = (page: Page, key: string) => page.locator(`[data-ask="${key}"]`);
  const form = (page: Page, key: string) => ask(page, key).locator("form").first().waitFor();
  const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).first().click();
  const open = async (): Promise<Page> => {
    const { page } = await openAddress(server.page.newAddress());
    await page.goto(`${page.url()}?repository=${world.host.repository.id}&run=${run}`);
    await page.locator("header.run").waitFor();
    return page;
  };
  /** Comments on the first line with this text in what is open over the page. */
  const comment = async (page: Page, line: string, text: string): Promise<void> => {
    await page.locator("dialog .row", { hasText: line }).first().locator("button.number").click();
    await page.locator("dialog textarea").fill(text);
    await page.locator("dialog button.yes").click();
    await page.keyboard.press("Escape");
  };

  beforeAll(async () => {
    world = await createWorld();
    const cassette = await golden();
    const { roles } = cassette;
    const [plan] = roles.planner;
    roles.planner = [plan ?? {}, plan ?? {}];
    for (const role of ["gemini", "claude"] as const) {
      const [planReview, testReview, codeReview] = roles[role];
      roles[role] = [planReview, planReview, planReview, testReview, codeReview, codeReview].map(
        (turn) => turn ?? {},
      );
    }
    const go = join(world.home, "go");
    const [coder] = roles.coder;
    const write = (coder?.does ?? [])[0]?.["write"] as { path: string; content: string };
    const held = { ...coder, does: [{ shell: `while ! test -e ${go}; do sleep 0.1; done` }, { write }] };
    const other = {
      ...coder,
      does: [{ write: { ...write, content: `/** Of titles. */\n${write.content}` } }],
    };
    const nothing = { does: [{ say: "I did nothing." }], report: { status: "COMPLETE", message: "nothing" } };
    // Nothing is done until the breaker trips; then the coder is paused, goes on, and works once more after the rejection.
    roles.coder = [nothing, held, other];
    run = await world.start(cassette, { limits: { green: 1 } });
    await callIn(world, ["resume", run, "--json"]);
    server = await servePageOf(world);
    api = await server.browser();
    path = `repositories/${world.host.repository.id}/runs/${run}`;
    [one, two] = [await open(), await open()];

    // A terminal answers; both pages notice by themselves.
    await form(one, "questions#1");
    const answers = ["Q1", "Q2", "Q3", "Q4", "Q5"].map((id) => `${id}=yes`);
    await callIn(world, ["answer", run, ...answers]);
    await Promise.all([one, two].map((page) => form(page, "user_gate_plan#1")));

    // The plan changes between showing and rejecting.
    await press(one, "architecture.md");
    await comment(one, "src/slugify.js", "Why a new file?");
    const spec = join(world.repository.dir, ".claude/temp/spec.md");
    await writeFile(spec, (await readFile(spec, "utf8")).replace("All tests pass.", "All tests pass!"));
    await press(one, "Reject with 1 comment");
    await until(({ model }) => model.asks.length === 0);
    stale = (await one.locator("[data-missed], [data-refused]").first().textContent()) ?? "";
    await press(two, "Go on");
    await form(one, "user_gate_plan#2");
    await press(one, "Reject with 1 comment");

    // Two browsers and a terminal at once.
    await Promise.all([one, two].map((page) => form(page, "user_gate_plan#3")));
    const approve = async (page: Page): Promise<boolean> => {
      const answered = page.waitForResponse(/\/decisions$/u);
      await press(page, "Approve what is shown");
      return (await answered).ok();
    };
    const [first, second, called] = await Promise.all([
      approve(one),
      approve(two),
      world.cli(["approve", run]),
    ]);
    terminal = called;
    // A page shows the refusal in its form, and above the run once the form is gone: either will do, and neither is awaited empty.
    const lost = (first ? two : one).locator("[data-missed], [data-refused]");
    three = [first, second, terminal.code !== 2];
    missed = (await lost.filter({ hasText: "was answered before" }).first().textContent()) ?? "";

    // A breaker; then the run is paused and goes on with a text.
    await until(({ model }) => model.asks[0]?.kind === "breaker" && model.asks[0].hash !== null);
    const broken = await now();
    await one.getByLabel("What the agent should know or do").fill("slugify belongs into src/slugify.js");
    await press(one, "Go on, and tell the agent this");
    await until(({ model }) =>
      model.dispatches.some(({ role, state }) => role === "coder" && state === "open"),
    );
    outdated = await api.post(`${path}/decisions`, {
      type: "abort",
      state: broken.state,
      reason: "too late",
    });
    await two.locator(`.verdict[data-status="running"]`).waitFor();
    await press(two, "Pause");
    await until(({ model }) => model.state.owner === null);
    await writeFile(go, "");
    await one.getByLabel(/agents that work next should know/u).fill(hostile);
    await press(one, "Go on, and tell the agents this");

    // Both comment on the diff of the work; the second rejection is about a line that changed since.
    await Promise.all([one, two].map((page) => form(page, "user_gate_code#1")));
    for (const page of [one, two]) {
      await page
        .locator("#changes button.link", { hasText: /^[0-9a-f]{10}$/u })
        .last()
        .click();
      opened = (await page.locator("dialog .lines").textContent()) ?? "";
      await comment(page, "throw new TypeError", hostile);
    }
    await press(one, "Reject with 1 comment");
    await Promise.all([one, two].map((page) => form(page, "user_gate_code#2")));
    await press(two, "Reject with 1 comment");
    staleComment = (await two.locator("[data-refused]").first().textContent()) ?? "";

    await two.locator("details.abort summary").click();
    await two.getByLabel("Why").fill("no longer needed");
    await press(two, "End the run …");
    await two.locator("dialog").getByRole("button", { name: "End the run" }).click();
    await until(({ model }) => model.state.status === "halted");
    events = (await world.host.journal.read(run)).map(recorded);
  }, 300_000);
  afterAll(() => server.close());

  proves("a change between showing and deciding is refused with what changed", () => {
    expect(stale).toContain("spec.md changed after it was shown");
    expect(outdated).toMatchObject({ status: 409, json: { error: { code: "approval_stale" } } });
    expect(staleComment).toContain("src/slugify.js has changed since it was commented on");
  });

  proves("two browsers and a terminal decide at once: one of them does, and the others are told", () => {
    expect(three.filter(Boolean)).toHaveLength(1);
    const key = "user_gate_plan#3";
    expect(eventsOf(events, "result").filter((result) => result.key === key)).toHaveLength(1);
    const [winner] = eventsOf(events, "result").filter((result) => result.key === key);
    expect(winner).toMatchObject({ outcome: "approve" });
    expect(missed).toContain("was answered before: approve by");
    if (winner?.by?.answeredBy !== "file")
      expect(terminal.stderr).toMatch(/was answered before: approve by|does not wait/u);
  });

  proves(
    "comments on a plan and on a diff, and texts of people, reach the agent's next prompt as they are",
    async () => {
      const planner = (await promptsOf(world, events, "planner")).at(-1) ?? "";
      expect(planner).toMatch(/architecture\.md:\d+\n {2}> .*src\/slugify\.js.*\n {2}Why a new file\?/u);
      const coder = await promptsOf(world, events, "coder");
      expect(coder[1]).toContain("slugify belongs into src/slugify.js");
      expect(coder[2]).toContain(`\n\nA PERSON ADDS:\n${hostile}\n`);
      const line = `if (typeof text !== "string") throw new TypeError("slugify takes a string");`;
      const said = hostile.split("\n").join("\n  ");
      expect(coder[3]).toContain(`src/slugify.js:5\n  > ${line}\n  ${said}`);
      expect(opened).toContain(line);
      expect(coder).toHaveLength(4);
    },
  );

  proves("the journal names the person and the way of each decision", async () => {
    const decided = eventsOf(events, "result").flatMap(({ key, outcome, by: who }) =>
      who === undefined ? [] : [`${key} ${outcome} ${who.answeredBy}`],
    );
    const plan3 = decided.find((line) => line.startsWith("user_gate_plan#3"));
    expect(decided).toEqual([
      "questions#1 answered file",
      "user_gate_plan#1 changed page",
      "user_gate_plan#2 reject page",
      plan3,
      expect.stringMatching(/ context page$/u),
      "user_gate_code#1 reject page",
    ]);
    expect(eventsOf(events, "run.paused")).toMatchObject([{ by }]);
    expect(eventsOf(events, "run.resumed")).toMatchObject([{ by }, { by, text: hostile }]);
    expect(eventsOf(events, "run.aborted")).toMatchObject([{ by, reason: "no longer needed" }]);
    const log = (await callIn(world, ["log", run])).stdout;
    for (const verb of ["paused", "resumed", "aborted"])
      expect(log).toMatch(new RegExp(`${verb} by .+ \\(page; nothing kept the agents from it\\)`, "u"));
  });
});

describe.skipIf(!hasBrowser)("a tree of nodes", () => {
  const parse = "receipt--parse";
  let world: World;
  let server: PageServer;
  let run = "";
  let dialog = "";
  let [before, after]: number[] = [0, 0];
  let others = 0;
  /** Exit codes of a terminal where Enter was pressed, and of one where `yes` was typed. */
  let atTerminal: readonly (number | null)[] = [];
  let wrong: Answer;
  let twice: Answer;

  const agentsOf = (node: string): number =>
    livingProcesses().filter(({ pid }) =>
      variableOf(pid, "METTLE_DISPATCH")?.startsWith(`${run}:work/children/children/${node}/`),
    ).length;
  const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
    for (const end = systemClock.now() + 60_000; !(await condition()); await systemClock.sleep(100))
      if (systemClock.now() > end) throw new Error("not within a minute");
  };

  beforeAll(async () => {
    world = await createTreeWorld();
    await world.repository.write({
      "spec.yaml": specFile("receipt(text) lists each item and then the total"),
    });
    const agent = await world.agent((await heldCassette()) as unknown as Parameters<World["agent"]>[0]);
    const driving = world.cli(["run", "--protocol", "graph", "--spec", "spec.yaml", "--agent", agent]);
    await until(async () => {
      run = (await world.host.journal.runs())[0] ?? "";
      if (run === "") return false;
      const { dispatches, commands } = await foldRun(world.host.journal, run);
      return Object.keys(dispatches).filter((key) => commands[key]?.result === null).length === 4;
    });
    server = await servePageOf(world);
    const api = await server.browser();
    const { page } = await openAddress(server.page.newAddress());
    await page.goto(`${page.url()}?repository=${world.host.repository.id}&run=${run}`);
    const path = `repositories/${world.host.repository.id}/runs/${run}`;
    const { model } = (await api.get(path)).json as unknown as RunNow;
    const shown = model.nodes.find(({ id }) => id === parse)?.shown ?? "";
    const end = { type: "abort-node", node: parse, reason: "" };
    wrong = await api.post(`${path}/decisions`, { ...end, shown: "0".repeat(16) });
    before = agentsOf("parse");

    await page.locator("details.abort summary").click();
    await page.locator(`select[name="end"]`).selectOption(parse);
    await page.getByLabel("Why").fill("not needed");
    await page.getByRole("button", { name: `End ${parse} …` }).click();
    dialog = (await page.locator("dialog").textContent()) ?? "";
    await page
      .locator("dialog")
      .getByRole("button", { name: `End ${parse}` })
      .click();
    await until(() => agentsOf("parse") === 0);
    [after, others] = [agentsOf("parse"), agentsOf("money")];
    twice = await api.post(`${path}/decisions`, { ...end, shown });
    if (hasScript) {
      const words = [process.execPath, packageRoot("dist/bin/mettle.cjs"), "abort", run];
      const open = (...more: readonly string[]) =>
        openTerminal([...words, ...more], { cwd: world.repository.dir, env: world.env });
      const undecided = open();
      await undecided.shows("let it go on");
      undecided.type("\r");
      const decided = open("--node", "receipt--money");
      await decided.shows("let it go on");
      decided.type("yes\r");
      atTerminal = [await undecided.ended(), await decided.ended()];
    }
    await callIn(world, ["abort", run]);
    await driving;
  }, 180_000);
  afterAll(() => server.close());

  proves("a node ends with all below it after the page showed what ends, and the others go on", () => {
    expect(before).toBeGreaterThan(0);
    for (const part of ["receipt--parse--lines", "receipt--parse--price", "decides how to continue"])
      expect(dialog).toContain(part);
    expect(dialog).not.toContain("receipt--money");
    expect(after).toBe(0);
    expect(others).toBeGreaterThan(0);
  });

  proves("a node that is not as it was shown does not end, and the journal has who ended which", async () => {
    for (const refused of [wrong, twice])
      expect(refused).toMatchObject({ status: 409, json: { error: { code: "approval_stale" } } });
    expect(twice.json["error"]).toMatchObject({ message: expect.stringContaining("it is now: aborted") });
    const events = (await world.host.journal.read(run)).map(recorded);
    const tty = { answeredBy: "tty", who: by.who };
    expect(eventsOf(events, "node.aborted")).toMatchObject([
      { node: parse, reason: "not needed", by },
      ...(hasScript ? [{ node: "receipt--money", by: tty }] : []),
    ]);
    expect(atTerminal).toEqual(hasScript ? [0, 0] : []);
    expect(eventsOf(events, "run.aborted")).toMatchObject([{ by: { answeredBy: "file" } }]);
  });
});

describe.skipIf(!hasBrowser)("a plan of Envoy", () => {
  const call = ["plan", "block-prompt-testing-gate", "1"];
  let world: GateWorld;
  let server: PageServer;
  let waitedMs = 0;

  beforeAll(async () => {
    world = await createGateWorld();
    await world.reset();
    const worktree = await world.prompt("1", "--requires-testing");
    await world.implement("1", worktree);
    await world.mettle("status");
    server = await servePageOf({ home: world.env["METTLE_HOME"] ?? "", env: world.env });
    const { page } = await openAddress(server.page.newAddress());
    await page.locator("[data-repository]").first().waitFor();
    await world.open(call);
    const opened = performance.now();
    const gate = page.locator(`[data-gate-form="1_testing"]`);
    await gate.waitFor();
    waitedMs = performance.now() - opened;
    await gate.locator(`select[name="test_passed"]`).selectOption("false");
    await gate.locator(`textarea[name="user_required_changes"]`).fill("Do not blink");
    await gate.getByRole("button", { name: "Answer" }).click();
    await gate.waitFor({ state: "detached" });
  }, 120_000);
  afterAll(() => server.close());

  proves("its gate appears by itself in an open page and is answered there", async () => {
    expect(waitedMs).toBeLessThan(4_000);
    expect(await world.ok(call)).toMatchObject({ passed: false, refinements: "Do not blink" });
    expect(await world.userInput()).toContain("(page; nothing kept the agents from it)");
  });
});
