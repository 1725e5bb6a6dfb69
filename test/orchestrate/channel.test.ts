/** One channel, one verdict: agents that report at the socket of their dispatch, in whole runs. */
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import type { Agent } from "../../src/agents/agent.ts";
import type { Recorded } from "../../src/log/run-event.ts";
import type { Progress } from "../../src/run/context.ts";
import { callChannel } from "../../src/channel/client.ts";
import { drive } from "../../src/engine/drive.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { openRun } from "../../src/families/open-run.ts";
import { inCi, verifiesInCi } from "../verifies.ts";
import {
  answerNone,
  createWorld,
  eventsOf,
  golden,
  answerOnly,
  type CassetteFile,
  type DriveResult,
  type TurnFile,
  type World,
} from "./world.ts";

let world: World;
beforeAll(async () => void (world = await createWorld()));

interface Report {
  readonly status: string;
  readonly message?: string;
  readonly payload?: unknown;
}

/** The ways in which one decision can be reported. */
const ways = {
  stream: (report: Report): TurnFile => ({ report }),
  channel: (report: Report): TurnFile => ({ does: [{ channel: report }] }),
  "last line": ({ status, message = "", payload }: Report): TurnFile => {
    const json = payload === undefined ? "" : `\`\`\`json\n${JSON.stringify(payload)}\n\`\`\`\n`;
    return { does: [{ say: `A template:\n\`\`\`\n→BL: not this\n\`\`\`\n${json}→${status}: ${message}` }] };
  },
};

/** Drives a run until it waits, all its roles played by this agent. */
async function driveWith(agent: Agent, progress: (event: Progress) => void = () => undefined) {
  const run = await world.start(await golden());
  const context = await openRun(world.host, { run, progress });
  await drive(
    { ...context, agentOf: () => Promise.resolve(agent) },
    { signal: new AbortController().signal, answer: () => Promise.resolve(null) },
  );
  return { view: context.session.view, events: (await world.host.journal.read(run)).map(recorded) };
}

/** The golden cassette, each of its decisions reported in one of these ways. */
async function goldenBy(way: keyof typeof ways): Promise<CassetteFile> {
  const { roles, ...rest } = await golden();
  const given = ({ report, does = [], ...turn }: TurnFile): TurnFile => {
    if (report === undefined) return { ...turn, does };
    const decision = ways[way](report);
    return { ...turn, ...decision, does: [...does, ...(decision.does ?? [])] };
  };
  const changed = Object.entries(roles).map(([role, turns]) => [role, turns.map(given)]);
  return { ...rest, roles: Object.fromEntries(changed) as CassetteFile["roles"] };
}

/** A run whose analyst does this in its first turn, until it waits. */
async function withIntake(turn: TurnFile, ...later: readonly TurnFile[]): Promise<DriveResult> {
  const cassette = await golden();
  return world.go({ ...cassette, roles: { ...cassette.roles, intake: [turn, ...later] } }, answerNone);
}

async function questions(): Promise<Report> {
  const report = (await golden()).roles.intake[0]?.report;
  if (!report) throw new Error("the golden analyst asks questions");
  return report;
}

/** Everything but `channel`. Reviewers work in parallel, so events are sorted by key. */
const resultsOf = (events: readonly Recorded[]) =>
  eventsOf(events, "result")
    .map(({ seq: _seq, at: _at, channel: _channel, ...event }) => event)
    .sort((a, b) => (a.key < b.key ? -1 : 1));
/** The channels of the decisions in results, by role. */
const channelsOf = (events: readonly Recorded[]) => {
  const roles = new Map(eventsOf(events, "dispatch.started").map(({ key, role }) => [key, role]));
  const given = eventsOf(events, "result").flatMap(({ key, channel }) => {
    const role = roles.get(key);
    return role === undefined || channel === undefined ? [] : [[role, channel] as const];
  });
  return Object.fromEntries(given);
};
const resultOf = (events: readonly Recorded[], key: string) =>
  resultsOf(events).find((event) => event.key === key);
