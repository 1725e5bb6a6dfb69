/** All addresses of the page: its files for everybody who has its path, the runs only for a session. */
import type * as z from "zod";
import { Hono, type Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { getCookie, setCookie } from "hono/cookie";
import { streamSSE } from "hono/streaming";
import { environment, programPath } from "../config/env.ts";
import { openRepository, type Repository } from "../git/repository.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { parseJson } from "../lib/json.ts";
import { issuesText } from "../lib/plain-issues.ts";
import { listGateForms } from "../plans/gates/gate-form.ts";
import { readDialogue, readMemory } from "../overview/read-memory.ts";
import { listPlans } from "../plans/gates/open-gates.ts";
import { readPlan } from "../overview/read-plan.ts";
import { isFromElsewhere, refusalOf, safeHeaders } from "./access/guard.ts";
import { sessionMs, type Entry, type PageSession, type Sessions } from "./access/sessions.ts";
import { errorAnswer } from "./answers.ts";
import { DecisionForm, GateAnswerForm, type Deciders } from "./decisions.ts";
import { commitDiff } from "./diffs.ts";
import { streamChanges } from "./live/stream.ts";
import type { Watch } from "./live/watch.ts";
import type { GateForm } from "../page/app/wire.ts";
import type { Program } from "./replaced-program.ts";
import type { PageFiles } from "./page-files.ts";
import type { RunReaders } from "./run-reader.ts";
import { saidFiles, streamSaid } from "./output/stream-said.ts";
import { listRuns } from "./runs.ts";
import type { Stores } from "./stores/opened.ts";
import { folderOf } from "./stores/repositories.ts";
import { textPart } from "./texts.ts";

export interface PageContext {
  /** A random part of every address, so that servers at other ports are not sent the cookie. */
  readonly place: string;
  readonly port: number;
  readonly sessions: Sessions;
  readonly files: PageFiles;
  readonly stores: Stores;
  readonly readers: RunReaders;
  readonly watch: Watch;
  readonly program: Program;
  readonly deciders: Deciders;
  readonly clock: Clock;
  readonly boot: string;
  readonly signal: AbortSignal;
  /** Called if a token is used a second time, or a page cannot be served. */
  readonly warn: (line: string) => void;
}

interface Variables {
  readonly Variables: { session: PageSession };
}

const cookie = "mettle";
const maxBodyBytes = 1_048_576;
/** Characters of what is looked for in a knowledge graph. */
const maxQuery = 500;

export function pageApp(page: PageContext): Hono<Variables> {
  const app = new Hono<Variables>();
  app.onError((error, c) => {
    const { status, body } = errorAnswer(error);
    return c.json(body, status, { ...safeHeaders });
  });
  app.use(async (c, next) => {
    const refusal = refusalOf({ method: c.req.method, header: (name) => c.req.header(name) }, page.port);
    if (refusal === null) await next();
    else c.res = c.text(refusal.message, refusal.status);
    for (const [name, value] of Object.entries(safeHeaders)) c.res.headers.set(name, value);
  });
  app.notFound((c) => c.text("there is nothing here; open the address that `mettle ui` printed", 404));
  const here = app.basePath(`/${page.place}`);
  here.get("/enter", (c) => enter(c, page));
  here.use(
    "/api/*",
    bodyLimit({ maxSize: maxBodyBytes, onError: (c) => c.text("a request has at most 1 MiB", 413) }),
    async (c, next) => {
      if (isFromElsewhere({ header: (name) => c.req.header(name) }))
        return c.text("only the page itself may ask this", 403);
      const session = page.sessions.use(getCookie(c, cookie) ?? "");
      if (session === null) return c.json(noSession, 401);
      c.set("session", session);
      return next();
    },
  );
  readRoutes(here, page);
  decisionRoutes(here, page);
  here.get("/:name{[^/]*}", (c) => {
    const file = page.files.file(c.req.param("name"));
    return file === null ? c.notFound() : c.body(file.text, 200, { "Content-Type": file.type });
  });
  return app;
}

const noSession = {
  error: {
    code: "no_session",
    message: "this browser has no session, or it has ended",
    hint: "press Enter where `mettle ui` runs, and open the address that it prints",
  },
};

function enter(c: Context, { sessions, place, warn }: PageContext): Response {
  // A browser that loads an address ahead of time would use its token up.
  if (/prefetch|prerender/iu.test(`${c.req.header("sec-purpose") ?? ""} ${c.req.header("purpose") ?? ""}`))
    return c.text("this address works once, so it is not loaded ahead of time", 503);
  const toPage = () => c.redirect(`/${place}/`, 303);
  // A second click on the same address, in the browser that has the session.
  if (sessions.use(getCookie(c, cookie) ?? "") !== null) return toPage();
  const entry = sessions.enter(c.req.query("token") ?? "");
  if (entry.type === "refused") {
    if (entry.why === "used")
      warn("an address was opened a second time: the session that began with it is ended, in case it leaked");
    return c.text(refusedEntry(entry), 403);
  }
  const path = `/${place}/`;
  const maxAge = sessionMs / 1000;
  setCookie(c, cookie, entry.secret, { path, httpOnly: true, sameSite: "Strict", maxAge });
  return toPage();
}

function refusedEntry({ why }: Extract<Entry, { type: "refused" }>): string {
  const fix = "press Enter where `mettle ui` runs, and open the address that it prints";
  switch (why) {
    case "used":
      return `this address was used before, and its session is ended now; ${fix}`;
    case "expired":
      return `this address is too old; ${fix}`;
    case "unknown":
      return `this address is none of this server; ${fix}`;
  }
}

function readRoutes(here: Hono<Variables>, page: PageContext): void {
  const { stores, readers, files, watch, clock, boot, program, signal, warn } = page;
  here.get("/api/session", (c) => c.json({ version: 1, build: files.build }));
  here.get("/api/runs", async (c) =>
    c.json({ version: 1, build: files.build, repositories: await listRuns(stores) }),
  );
  here.get("/api/repositories/:repository/runs/:run", async (c) => {
    const { repository, run } = c.req.param();
    const now = await readers.reader(repository, run).read();
    return c.json({ version: 1, build: files.build, ...now });
  });
  here.get("/api/repositories/:repository/runs/:run/said", (c) => {
    const { home } = stores.find(c.req.param("repository"));
    const files = saidFiles(home, { run: c.req.param("run"), keys: c.req.queries("key") ?? [] });
    const session = c.get("session");
    return streamSSE(c, (stream) => streamSaid(stream, { session, files, clock, signal }));
  });
  here.get("/api/repositories/:repository/memory", async (c) => {
    const { folder, home } = stores.find(c.req.param("repository"));
    const query = (c.req.query("query") ?? "").slice(0, maxQuery);
    return c.json({ version: 1, memory: await readMemory({ folder, home, clock }, query) });
  });
  here.get("/api/repositories/:repository/dialogues/:name", async (c) => {
    const { folder, home } = stores.find(c.req.param("repository"));
    const observations = await readDialogue({ folder, home, clock }, c.req.param("name"));
    return c.json({ version: 1, observations });
  });
  here.get("/api/repositories/:repository/texts/:address", async (c) => {
    const { payloads } = await stores.open(c.req.param("repository"));
    const from = Number(c.req.query("from") ?? "0");
    return c.json({
      version: 1,
      ...(await textPart(payloads, {
        address: c.req.param("address"),
        from: Number.isSafeInteger(from) ? from : 0,
      })),
    });
  });
  here.get("/api/repositories/:repository/diffs/:commit", async (c) => {
    const repository = stores.find(c.req.param("repository"));
    const range = { commit: c.req.param("commit"), from: c.req.query("from") ?? null };
    return c.json({ version: 1, ...(await commitDiff(repository, range)) });
  });
  here.get("/api/repositories/:repository/plan", async (c) => {
    const repository = await userRepository(stores, c.req.param("repository"));
    const found = (await listPlans(repository)).find(({ branch }) => branch === c.req.query("branch"));
    const plan = found === undefined ? null : await readPlan(found);
    return c.json({ version: 1, plan });
  });
  here.get("/api/live", (c) => {
    const { repository, run } = c.req.query();
    const shown =
      repository === undefined || run === undefined
        ? null
        : { repository, reader: readers.reader(repository, run) };
    const lastId = c.req.header("last-event-id") ?? c.req.query("after") ?? null;
    const session = c.get("session");
    const context = { watch, clock, build: files.build, boot, program, signal };
    return streamSSE(
      c,
      (stream) => streamChanges(stream, context, { session, shown, lastId }),
      async ({ message }) => warn(`an open page was lost, and connects again: ${message}`),
    );
  });
}

function decisionRoutes(here: Hono<Variables>, { stores, deciders, program }: PageContext): void {
  here.post("/api/repositories/:repository/runs/:run/decisions", async (c) => {
    program.refuseReplaced();
    const { repository, run } = c.req.param();
    const folder = folderOf(stores.find(repository));
    await deciders.decide({ folder, run }, parsed(DecisionForm, await c.req.text()));
    return c.json({ version: 1, done: true });
  });
  here.get("/api/repositories/:repository/gates", async (c) => {
    const repository = await userRepository(stores, c.req.param("repository"));
    const gates: readonly GateForm[] = await listGateForms(repository);
    return c.json({ version: 1, gates });
  });
  here.post("/api/repositories/:repository/gates", async (c) => {
    program.refuseReplaced();
    const folder = folderOf(stores.find(c.req.param("repository")));
    await deciders.answerGate({ folder }, parsed(GateAnswerForm, await c.req.text()));
    return c.json({ version: 1, done: true });
  });
}

/** @throws not_found if the repository is gone */
function userRepository(stores: Stores, id: string): Promise<Repository> {
  return openRepository(folderOf(stores.find(id)), { path: programPath(), user: environment() });
}

/** @throws usage with what is wrong */
function parsed<Schema extends z.ZodType>(schema: Schema, body: string): z.output<Schema> {
  const result = schema.safeParse(parseJson(body));
  if (result.success) return result.data;
  throw new AppError("usage", `this is no decision: ${issuesText(result.error)}`, {
    hint: "reload the page; it may be of an older version",
  });
}
