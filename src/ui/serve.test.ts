/** The page's server over real sockets: who is let in, and who is not (SEE-07). */
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../lib/clock.ts";
import { manualClock, type ManualClock } from "../testing/manual-clock.ts";
import { newFolder } from "../../test/support/folder.ts";
import { verifies } from "../../test/verifies.ts";
import { createRepository } from "../../test/support/repository.ts";
import { openHost } from "../run/host.ts";
import { idleMs } from "./access/sessions.ts";
import { servePage, type ServedPage } from "./serve.ts";

let page: ServedPage;
let base = "";
let session = "";
const warnings: string[] = [];
const stateRoot = newFolder();
const folder = newFolder();

beforeAll(async () => {
  writeFileSync(join(folder, "page.js"), "/* the page */");
  page = await serve();
  ({ base, session } = await enter(page));
});
afterAll(() => page.close());

function serve(clock: ManualClock | null = null): Promise<ServedPage> {
  return servePage({
    port: 0,
    stateRoot,
    env: {},
    clock: clock ?? systemClock,
    version: "1.2.3",
    folder,
    deciders: { decide: () => Promise.resolve(), answerGate: () => Promise.resolve() },
    signal: new AbortController().signal,
    warn: (line) => warnings.push(line),
  });
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Without `fetch`, which does not let its caller choose Host, Origin or Cookie. */
function ask(address: string, { method = "GET", headers = {}, body }: Asked = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(address, { method, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(parts).toString("utf8"),
        }),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

async function enter(served: ServedPage, address = served.newAddress()) {
  const entered = await ask(address);
  const set = [entered.headers["set-cookie"]].flat()[0] ?? "";
  return { entered, set, session: set.split(";")[0] ?? "", base: address.replace(/enter\?.*/u, "") };
}

const api = (path: string, asked: Asked = {}) =>
  ask(`${base}api/${path}`, { ...asked, headers: { Cookie: session, ...asked.headers } });

verifies(
  "SEE-07",
  "the address works once: it leads to a page without the token, and sets a cookie that no script can read",
  async () => {
    const address = page.newAddress();
    const first = await enter(page, address);
    const place = new URL(address).pathname.replace("enter", "");
    expect([first.entered.status, first.entered.headers["location"]]).toEqual([303, place]);
    expect(first.set).toContain(`Path=${place}`);
    expect(first.set).toContain("HttpOnly; SameSite=Strict");
    expect(first.set).not.toContain(new URL(address).searchParams.get("token"));

    // The browser that has the session may open it again; another one may not, and ends the session in case it leaked.
    expect((await ask(address, { headers: { Cookie: first.session } })).status).toBe(303);
    const second = await ask(address);
    expect([second.status, second.text]).toEqual([403, expect.stringContaining("was used before")]);
    expect(second.headers["set-cookie"]).toBeUndefined();
    expect((await ask(`${base}api/runs`, { headers: { Cookie: first.session } })).status).toBe(401);
    expect(warnings).toEqual([expect.stringContaining("opened a second time")]);
  },
);

test("an address is not used up by a browser that loads it ahead of time, nor by HEAD", async () => {
  const address = page.newAddress();
  expect((await ask(address, { headers: { "Sec-Purpose": "prefetch;prerender" } })).status).toBe(503);
  expect((await ask(address, { method: "HEAD" })).status).toBe(405);
  expect((await ask(address)).status).toBe(303);
});

test("the runs are for a session only, and the page's files hold none of them", async () => {
  expect((await api("runs")).status).toBe(200);
  const refused = async (cookie: string) =>
    (await ask(`${base}api/runs`, { headers: cookie === "" ? {} : { Cookie: cookie } })).status;
  expect([await refused(""), await refused("mettle=x"), await refused(`${session}x`)]).toEqual([
    401, 401, 401,
  ]);
  const [document, script] = [await ask(base), await ask(`${base}page.js`)];
  expect([document.status, script.status, script.text]).toEqual([200, 200, "/* the page */"]);
  expect((await ask(`${base}..%2Fpackage.json`)).status).toBe(404);
  expect((await ask(new URL("/", base).href)).status).toBe(404);
  expect((await ask(new URL("/other/api/runs", base).href, { headers: { Cookie: session } })).status).toBe(
    404,
  );
});

verifies("SEE-07", "a name that was bound to this machine is refused (DNS rebinding)", async () => {
  const { port } = new URL(base);
  const host = async (name: string) => (await api("runs", { headers: { Host: name } })).status;
  expect(await host(`127.0.0.1:${port}`)).toBe(200);
  expect(await host(`LOCALHOST:${port}`)).toBe(200);
  for (const name of ["evil.example", `evil.example:${port}`, `127.0.0.1.evil.example:${port}`, "127.0.0.1"])
    expect([name, await host(name)]).toEqual([name, 403]);
});

verifies("SEE-07", "another page can send nothing, not even as a form, and read nothing (CSRF)", async () => {
  const { host } = new URL(base);
  const own = { Origin: `http://${host}`, "Content-Type": "application/json" };
  const post = async (headers: Readonly<Record<string, string>>) =>
    (await api("nowhere", { method: "POST", body: "{}", headers })).status;
  // Nothing is there, but it may ask.
  expect(await post(own)).toBe(404);
  expect(await post({ "Content-Type": "application/json" })).toBe(403);
  for (const origin of [
    "https://evil.example",
    "null",
    `https://${host}`,
    "http://127.0.0.1:1",
    `http://${host}.evil.example`,
  ])
    expect([origin, await post({ ...own, Origin: origin })]).toEqual([origin, 403]);
  for (const type of [
    "application/x-www-form-urlencoded",
    "text/plain",
    "multipart/form-data; boundary=x",
    "application/jsonp",
  ])
    expect([type, await post({ ...own, "Content-Type": type })]).toEqual([type, 415]);
  expect((await api("runs", { method: "PUT", headers: own })).status).toBe(405);
  for (const site of ["cross-site", "same-site"])
    expect([site, (await api("runs", { headers: { "Sec-Fetch-Site": site } })).status]).toEqual([site, 403]);
  expect((await api("runs", { headers: { "Sec-Fetch-Site": "same-origin" } })).status).toBe(200);
});

test("every answer, also a refusal, forbids to store it, to frame it and to run what is not of the page", async () => {
  const answers = [
    await ask(base),
    await api("runs"),
    await ask(`${base}api/runs`),
    await api("repositories/none/runs/x"),
    await api("runs", { headers: { Host: "evil.example" } }),
    await ask(page.newAddress()),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, 404, 403, 303]);
  for (const { headers } of answers) {
    const policy = String(headers["content-security-policy"]).split("; ");
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src 'self' data:",
        "frame-ancestors 'none'",
      ]),
    );
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    });
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  }
});

