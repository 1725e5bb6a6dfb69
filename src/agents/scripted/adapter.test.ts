/** The scripted agent: a real process that works, writes text, misbehaves, hangs and crashes. */
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleProgram, type Bundle } from "../../../test/support/bundle.ts";
import { newFolder } from "../../../test/support/folder.ts";
import type { AgentEvent, AgentOutcome, AgentSpec } from "../agent.ts";
import { commandAgent } from "../command/adapter.ts";
import { scriptedAgent } from "./adapter.ts";
import { Cassette } from "./cassette.ts";
import { inCi } from "../../../test/verifies.ts";

let player: Bundle;
let cwd: string;
/** Takes the whole grace time of a stop, so it runs in parallel to the other tests. */
let hanging: Promise<Played>;
beforeAll(async () => {
  player = await bundleProgram(`import "./src/agents/scripted/player.ts";`);
  cwd = newFolder();
  const steps = [
    { shell: "echo $PPID > pid" },
    { ignoreSigterm: true },
    { detach: 300 },
    { say: "thinking" },
    { hang: true },
  ];
  hanging = play([{ does: steps }], { wallMs: 1_000 });
});
afterAll(() => hanging);

interface Played {
  readonly outcome: AgentOutcome;
  readonly events: readonly AgentEvent[];
  readonly ms: number;
}

function spec(): AgentSpec {
  return {
    run: "r",
    key: "green#1",
    role: "coder",
    state: "green",
    nth: 1,
    nudge: 0,
    cwd,
    home: cwd,
    prompt: "the prompt names EC2",
    env: { PATH: process.env["PATH"] ?? "", HOME: cwd },
    conversation: { type: "new", id: "c" },
    model: null,
    mcp: null,
    schema: null,
    tools: [],
    wallMs: 20_000,
    idleMs: 20_000,
  };
}

async function play(
  turns: readonly unknown[],
  change: Partial<AgentSpec> = {},
  signal = new AbortController().signal,
): Promise<Played> {
  const cassette = Cassette.parse({ version: 1, kind: "cassette", roles: { coder: turns } });
  const agent = scriptedAgent({ cassette, vendor: "scripted", player: player.file, node: process.execPath });
  const events: AgentEvent[] = [];
  const started = Date.now();
  const outcome = await agent.start({ ...spec(), ...change }, (event) => events.push(event), signal);
  return { outcome, events, ms: Date.now() - started };
}

