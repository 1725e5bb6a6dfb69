// Measures the journal: a durable append against a bare write and sync, and reading and folding a long run.
// Prints one JSON object. Uses the sources, without a build. `node bench/journal.mjs [--events N] [--appends N]`
import { execFileSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { longRun, orchestrate } from "./long-run.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { events: { type: "string", default: "100000" }, appends: { type: "string", default: "300" } },
});

if (positionals[0] === "read") await readInThisProcess(positionals[1], positionals[2]);
else await measure();

async function measure() {
  const builds = join(root, ".mettle-build");
  mkdirSync(builds, { recursive: true });
  // On the disk of the repository: a temporary folder may be in memory, where a sync costs nothing.
  const folder = mkdtempSync(join(builds, "bench-"));
  try {
    const library = join(folder, "library.mjs");
    await bundle(library);
    const mettle = await import(pathToFileURL(library).href);
    const append = [];
    for (const bytes of [300, 3000]) append.push(await measureAppend(mettle, { folder, bytes }));
    const read = await measureRead(mettle, { folder, library });
    console.log(JSON.stringify({ bench: "journal", version: 1, node: process.version, append, read }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function bundle(outfile) {
  const exports = {
    "journal/open.ts": "openJournal",
    "lib/clock.ts": "systemClock",
    "kernel/step.ts": "init, step",
    "kernel/fold.ts": "fold",
    "protocol/load.ts": "loadProtocol",
    "log/run-view.ts": "emptyView, foldView",
  };
  const contents = Object.entries(exports)
    .filter(([file]) => existsSync(join(root, "src", file)))
    .map(([file, names]) => `export { ${names} } from "./src/${file}";`)
    .join("\n");
  await build({
    stdin: { contents, resolveDir: root, loader: "ts" },
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["libsql"],
    banner: {
      js: 'import { createRequire as __r } from "node:module"; const require = __r(import.meta.url);',
    },
    outfile,
    logLevel: "error",
  });
}

function open(mettle, home) {
  return mettle.openJournal({ home, clock: mettle.systemClock, alive: () => true });
}

/** The two writes alternate, so that other disk activity affects both. */
async function measureAppend(mettle, { folder, bytes }) {
  const journal = await open(mettle, join(folder, `append-${bytes}`));
  const file = openSync(join(folder, `raw-${bytes}`), "a");
  const event = { type: "tick", data: { text: "x".repeat(bytes - 80) } };
  const line = Buffer.from(`${JSON.stringify(event).padEnd(bytes - 1)}\n`);
  const journaled = [];
  const raw = [];
  const rounds = Number(values.appends);
  for (let n = 0; n < rounds; n++) {
    journaled.push(await time(() => journal.append("bench", n, [event])));
    raw.push(await time(() => (writeSync(file, line), fdatasyncSync(file))));
  }
  closeSync(file);
  await journal.close();
  const ratios = journaled.map((ms, n) => ms / raw[n]);
  return {
    bytes,
    appends: rounds,
    medianMs: round(median(journaled)),
    rawMedianMs: round(median(raw)),
    ratio: round(median(journaled) / median(raw)),
    medianOfRatios: round(median(ratios)),
    // Some appends include a checkpoint of the log: the sums count it, the medians do not.
    ratioOfSums: round(sum(journaled) / sum(raw)),
    goal: 1.5,
    ok: median(journaled) / median(raw) <= 1.5,
  };
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

async function time(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function measureRead(mettle, { folder, library }) {
  const home = join(folder, "read");
  const journal = await open(mettle, home);
  const events = mettle.fold ? longRun(mettle, Number(values.events)) : ticks(Number(values.events));
  const started = performance.now();
  for (let at = 0; at < events.length; at += 1000)
    await journal.append("bench", at, events.slice(at, at + 1000));
  const writeMs = performance.now() - started;
  await journal.close();
  const child = execFileSync(process.execPath, [fileURLToPath(import.meta.url), "read", library, home], {
    encoding: "utf8",
  });
  const result = JSON.parse(child);
  const { totalMs, peakMb } = result;
  return {
    events: events.length,
    megabytes: round(events.reduce((sum, event) => sum + JSON.stringify(event.data).length, 0) / 1e6),
    writeMs: round(writeMs),
    ...result,
    goalMs: 2000,
    goalMb: 200,
    ok: totalMs <= 2000 && peakMb <= 200,
  };
}

/** Runs in a separate process, to measure its peak memory. */
async function readInThisProcess(library, home) {
  const mettle = await import(pathToFileURL(library).href);
  const idleMb = process.resourceUsage().maxRSS / 1024;
  const cpu = process.cpuUsage();
  const started = performance.now();
  const journal = await open(mettle, home);
  const events = await journal.read("bench");
  const readMs = performance.now() - started;
  const figures = { readMs: round(readMs), foldMs: null, viewMs: null, cpuMs: null };
  if (mettle.fold) {
    const folding = performance.now();
    const state = mettle.fold(orchestrate(mettle), kernelEvents(events));
    figures.foldMs = round(performance.now() - folding);
    if (Object.keys(state.frames).length === 0) throw new Error("the fold ended the run");
  }
  const totalMs = performance.now() - started;
  // Processor time does not depend on the load of the machine.
  const { user, system } = process.cpuUsage(cpu);
  figures.cpuMs = round((user + system) / 1000);
  const peakMb = process.resourceUsage().maxRSS / 1024;
  if (mettle.foldView) {
    const viewing = performance.now();
    mettle.foldView(
      mettle.emptyView("bench"),
      events.map(({ type, data, seq, at }) => ({ ...data, type, seq, at })),
    );
    figures.viewMs = round(performance.now() - viewing);
  }
  await journal.close();
  console.log(
    JSON.stringify({ ...figures, totalMs: round(totalMs), idleMb: round(idleMb), peakMb: round(peakMb) }),
  );
}

function* kernelEvents(events) {
  for (const { type, data, seq } of events) {
    if (type === "run.started") yield { type: "start", stamp: String(seq) };
    else if (type === "result") yield { type: "result", ...data, stamp: String(seq) };
  }
}

function ticks(count) {
  return Array.from({ length: count }, (_, n) => ({ type: "tick", data: { n, text: "x".repeat(300) } }));
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function round(number) {
  return Math.round(number * 1000) / 1000;
}
