/** The figures as instruments of OpenTelemetry; docs/operate.md lists them. */
import type { Attributes, BatchObservableResult, Histogram, Meter, Observable } from "@opentelemetry/api";
import { fieldsOf, parseJson } from "../lib/json.ts";
import type { Seen } from "./watch-store.ts";

/** Shows at each collection what was seen last. @returns where the latency of the store in seconds is recorded */
export function instruments(meter: Meter, seen: () => Seen): Histogram {
  const gauge = (name: string, description: string) => meter.createObservableGauge(name, { description });
  const counter = (name: string, description: string) => meter.createObservableCounter(name, { description });
  const now = {
    up: gauge("mettle_store_up", "1 if the store answered when it was last asked, else 0"),
    workers: gauge("mettle_workers_alive", "workers that gave a sign of life within their lease"),
    waiting: gauge("mettle_queue_waiting", "jobs that wait for a worker, by queue"),
    age: gauge("mettle_queue_age_seconds", "how long the oldest of them waits, by queue"),
    running: gauge("mettle_jobs_running", "runs that are driven and commands at work, by worker"),
    open: gauge("mettle_runs_open", "runs that have not ended"),
    people: gauge("mettle_runs_waiting_for_people", "runs with a question to a person"),
  };
  const ever = {
    verdicts: counter("mettle_verdicts", "verdicts of gates and reviewers"),
    ended: counter("mettle_runs_ended", "runs that ended, by outcome"),
    tokens: counter("mettle_tokens", "tokens by the figures of the agents, by provider"),
    costUsd: counter("mettle_cost_usd", "cost in US dollars by the figures of the agents, by provider"),
    failovers: counter("mettle_failovers", "commands whose worker died, so that another goes on"),
  };
  const show = (result: BatchObservableResult) => {
    const { now: found, totals } = seen();
    const put = (on: Observable, value: number, labels: Attributes = {}) => result.observe(on, value, labels);
    put(now.up, found === null ? 0 : 1);
    if (found !== null) {
      put(now.workers, found.workers);
      for (const { queue, waiting, oldestMs } of found.jobs.queues) {
        put(now.waiting, waiting, { queue });
        put(now.age, oldestMs / 1000, { queue });
      }
      for (const { worker, kind, count } of found.jobs.running) put(now.running, count, { worker, kind });
    }
    if (found !== null && found.runs !== null) {
      put(now.open, found.runs.open);
      put(now.people, found.runs.waiting);
    }
    if (totals === null) return;
    const { failovers, ...byLabels } = totals;
    put(ever.failovers, failovers);
    for (const name of ["verdicts", "ended", "tokens", "costUsd"] as const)
      for (const [labels, count] of byLabels[name]) put(ever[name], count, labelsOf(labels));
  };
  meter.addBatchObservableCallback(show, [...Object.values(now), ...Object.values(ever)]);
  return meter.createHistogram("mettle_store_latency_seconds", {
    description: "a round trip to the store that reads nothing",
    unit: "s",
    advice: {
      explicitBucketBoundaries: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3],
    },
  });
}

function labelsOf(text: string): Attributes {
  return Object.fromEntries(
    Object.entries(fieldsOf(parseJson(text))).map(([name, value]) => [name, String(value)]),
  );
}
