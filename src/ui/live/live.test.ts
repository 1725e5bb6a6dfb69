/** What an open page is sent while runs change. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { newFolder } from "../../../test/support/folder.ts";
import { createRepository } from "../../../test/support/repository.ts";
import { systemClock } from "../../lib/clock.ts";
import { openHost, type OpenHost } from "../../run/host.ts";
import { manualClock } from "../../testing/manual-clock.ts";
import { changed, type Change } from "../../page/app/change.ts";
import { idleMs, sessionMs } from "../access/sessions.ts";
import { servePage, type ServedPage } from "../serve.ts";

const stateRoot = newFolder();
let host: OpenHost;
let page: ServedPage;
let base = "";
let cookie = "";

beforeEach(async () => {
  host = await openHost((await createRepository()).dir, { METTLE_HOME: stateRoot });
  await open(systemClock);
});
afterEach(async () => {
  await page.close();
  await host.journal.close();
});

async function open(clock: typeof systemClock): Promise<void> {
  const deciders = { decide: () => Promise.resolve(), answerGate: () => Promise.resolve() };
  const fixed = { port: 0, stateRoot, env: {}, version: "1", folder: newFolder(), deciders };
  page = await servePage({ ...fixed, clock, signal: new AbortController().signal, warn: () => undefined });
  const address = page.newAddress();
  base = address.replace(/enter\?.*/u, "");
  const entered = await fetch(address, { redirect: "manual" });
  cookie = entered.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}

interface Sent {
  readonly event: string;
  readonly id: string;
  readonly data: Record<string, unknown>;
}

/** An open stream; `next` waits for an event, `close` is what a lost connection is. */
async function stream(query: string, lastId = "") {
  const abort = new AbortController();
  const headers = { Cookie: cookie, ...(lastId === "" ? {} : { "Last-Event-ID": lastId }) };
  const response = await fetch(`${base}api/live${query}`, { headers, signal: abort.signal });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let text = "";
  const raw = async (): Promise<string> => {
    for (;;) {
      const end = text.indexOf("\n\n");
      if (end !== -1) {
        const block = text.slice(0, end);
        text = text.slice(end + 2);
        return block;
      }
      const { value, done } = await reader.read();
      if (done) return "closed";
      text += Buffer.from(value).toString("utf8");
    }
  };
  const next = async (): Promise<Sent> => {
    const fields = Object.fromEntries(
      (await raw())
        .split("\n")
        .map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)]),
    );
    return { event: fields["event"] ?? "", id: fields["id"] ?? "", data: JSON.parse(fields["data"] ?? "{}") };
  };
  return { raw, next, close: () => abort.abort() };
}

const started = (task: string) => ({
  type: "run.started",
  data: {
    version: 1,
    task,
    protocol: "orchestrate",
    protocolRef: "",
    templatesRef: "",
    settingsRef: "",
    repository: host.repository.id,
    base: "0".repeat(40),
    branch: "main",
    dirty: false,
    folder: ".claude/temp",
    agents: {},
    reviewers: [],
    preapproved: [],
    demo: false,
  },
});
const warned = (message: string) => ({ type: "warned", data: { code: "x", message } });
/** The run as somebody sees it who begins to look now. */
async function whole(): Promise<unknown> {
  const answer = await fetch(`${base}api/repositories/${host.repository.id}/runs/r1`, {
    headers: { Cookie: cookie },
  });
  const { version: _, ...now } = withoutBuild((await answer.json()) as Record<string, unknown>);
  return now;
}
const withoutBuild = ({ build: _, ...now }: Record<string, unknown>) => now;
const shown = () => `?repository=${host.repository.id}&run=r1`;

test("the list and the shown run are sent at once and again when they change, and a lost connection goes on", async () => {
  await host.journal.append("r1", 0, [started("Add a discount")]);
  const first = await stream(shown());
  const rows = await first.next();
  expect(rows).toMatchObject({
    event: "runs",
    data: {
      build: expect.stringMatching(/^[0-9a-f]{12}$/u),
      rows: [{ id: host.repository.id, runs: [{ run: "r1", task: "Add a discount", status: "stopped" }] }],
    },
  });
  const run = await first.next();
  expect(run).toMatchObject({ event: "run", data: { seq: 1, build: rows.data["build"] } });

  await host.journal.append("r1", 1, [warned("one")]);
  const next = await first.next();
  expect(next).toMatchObject({ event: "change", data: { from: run.data["key"], build: rows.data["build"] } });
  const known = await whole();
  expect(changed(withoutBuild(run.data), next.data["change"] as Change)).toEqual(known);
  expect(JSON.stringify(next.data).length).toBeLessThan(JSON.stringify(run.data).length / 3);
  first.close();

  // Nothing has changed since; then something does.
  const second = await stream(shown(), next.id);
  await host.journal.append("r1", 2, [warned("two")]);
  expect(await second.next()).toMatchObject({ event: "run", data: { seq: 3 } });
  second.close();

  // A page of an earlier start of the server gets everything.
  const third = await stream(shown(), `before.${next.id.split(".").slice(1).join(".")}`);
  expect([(await third.next()).event, (await third.next()).event]).toEqual(["runs", "run"]);
  third.close();
});

test("a new run appears in the list of an open page", async () => {
  const list = await stream("");
  expect(await list.next()).toMatchObject({ event: "runs" });
  await host.journal.append("r2", 0, [started("Add a price")]);
  const now = await list.next();
  expect(now.data["rows"]).toMatchObject([{ runs: [{ run: "r2", waits: null }] }]);
  list.close();
});

test("a page of a run that is not there yet waits for it, and nothing is told of it where the server runs", async () => {
  const told = vi.spyOn(console, "error");
  await host.journal.append("r2", 0, [started("Add a price")]);
  const early = await stream(shown());
  expect((await early.next()).event).toBe("runs");
  await host.journal.append("r1", 0, [started("Add a discount")]);
  expect([(await early.next()).event, (await early.next()).event]).toEqual(["runs", "run"]);
  expect(told).not.toHaveBeenCalled();
  early.close();
});

test("an idle stream is kept alive, and ends with its session", async () => {
  await page.close();
  const clock = manualClock();
  await open(clock);
  const headers = { Cookie: cookie };
  for (let passed = idleMs; passed < sessionMs; passed += idleMs) {
    await clock.advance(idleMs);
    expect((await fetch(`${base}api/runs`, { headers })).status).toBe(200);
  }
  await clock.advance(idleMs - 20_000);
  const list = await stream("");
  expect((await list.next()).event).toBe("runs");
  const comment = list.raw();
  await clock.advance(16_000);
  expect(await comment).toBe(": still here");
  const last = list.next();
  await clock.advance(16_000);
  expect(await last).toMatchObject({ event: "expired" });
  expect(await list.raw()).toBe("closed");
});