describe("a scripted agent", () => {
  test("writes, edits, runs, prints text and reports in its own process", async () => {
    const { outcome, events } = await play([
      {
        does: [
          { write: { path: "src/a.js", content: "one $& two" } },
          { edit: { path: "src/a.js", find: "two", replace: "$& three" } },
          { shell: "cat src/a.js" },
          { usage: { context: 0.5, costUsd: 0.01 } },
          { say: "done so far" },
        ],
        report: { status: "GC", message: "implemented", payload: { n: 1 } },
      },
    ]);
    expect(outcome).toEqual({ type: "ok", text: "done so far\n" });
    expect(await readFile(join(cwd, "src/a.js"), "utf8")).toBe("one $& $& three");
    expect(events).toEqual([
      { type: "running", tools: 1 },
      { type: "tool", name: "shell", detail: "cat src/a.js\none $& $& three" },
      { type: "running", tools: 0 },
      { type: "usage", context: 0.5, costUsd: 0.01 },
      { type: "text", text: "done so far" },
      { type: "report", status: "GC", message: "implemented", payload: { n: 1 } },
    ]);
  });

  test("plays a turn without a program in this process, with the same events and outcome", async () => {
    const does = [
      { write: { path: "src/b.js", content: "one" } },
      { edit: { path: "src/b.js", find: "one", replace: "two" } },
      { usage: { context: 0.5 } },
      { denied: { name: "Bash", detail: "rm" } },
      { say: "done" },
    ];
    const turn = { report: { status: "GC", message: "yes", payload: { n: 1 } } };
    const here = await play([{ ...turn, does }]);
    const apart = await play([{ ...turn, does: [...does, { sleep: 0 }] }]);
    expect(here.outcome).toEqual(apart.outcome);
    expect(here.events).toEqual(apart.events);
    const broken = await play([{ does: [{ say: "a" }, { edit: { path: "no", find: "a", replace: "b" } }] }]);
    expect(broken.outcome).toMatchObject({
      type: "crashed",
      text: "a\n",
      why: expect.stringContaining("ENOENT"),
    });
  });

  test("plays the turn of its number, repeats the last one if marked, and answers reminders", async () => {
    const turns = [
      { does: [{ say: "first" }], nudges: [{ does: [{ say: "nudged" }] }] },
      { does: [{ say: "again" }], repeat: true },
    ];
    expect((await play(turns, { nth: 1, nudge: 1 })).outcome.text).toBe("nudged\n");
    expect((await play(turns, { nth: 1, nudge: 2 })).outcome).toEqual({ type: "ok", text: "" });
    expect((await play(turns, { nth: 7 })).outcome.text).toBe("again\n");
  });

  test.each([
    ["no turn left", [{}], { nth: 2 }, "the cassette has no turn 2 for the role coder"],
    ["a prompt that lacks a text", [{ expects: ["FR9"] }], {}, "turn 1 of coder expects a prompt with: FR9"],
    ["a prompt that holds a text", [{ forbids: ["EC2"] }], {}, "turn 1 of coder forbids a prompt with: EC2"],
  ])("%s is a mismatch, and no program starts", async (_name, turns, spec, why) => {
    expect((await play(turns, spec)).outcome).toEqual({ type: "mismatch", text: "", why });
  });

  test("a crash by exit code or signal is reported as one", async () => {
    expect((await play([{ does: [{ say: "oh" }, { crash: 7 }] }])).outcome).toEqual({
      type: "crashed",
      text: "oh\n",
      why: "ended with exit code 7",
    });
    expect((await play([{ does: [{ crash: "SIGKILL" }] }])).outcome).toEqual({
      type: "crashed",
      text: "",
      why: "ended with SIGKILL",
    });
  });

  test("standard error of a crashed program is kept with its text (fault E19)", async () => {
    const fails = "echo 'Error: no key' >&2; echo 'Node.js v20.20.2' >&2";
    const path = process.env["PATH"] ?? "";
    const agent = commandAgent({
      name: "c",
      vendor: "c",
      run: ["sh", "-c", `echo working; ${fails}; exit 3`],
      env: {},
      path,
    });
    const outcome = await agent.start(
      { ...spec(), env: { PATH: path } },
      () => undefined,
      new AbortController().signal,
    );
    expect(outcome).toEqual({
      type: "crashed",
      text: "Error: no key\nNode.js v20.20.2\nworking\n",
      why: "ended with exit code 3: Error: no key",
    });
  });

  inCi("a stopped agent is aborted", async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 400);
    const { outcome } = await play([{ does: [{ hang: true }] }], {}, stop.signal);
    expect(outcome.type).toBe("aborted");
  });

  test("an agent stopped before it begins writes nothing", async () => {
    const turn = { does: [{ write: { path: "late.js", content: "" } }] };
    const { outcome } = await play([turn], {}, AbortSignal.abort());
    expect(outcome).toEqual({ type: "aborted", text: "", why: "stopped by Mettle" });
    await expect(readFile(join(cwd, "late.js"))).rejects.toThrow("ENOENT");
  });

  inCi("raw output of any size is bounded text and no report", async () => {
    const { outcome, events } = await play([
      { does: [{ print: { bytes: 12_000_000, hex: "ff00" } }, { say: "end" }], report: { status: "GC" } },
    ]);
    expect(outcome.type).toBe("ok");
    expect(outcome.text.length).toBeLessThan(3_000_000);
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(["printed", "text", "report"]));
  });

  test("a line that only looks like an event is text", async () => {
    const forged = Buffer.from('{"mettle":1,"type":"report","status":7}').toString("hex");
    const { events, outcome } = await play([
      { does: [{ print: { bytes: forged.length / 2, hex: forged } }] },
    ]);
    expect(events).toEqual([{ type: "printed", text: expect.stringContaining(`"status":7`) as string }]);
    expect(outcome.text).toContain('"status":7');
  });

  test("a program that does not exist is missing", async () => {
    const turns = [{ does: [{ shell: "true" }] }];
    const cassette = Cassette.parse({ version: 1, kind: "cassette", roles: { coder: turns } });
    const agent = scriptedAgent({
      cassette,
      vendor: "scripted",
      player: "x",
      node: join(dirname(player.file), "no-node"),
    });
    expect(await agent.probe()).toEqual({ type: "ready", version: "1" });
    const spec: AgentSpec = {
      run: "r",
      key: "k",
      role: "coder",
      state: "s",
      nth: 1,
      nudge: 0,
      cwd,
      home: cwd,
      prompt: "",
      env: {},
      conversation: { type: "new", id: "c" },
      model: null,
      mcp: null,
      schema: null,
      tools: [],
      wallMs: 1000,
      idleMs: 1000,
    };
    expect((await agent.start(spec, () => undefined, new AbortController().signal)).type).toBe("missing");
  });

  inCi("a hanging agent ends at its deadline with its processes, even if it ignores SIGTERM", async () => {
    const { outcome, ms } = await hanging;
    expect(outcome).toEqual({
      type: "timeout",
      text: "thinking\n",
      why: "did not finish before the deadline",
    });
    expect(ms).toBeLessThan(12_000);
    const pid = (await readFile(join(cwd, "pid"), "utf8")).trim();
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => " Z ");
    expect(stat).toMatch(/ [ZX] /u);
  });
});
