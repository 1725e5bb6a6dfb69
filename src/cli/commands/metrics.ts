/** `mettle metrics`: serves figures of a shared store for Prometheus, and sends them to a collector of OpenTelemetry (SCL-10). */
import { neededUrl } from "../../config/store-place.ts";
import { readPort } from "../../lib/command-line/port.ts";
import { AppError } from "../../lib/errors.ts";
import type { CommandHandler } from "../command.ts";
import { version } from "../../config/version.ts";

export const run: CommandHandler = async (io, given) => {
  const { host, port } = placeOf(given.text("listen") ?? "127.0.0.1:9464");
  const everyMs = secondsOf(given.text("every") ?? "5") * 1000;
  const url = neededUrl("the figures");
  // OpenTelemetry is loaded only here.
  const { serveMetrics } = await import("../../metrics/serve-metrics.ts");
  const say = (line: string) => io.print(line);
  await serveMetrics({ url, host, port, everyMs, version: version(), signal: io.signal, say });
  return { exit: 0, json: { stopped: true }, text: "" };
};

function placeOf(text: string): { readonly host: string; readonly port: number } {
  const [, host = "", port = ""] = /^(?:(\[[\da-fA-F:]+\]|[\w.-]+):)?(\d+)$/u.exec(text) ?? [];
  return { host: host.replaceAll(/[[\]]/gu, "") || "127.0.0.1", port: readPort(port || text, example) };
}

function secondsOf(text: string): number {
  if (/^[1-9]\d{0,3}$/u.test(text)) return Number(text);
  throw new AppError("usage", `--every takes seconds from 1, not ${text}`, { hint: example });
}

const example = "mettle metrics --listen 127.0.0.1:9464 --every 5";
