/** Each way of telling people, against real programs and a server on the loopback (SEE-09). */
import { chmod, readFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { afterFile, newFolder } from "../../test/support/folder.ts";
import { verifies } from "../../test/verifies.ts";
import type { Notify } from "../config/notify-schema.ts";
import { linkTo } from "./notice.ts";
import { sendNotice } from "./send.ts";

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const received: Received[] = [];
let base = "";
let folder = "";
const secret = "sk-of-the-user-0123456789";

beforeAll(async () => {
  folder = newFolder();
  // Answers by its path: /taken, /status/500, /elsewhere leads away, and /hang never answers.
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      received.push({ path, headers: request.headers, body });
      if (path === "/hang") return;
      if (path === "/elsewhere") response.setHeader("location", "/taken");
      response.statusCode = path === "/elsewhere" ? 302 : Number(/\d+/u.exec(path)?.[0] ?? 200);
      response.end("ok");
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  afterFile(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

const notice = {
  facts: {
    version: 1,
    run: "r1",
    task: `Use ${secret}`,
    kind: "plan",
    text: "Approve the plan",
    commands: ["mettle approve r1"],
  },
  title: "Mettle: run r1 waits for you — später",
  text: `Approve <the> plan\nUse ${secret}`,
  link: "https://me.test/r1?ask=plan%231",
};

async function send(set: Notify, more: { path?: string; timeoutMs?: number; link?: null } = {}) {
  received.length = 0;
  const { path = process.env["PATH"] ?? "", timeoutMs = 10_000, ...own } = more;
  const env = { HOOK: `${base}/taken`, EMPTY: "no address" };
  const told = { ...notice, ...own };
  return sendNotice(set, told, { cwd: folder, path, env, secrets: [secret], timeoutMs });
}

/** A program of this name that writes its arguments to a file. */
async function fakeProgram(
  name: string,
): Promise<{ readonly path: string; readonly argv: () => Promise<string> }> {
  const place = newFolder();
  const out = join(place, "argv");
  await writeFile(join(place, name), `#!/bin/sh\nprintf '%s\\n' "$@" > '${out}'\n`);
  await chmod(join(place, name), 0o755);
  return { path: place, argv: () => readFile(out, "utf8") };
}

verifies("SEE-09", "a webhook gets the facts as JSON, with the link and without secrets", async () => {
  expect(await send({ webhook: `${base}/taken` })).toEqual([]);
  const facts = { ...notice.facts, task: "Use [secret]", link: notice.link };
  expect(received.map(({ body, ...rest }) => ({ ...rest, body: JSON.parse(body) as unknown }))).toMatchObject(
    [{ path: "/taken", headers: { "content-type": "application/json" }, body: facts }],
  );
  // The address may be in the environment.
  expect(await send({ webhook: "$HOOK" })).toEqual([]);
  expect(received.map(({ path }) => path)).toEqual(["/taken"]);
  expect(await send({ webhook: "$NONE", push: "$EMPTY" })).toEqual([
    { way: "webhook", why: "the variable NONE is not set" },
    { way: "push", why: "the variable EMPTY holds no address" },
  ]);
});

verifies(
  "SEE-09",
  "a push service gets a text with a title and the link that opens the question",
  async () => {
    expect(await send({ push: `${base}/taken` })).toEqual([]);
    const [got] = received;
    expect(got?.body).toBe("Approve <the> plan\nUse [secret]");
    expect(got?.headers["click"]).toBe(notice.link);
    const title = String(got?.headers["title"]);
    expect(Buffer.from(title.slice(10, -2), "base64").toString()).toBe(notice.title);
    await send({ push: `${base}/taken` }, { link: null });
    expect(received[0]?.headers).not.toHaveProperty("click");
  },
);

verifies(
  "SEE-09",
  "the desktop is told by notify-send or osascript, with its text escaped as markup",
  async () => {
    const linux = await fakeProgram("notify-send");
    expect(await send({ desktop: true }, linux)).toEqual([]);
    expect(await linux.argv()).toBe(
      `--app-name=Mettle\n--\n${notice.title}\nApprove &lt;the&gt; plan\nUse [secret]\n`,
    );
    const mac = await fakeProgram("osascript");
    expect(await send({ desktop: true }, mac)).toEqual([]);
    expect(await mac.argv()).toContain(`end run\n${notice.title}\nApprove <the> plan\nUse [secret]\n`);
    expect(await send({ desktop: true }, { path: newFolder() })).toEqual([
      { way: "desktop", why: "neither notify-send nor osascript is installed" },
    ]);
  },
);

verifies(
  "SEE-09",
  "a way that fails or never answers is bounded and named without its address; the others go on",
  async () => {
    const set = { command: "exit 3", webhook: `${base}/status/500`, push: `${base}/elsewhere` };
    expect(await send(set)).toEqual([
      { way: "command", why: "exit code 3" },
      { way: "webhook", why: "status 500" },
      { way: "push", why: "status 302" },
    ]);
    // No other address is followed.
    expect(received.map(({ path }) => path).toSorted()).toEqual(["/elsewhere", "/status/500"]);
    const slow = { command: "sleep 60", webhook: `${base}/hang`, push: `${base}/taken` };
    expect(await send(slow, { timeoutMs: 300 })).toEqual([
      { way: "command", why: "it did not end in time" },
      { way: "webhook", why: "no answer in time" },
    ]);
    expect(await send({ webhook: "http://127.0.0.1:1/closed" })).toEqual([
      { way: "webhook", why: expect.any(String) },
    ]);
  },
);

test("nothing is sent that was not set", async () => {
  const linux = await fakeProgram("notify-send");
  expect(
    await send({ command: "true", desktop: false }, { path: `${linux.path}:${process.env["PATH"]}` }),
  ).toEqual([]);
  expect(received).toEqual([]);
  await expect(linux.argv()).rejects.toThrow("ENOENT");
});

test("a link has the run and the question in it, or none is made", () => {
  expect(linkTo("https://me.test/{run}?ask={ask}", "r1", "plan#1")).toBe("https://me.test/r1?ask=plan%231");
  expect(linkTo("https://me.test/{run}?ask={ask}", "r1", null)).toBe("https://me.test/r1?ask=");
  expect(linkTo(undefined, "r1", null)).toBeNull();
});
