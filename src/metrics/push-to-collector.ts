/** Sends figures to a collector of OpenTelemetry over HTTP; loaded only if a variable names one. */
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";

/** The exporter reads the standard variables itself: address, headers, timeout. @param every in milliseconds; null: a minute */
export function pushToCollector(every: string | null): PeriodicExportingMetricReader {
  const exportIntervalMillis = every !== null && /^[1-9]\d{2,7}$/u.test(every) ? Number(every) : 60_000;
  return new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    exportIntervalMillis,
    exportTimeoutMillis: Math.min(exportIntervalMillis, 10_000),
  });
}