const refusedOf = (events: readonly Recorded[]) =>
  eventsOf(events, "report.refused").map(({ key, why }) => ({ key, why }));

/** The scripted agent with its report as its answer to the given JSON Schema. */
function structured(agent: Agent): Agent {
  return {
    ...agent,
    answers: "structured",
    async start(spec, sink, signal) {
      let answer: unknown;
      const outcome = await agent.start(
        spec,
        (event) => {
          if (event.type !== "report" || spec.schema === null) return sink(event);
          const read = z.fromJSONSchema(spec.schema as z.core.JSONSchema.BaseSchema);
          const { status, message, payload = null } = event;
          answer = read.parse(spec.role === "intake" ? { status, message, payload } : { status, message });
        },
        signal,
      );
      return outcome.type === "ok" && answer !== undefined ? { ...outcome, structured: answer } : outcome;
    },
  };
}

async function runStructured() {
  const run = await world.start(await golden());
  const context = await openRun(world.host, { run });
  const end = await drive(
    { ...context, agentOf: async (command) => structured(await context.agentOf(command)) },
    {
      signal: new AbortController().signal,
      answer: (ask) => answerOnly("questions")(context, ask),
    },
  );
  return { end, events: (await world.host.journal.read(run)).map(recorded) };
}

verifiesInCi("CORE-54", "stream, tool, last line and structured answer give the same events", async () => {
  const runs: { end: unknown; events: readonly Recorded[] }[] = [];
  for (const way of Object.keys(ways) as (keyof typeof ways)[])
    runs.push(await world.go(await goldenBy(way), answerOnly("questions")));
  runs.push(await runStructured());
  const [stream, channel, line, answer] = runs.map(({ events }) => resultsOf(events));
  expect(runs.map(({ events }) => channelsOf(events))).toEqual([
    { intake: "stream", planner: "stream", claude: "stream" },
    { intake: "mcp", planner: "mcp", claude: "mcp" },
    { intake: "line", planner: "line", claude: "line" },
    // A reviewer's answer is its review, so no JSON is required.
    { intake: "structured", planner: "structured", claude: "stream" },
  ]);
  expect(stream?.map(({ key, outcome }) => `${key} ${outcome}`)).toEqual(
    expect.arrayContaining(["intake#1 QUESTIONS", "intake#2 WRITTEN", "planning#1 WRITTEN"]),
  );
  expect(stream?.length).toBeGreaterThan(6);
  expect(channel).toEqual(stream);
  expect(line).toEqual(stream);
  expect(answer).toEqual(stream);
  for (const { end, events } of runs) {
    expect(end).toMatchObject({ type: "waiting", asks: [{ state: "user_gate_plan" }] });
    expect(refusedOf(events)).toEqual([]);
  }
});

const deep = process.env["METTLE_DEEP"] !== undefined;
test.skipIf(!deep)("a whole run whose agents all report at the channel ends complete", async () => {
  const { end } = await world.go(await goldenBy("channel"));
  expect(end).toEqual({ type: "ended", outcome: "complete" });
});

inCi(
  "an agent that starts the given MCP server reports by its tool, and may report again after a refusal",
  async () => {
    const report = await questions();
    const heard: unknown[] = [];
    const { events } = await driveWith({
      name: "mcp",
      vendor: "test",
      remembers: true,
      probe: () => Promise.resolve({ type: "ready", version: "1" }),
      async start({ mcp }) {
        if (!mcp) throw new Error("every dispatch has a server");
        const client = new Client({ name: "agent", version: "1" });
        const { command, args, env } = mcp;
        await client.connect(new StdioClientTransport({ command, args: [...args], env: { ...env } }));
        heard.push(client.getInstructions());
        for (const fields of [{ status: "DONE", message: "" }, { ...report }])
          heard.push((await client.callTool({ name: "report", arguments: fields })).isError ?? false);
        await client.close();
        return { type: "ok", text: "" };
      },
    });
    expect(heard).toEqual([expect.stringContaining("You work as intake"), true, false]);
    expect(refusedOf(events)).toEqual([
      { key: "intake#1", why: "DONE is none of QUESTIONS, WRITTEN, BL, ME, TO, EX" },
    ]);
    const plain = await withIntake({ report });
    expect(resultOf(events, "intake#1")).toEqual(resultOf(plain.events, "intake#1"));
  },
);

