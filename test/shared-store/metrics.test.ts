// @module-tag ci
/** Figures of a shared store, as Prometheus and a collector of OpenTelemetry get them (SCL-10). */
import { spawn, type ChildProcess } from "node:child_process";
import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, describe, expect, vi } from "vitest";
import { storeVariable } from "../../src/config/env.ts";
import { packageRoot } from "../../src/config/package-root.ts";
import { openSharedStore, type SharedStore } from "../../src/journal/home-store.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { openJobs } from "../../src/worker/job-client.ts";
import { newFolder } from "../support/folder.ts";
import { hasPostgres, startPostgres, type PostgresServer } from "../support/postgres.ts";
import { verifies } from "../verifies.ts";

describe.skipIf(!hasPostgres)("metrics of a shared store", () => {
  let server: PostgresServer;
  let url = "";
  let store: SharedStore;
  let exporter: ChildProcess;
  let address = "";
  let printed = "";
  let collector: Server;
  let collected = "";

  const scrape = async (): Promise<readonly string[]> =>
    (await (await fetch(address)).text()).split("\n").filter((line) => !line.startsWith("#") && line !== "");
  /** Waits for lines. */
  const shows = (...lines: readonly string[]) =>
    vi.waitFor(async () => expect(await scrape()).toEqual(expect.arrayContaining([...lines])), {
      timeout: 15_000,
      interval: 200,
    });
  const append = async (run: string, ...events: readonly (readonly [type: string, data: object])[]) => {
    const news = events.map(([type, data]) => ({ type, data }));
    const ends = news.some(({ type }) => type === "run.ended");
    await store.journal.append(run, await store.journal.head(run), news, { ends });
  };
  const verdict = (verdict: string) => ["gate.judged", { key: "red#1", gate: "red", verdict }] as const;
  const used = (key: string, tokens: number | null, costUsd: number | null) =>
    ["agent.used", { key, context: null, tokens, costUsd }] as const;

  beforeAll(async () => {
    server = await startPostgres();
    url = server.newDatabase();
    store = await openSharedStore(
      { kind: "postgres", repository: "acme/shop", home: "h1", url },
      systemClock,
    );
    await append(
      "r1",
      ["run.started", { task: "\u0000" }],
      ["dispatch.started", { key: "red#1", vendor: "anthropic" }],
      used("red#1", 1000, 0.5),
      used("red#1", 10, null),
      verdict("pass"),
      verdict("fail"),
      ["run.ended", { outcome: "complete", reason: "" }],
    );
    await append(
      "r2",
      ["run.started", { task: "two" }],
      ["command.issued", { key: "ask#1", command: { type: "ask", key: "ask#1", to: "person" } }],
      ["command.issued", { key: "ask#2", command: { type: "ask", key: "ask#2", to: "parent" } }],
    );
    collector = createServer((request, response) => {
      request.on("data", (chunk: Buffer) => (collected += chunk.toString("utf8")));
      request.on("end", () => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
    });
    await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
    const place = collector.address();
    const port = typeof place === "object" && place !== null ? place.port : 0;
    exporter = spawn(
      process.execPath,
      [packageRoot("dist/bin/mettle.js"), "metrics", "--listen", "127.0.0.1:0", "--every", "1"],
      {
        env: {
          PATH: process.env["PATH"] ?? "",
          HOME: newFolder(),
          METTLE_HOME: newFolder(),
          OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
          OTEL_METRIC_EXPORT_INTERVAL: "500",
          [storeVariable]: url,
        },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    for (const stream of [exporter.stdout, exporter.stderr])
      stream?.on("data", (chunk: Buffer) => (printed += chunk.toString("utf8")));
    await vi.waitFor(() => expect(printed).toContain("metrics are at"), { timeout: 15_000 });
    [address = ""] = /http:\S+/u.exec(printed) ?? [];
  }, 60_000);
  afterAll(async () => {
    exporter.kill("SIGKILL");
    collector.close();
    await store.journal.close();
  });

  verifies("SCL-10", "metrics count what the journal had before, and go on with what is new", async () => {
    await shows(
      "mettle_store_up 1",
      "mettle_workers_alive 0",
      "mettle_runs_open 1",
      "mettle_runs_waiting_for_people 1",
      'mettle_verdicts_total{kind="red",verdict="pass"} 1',
      'mettle_verdicts_total{kind="red",verdict="fail"} 1',
      'mettle_runs_ended_total{outcome="complete"} 1',
      'mettle_tokens_total{provider="anthropic"} 1010',
      'mettle_cost_usd_total{provider="anthropic"} 0.5',
      "mettle_failovers_total 0",
    );
    await append(
      "r2",
      ["result", { key: "ask#1", outcome: "yes" }],
      ["dispatch.started", { key: "red#1", vendor: "openai" }],
      ["worker.died", { key: "red#1", worker: "w" }],
      ["review.given", { key: "review#1", verdict: "APPROVED" }],
    );
    await append("r2", used("red#1", 7, 0.25), verdict("pass"));
    await append("r3", ["run.started", { task: "three" }], ["base.proved", { needsPerson: true }]);
    await shows(
      "mettle_runs_open 2",
      "mettle_runs_waiting_for_people 1",
      'mettle_verdicts_total{kind="red",verdict="pass"} 2',
      'mettle_verdicts_total{kind="review",verdict="APPROVED"} 1',
      'mettle_tokens_total{provider="openai"} 7',
      'mettle_cost_usd_total{provider="openai"} 0.25',
      "mettle_failovers_total 1",
    );
    expect((await scrape()).filter((line) => line.startsWith("mettle_store_latency_seconds_count"))).toEqual([
      expect.stringMatching(/ [1-9]\d*$/u),
    ]);
  });

  verifies("SCL-10", "metrics have queues with their age, and what each worker has at work", async () => {
    const jobs = await openJobs(url);
    try {
      const queue = { name: "check", partition: "acme/shop" };
      await jobs.submit("one", { repository: "acme/shop", run: "r2", key: "a" }, queue);
      await jobs.submit("two", { repository: "acme/shop", run: "r2", key: "b" }, queue);
      await jobs.submit("later", { repository: "acme/shop", run: "r2", key: "c" }, queue, { seconds: 600 });
    } finally {
      await jobs.close();
    }
    server.psql(
      url,
      `UPDATE mettle_jobs.workflow_status SET updated_at = updated_at - 90000, created_at = created_at - 90000
         WHERE workflow_uuid = 'one'`,
    );
    await shows('mettle_queue_waiting{queue="check"} 2');
    const age = (await scrape()).find((line) => line.startsWith("mettle_queue_age_seconds"));
    expect(Number(age?.split(" ").at(-1))).toBeGreaterThanOrEqual(90);
    server.psql(
      url,
      `UPDATE mettle_jobs.workflow_status SET status = 'PENDING', executor_id = 'host-1' WHERE workflow_uuid IN ('one', 'two');
       INSERT INTO mettle.claims (repository, run, host, pid, started, token, seen)
         VALUES ('*workers', 'host-1', 'h h b p', 1, '', 't', now() + interval '3 s'), ('*workers', 'host-2', 'h h b p', 1, '', NULL, now())`,
    );
    await shows(
      'mettle_queue_waiting{queue="check"} 0',
      'mettle_queue_age_seconds{queue="check"} 0',
      'mettle_jobs_running{worker="host-1",kind="command"} 2',
      "mettle_workers_alive 1",
    );
    server.psql(url, "UPDATE mettle_jobs.workflow_status SET status = 'SUCCESS' WHERE status = 'PENDING'");
    await shows('mettle_jobs_running{worker="host-1",kind="command"} 0');
  });

  verifies("SCL-10", "metrics are pushed to the collector that the standard variables name", async () => {
    await vi.waitFor(() => expect(collected).toContain('"mettle_verdicts"'), { timeout: 10_000 });
    expect(collected).toContain('{"key":"service.name","value":{"stringValue":"mettle"}}');
  });

  verifies(
    "SCL-10",
    "metrics say that the store is away, keep their counts, and never end by it",
    async () => {
      await server.crash();
      await shows("mettle_store_up 0", 'mettle_tokens_total{provider="anthropic"} 1010');
      await server.start();
      await append("r3", verdict("inconclusive"));
      await shows("mettle_store_up 1", 'mettle_verdicts_total{kind="red",verdict="inconclusive"} 1');
      await shows("mettle_runs_open 2", 'mettle_tokens_total{provider="anthropic"} 1010');
      expect((await fetch(address.replace("/metrics", "/"))).status).toBe(404);
      const ended = new Promise((resolve) => exporter.once("exit", resolve));
      exporter.kill("SIGTERM");
      expect(await ended).toBe(0);
      expect(printed).not.toContain(new URL(url).password);
      expect(printed).toContain("note: the store");
    },
    60_000,
  );
});
