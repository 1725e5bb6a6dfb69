/** The exporter of a shared store: for Prometheus over HTTP, and to a collector of OpenTelemetry by its standard variables (SCL-10). */
import { createServer, type Server } from "node:http";
import { PrometheusExporter } from "@opentelemetry/exporter-prometheus";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider, type IMetricReader } from "@opentelemetry/sdk-metrics";
import { variable } from "../config/env.ts";
import { systemClock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { instruments } from "./instruments.ts";
import { watchStore } from "./watch-store.ts";

export interface MetricsOptions {
  /** Of the shared store. */
  readonly url: string;
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  /** Between two looks at the store. */
  readonly everyMs: number;
  readonly version: string;
  /** Ends it. */
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** @returns when the signal has aborted @throws config_invalid, and usage for a place that cannot be listened at */
export async function serveMetrics(options: MetricsOptions): Promise<void> {
  const { url, host, everyMs, signal, say } = options;
  const watch = await watchStore(url);
  const prometheus = new PrometheusExporter({
    preventServerStart: true,
    withoutScopeInfo: true,
    withoutTargetInfo: true,
  });
  const provider = new MeterProvider({
    resource: resourceFromAttributes({ "service.name": "mettle" }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    readers: [prometheus, ...(await collectors())],
  });
  const latency = instruments(provider.getMeter("mettle", options.version), watch.seen);
  const server = serverOf(prometheus);
  try {
    const port = await listen(server, host, options.port);
    say(`metrics are at http://${host.includes(":") ? `[${host}]` : host}:${port}/metrics`);
    let trouble: string | null = null;
    while (!signal.aborted) {
      try {
        latency.record((await watch.look()) / 1000);
        if (trouble !== null) say("the store answers again");
        trouble = null;
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        if (message !== trouble) say(`note: ${message}`);
        trouble = message;
      }
      await systemClock.sleep(everyMs, signal);
    }
  } finally {
    server.closeAllConnections();
    server.close();
    // A collector that does not answer holds nothing up.
    await Promise.race([provider.shutdown().catch(() => undefined), systemClock.sleep(endMs)]);
    await watch.close();
  }
}

const endMs = 3000;
const requestMs = 5000;

async function collectors(): Promise<readonly IMetricReader[]> {
  const names = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"];
  if (names.every((name) => variable(name) === null)) return [];
  const { pushToCollector } = await import("./push-to-collector.ts");
  return [pushToCollector(variable("OTEL_METRIC_EXPORT_INTERVAL"))];
}

function serverOf(prometheus: PrometheusExporter): Server {
  const server = createServer((request, response) => {
    const [path] = (request.url ?? "").split("?");
    const isKnown = request.method === "GET" && path === "/metrics";
    if (isKnown) prometheus.getMetricsRequestHandler(request, response);
    else response.writeHead(404, { "content-type": "text/plain" }).end("metrics are at /metrics\n");
  });
  server.requestTimeout = requestMs;
  server.headersTimeout = requestMs;
  return server;
}

/** @returns the port */
function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) =>
      reject(
        new AppError("usage", `${host}:${port} cannot be listened at: ${cause.message}`, {
          hint: "mettle metrics --listen 127.0.0.1:9464, or port 0 for one that is free",
          cause,
        }),
      ),
    );
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}