describe("several decisions", () => {
  test("by stream, channel and last line together: the first valid one counts, the rest are journaled", async () => {
    const report = await questions();
    const { events } = await withIntake({
      does: [
        { channel: { status: "APPROVED" } },
        { channel: report },
        { channel: { ...report, message: "the same again" } },
        { channel: { status: "WRITTEN" } },
        { say: "→ME: no memory" },
      ],
      report: { status: "BL", message: "blocked" },
    });
    expect(resultOf(events, "intake#1")).toMatchObject({ outcome: "QUESTIONS", text: "five questions" });
    expect(refusedOf(events)).toEqual([
      { key: "intake#1", why: "APPROVED is none of QUESTIONS, WRITTEN, BL, ME, TO, EX" },
      { key: "intake#1", why: "a later decision QUESTIONS; QUESTIONS counts" },
      { key: "intake#1", why: "a later decision WRITTEN; QUESTIONS counts" },
      { key: "intake#1", why: "a later decision BL; QUESTIONS counts" },
      { key: "intake#1", why: "a later decision ME; QUESTIONS counts" },
    ]);
  });

  inCi("an agent with endless refused reports does not fill the journal", async () => {
    const refused = Array.from({ length: 120 }, () => ({ channel: { status: "NO" } }));
    const { events } = await withIntake({ does: [...refused, { channel: await questions() }] });
    expect(resultOf(events, "intake#1")).toMatchObject({ outcome: "QUESTIONS" });
    expect(refusedOf(events)).toHaveLength(100);
  });

  inCi("one that follows the reminder counts; without any the outcome is EX", async () => {
    const late = await withIntake({
      does: [{ channel: { status: "NOPE" } }],
      nudges: [{ does: [{ channel: await questions() }] }],
    });
    expect(resultOf(late.events, "intake#1")).toMatchObject({ outcome: "QUESTIONS" });
    expect(eventsOf(late.events, "agent.nudged")).toMatchObject([{ key: "intake#1", nudge: 1 }]);
    expect(refusedOf(late.events)).toHaveLength(1);
    // In chronological order (fault L2).
    const told = late.events.map(({ type }) => type);
    expect(told.indexOf("report.refused")).toBeLessThan(told.indexOf("agent.nudged"));

    const never = await withIntake({ does: [{ say: "hm" }], nudges: [{ does: [{ say: "hm" }] }] });
    expect(resultOf(never.events, "intake#1")).toMatchObject({
      outcome: "EX",
      text: "the agent gave no decision",
    });
    expect(eventsOf(never.events, "agent.nudged")).toHaveLength(1);

    const wrong = { channel: { status: "NOPE" } };
    const refused = await withIntake({ does: [wrong], nudges: [{ does: [wrong] }] });
    expect(resultOf(refused.events, "intake#1")?.text).toMatch(
      /^the agent's decision was refused: NOPE is none of QUESTIONS, /u,
    );
  });
});

/** Calls a channel as any program may: prints the answer, or the code of the failure. */
const caller = `const [path, token, status, message, payload] = process.argv.slice(1);
const socket = require("node:net").connect(path);
socket.on("error", ({ code }) => console.log(code));
socket.on("data", (answer) => { process.stdout.write(answer); socket.end(); });
socket.write(JSON.stringify({ version: 1, token, call: "report", status, message, payload: JSON.parse(payload ?? "null") }) + "\\n");`;

