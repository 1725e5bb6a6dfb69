/**
 * The `envoy` on PATH: CommonJS, because it starts faster than a module. It prints a shipped protocol directly and loads the full
 * program for everything else.
 */
import { writeSync } from "node:fs";
import { join } from "node:path";
import { currentFolder } from "../config/current-folder.ts";
import { variable } from "../config/env.ts";
import { systemClock } from "../lib/clock.ts";
import { logCall, readCallFacts } from "./call-facts.ts";
import { printQuickly } from "./quick.ts";

declare const METTLE_VERSION: string | undefined;
declare const __dirname: string;

const words = process.argv.slice(2);

if (words.length === 1 && words[0] === "--version") {
  print(`${typeof METTLE_VERSION === "string" ? METTLE_VERSION : "0.0.0-source"}\n`);
} else void start();

async function start(): Promise<void> {
  const began = systemClock.now();
  const isQuick = words[0] === "protocol" && variable("METTLE_SOCKET") === null;
  const text = isQuick ? await printQuickly(words.slice(1), places) : null;
  if (text !== null) {
    print(text);
    return logCall(currentFolder, { ...readCallFacts(words, "protocol"), code: 0 }, began);
  }
  const { start: whole } = await import("./main.ts");
  await whole(words);
}

function places() {
  return {
    cwd: currentFolder(),
    compiled: join(__dirname, "steps.json"),
    shipped: join(__dirname, "..", "..", "protocols", "envoy"),
  };
}

/** Writes without the streams of `process`, which take a tenth of the start, unless the reader is slow or gone. */
function print(text: string): void {
  const bytes = Buffer.from(text);
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(1, bytes, written);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "EAGAIN") process.stdout.write(bytes.subarray(written));
    else if (code !== "EPIPE") throw error;
  }
}