verifies(
  "SEE-07",
  "a session that expired is refused, and so is its cookie when it is sent again",
  async () => {
    const clock = manualClock();
    const own = await serve(clock);
    const begun = await enter(own);
    const status = async () =>
      (await ask(`${begun.base}api/runs`, { headers: { Cookie: begun.session } })).status;
    expect(await status()).toBe(200);
    await clock.advance(idleMs + 1);
    expect([await status(), await status()]).toEqual([401, 401]);
    await own.close();
  },
);

test("it listens at 127.0.0.1 and at no other address", async () => {
  const code = await new Promise((resolve) => {
    connect({ host: "127.0.0.2", port: page.port })
      .once("connect", () => resolve("connected"))
      .once("error", (error: NodeJS.ErrnoException) => resolve(error.code));
  });
  expect(code).toBe("ECONNREFUSED");
});

test("a large body is refused, and the next request is answered", async () => {
  const headers = { Origin: new URL(base).origin, "Content-Type": "application/json" };
  const body = " ".repeat(1_100_000);
  expect((await api("nowhere", { method: "POST", headers, body })).status).toBe(413);
  expect((await api("runs")).status).toBe(200);
});

test("a repository that is gone keeps its row, and a damaged or unknown one breaks nothing", async () => {
  const [here, gone] = [await createRepository(), await createRepository()];
  for (const { dir } of [here, gone]) {
    const host = await openHost(dir, { METTLE_HOME: stateRoot });
    await host.journal.close();
  }
  rmSync(gone.dir, { recursive: true });
  mkdirSync(join(stateRoot, "broken-1"));
  writeFileSync(join(stateRoot, "broken-1", "mettle.db"), "no database");
  writeFileSync(join(stateRoot, "a file"), "");
  const { repositories } = JSON.parse((await api("runs")).text) as {
    repositories: { id: string; path: string | null; gone: boolean; fault: string | null }[];
  };
  const row = (path: string | null) => repositories.find((one) => one.path === path);
  expect(repositories).toHaveLength(3);
  expect(row(here.dir)).toMatchObject({ gone: false, fault: null });
  expect(row(gone.dir)).toMatchObject({ gone: true, fault: null });
  expect(row(null)).toMatchObject({
    id: "broken-1",
    gone: true,
    fault: expect.stringContaining("mettle.db"),
  });
  for (const path of ["..", "%2e%2e%2fx", "none"])
    expect((await api(`repositories/${path}/runs/x`)).status).toBe(404);
});