describe("the address of a channel", { tags: "ci" }, () => {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const call = (...args: readonly string[]) =>
    `${quoted(process.execPath)} -e ${quoted(caller)} -- ${args.join(" ")}`;

  test("is unique to each dispatch, gone at its end, and useless to another", async () => {
    const notes = join(world.home, "addresses");
    const report = await questions();
    const cassette = await golden();
    const [, writes] = cassette.roles.intake;
    const note = { shell: `echo "$METTLE_SOCKET $METTLE_TOKEN" >> ${notes}` };
    const stale = [
      `read -r socket token < ${notes}`,
      call('"$METTLE_SOCKET"', '"$token"', "BL", "foreign"),
      call('"$socket"', '"$token"', "BL", "stale"),
    ].join("; ");
    const { events } = await world.go(
      {
        ...cassette,
        roles: {
          ...cassette.roles,
          intake: [
            { does: [note, { channel: report }] },
            { ...writes, does: [note, { shell: `(${stale}) > ${notes}.said` }, ...(writes?.does ?? [])] },
          ],
        },
      },
      answerOnly("questions"),
    );
    const addresses = (await readFile(notes, "utf8"))
      .trim()
      .split("\n")
      .map((line) => line.split(" "));
    expect(new Set(addresses.flat()).size).toBe(4);
    for (const [socket = "", token] of addresses) {
      expect(token).toMatch(/^mettle_[0-9a-f]{64}$/u);
      expect(await stat(dirname(socket)).catch(() => "gone")).toBe("gone");
    }
    const [foreign = "", ended] = (await readFile(`${notes}.said`, "utf8")).trim().split("\n");
    expect(JSON.parse(foreign)).toMatchObject({ ok: false, error: { code: "not_your_dispatch" } });
    expect(ended).toBe("ENOENT");
    expect(refusedOf(events)).toEqual([]);
    expect(resultsOf(events).filter(({ outcome }) => outcome === "BL")).toEqual([]);
  });

  test("is never stored or shown, wherever the agent puts the token", async () => {
    const report = await questions();
    const shown: string[] = [];
    const { view } = await driveWith(talkative(report), (event) => shown.push(JSON.stringify(event)));
    expect(view.commands["intake#1"]?.result).toMatchObject({ outcome: "QUESTIONS", text: "[secret] asks" });
    expect(view.questions.map(({ text }) => text)).toEqual(Array<string>(5).fill("What is [secret]?"));
    expect(shown.join("\n")).toContain('"what":"said [secret]"');
    const leaks = /mettle_[0-9a-f]{8}/u;
    expect(shown.filter((line) => leaks.test(line))).toEqual([]);
    const stored = await storedFiles();
    expect(stored.length).toBeGreaterThan(10);
    expect(stored.filter(({ text }) => leaks.test(text))).toEqual([]);
    expect(stored.filter(({ text }) => text.includes("[secret] was the last word"))).toHaveLength(1);
  });
});

/** Reveals its token in every possible way. */
function talkative({ status, payload }: Report): Agent {
  const { questions: list } = payload as { questions: readonly object[] };
  return {
    name: "talkative",
    vendor: "test",
    remembers: true,
    probe: () => Promise.resolve({ type: "ready", version: "1" }),
    async start({ env, cwd }, sink) {
      const { METTLE_SOCKET: socket = "", METTLE_TOKEN: token = "" } = env;
      await writeFile(join(cwd, ".claude/temp/spec.md"), `my address is ${JSON.stringify(env)}`);
      sink({ type: "text", text: `said ${token}` });
      sink({ type: "tool", name: `tool ${token}`, detail: token });
      sink({ type: "report", status: `NO${token}`, message: token });
      const asks = list.map((question) => ({ ...question, text: `What is ${token}?` }));
      await callChannel(
        { socket, token },
        { call: "report", status, message: `${token} asks`, payload: { questions: asks } },
      );
      return { type: "ok", text: `${token} was the last word\n→BL: ${token}` };
    },
  };
}

/** The journal and every payload. */
async function storedFiles(): Promise<readonly { readonly file: string; readonly text: string }[]> {
  const entries = await readdir(world.home, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const kept = files.filter((file) => /\/payloads\/|mettle\.db/u.test(file));
  return Promise.all(kept.map(async (file) => ({ file, text: await readFile(file, "latin1") })));
}
