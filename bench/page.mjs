// Measures the page: how soon a run of 10,000 events is drawn, what an update costs, its size, what it costs while nothing
// happens, and what it costs commands that do not need it. Frames and starts have a baseline beside them: an empty page in the same
// browser, and the programs without the files that only `mettle ui` uses. Needs Chromium.
import { fork } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { longPageRun } from "./long-page-run.mjs";
import { median, paired } from "./measure.mjs";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const dist = fileURLToPath(new URL("../dist", import.meta.url));
const entry = "cli-commands-ui.js";
const events = 10_000;
const perSecond = 60;
/** A screen shows a frame every 16.7 ms; a longer gap dropped one. */
const frameMs = 1000 / 60;

export async function run({ loads = 5, seconds = 10, idleSeconds = 20, rounds = 15 } = {}) {
  const executablePath = places.find((place) => existsSync(place));
  if (executablePath === undefined) throw new Error(`no Chromium at ${places.join(", ")}`);
  const made = await longPageRun({ events, more: perSecond * seconds + 10 });
  const server = fork(new URL("page-server.mjs", import.meta.url), {
    env: { ...process.env, METTLE_HOME: made.home },
  });
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const [{ address }] = await onceMessage(server);
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.goto(address);
    const shown = `${page.url()}?repository=${made.repository}&run=${made.run}`;
    const first = await drawn(page, shown);
    const again = [];
    for (let load = 0; load < loads; load += 1) again.push(await drawn(page, shown));
    const empty = await framesOf(await context.newPage(), seconds, () => wait(seconds * 1000));
    const updates = await framesOf(page, seconds, () => append(made, seconds));
    await page.waitForTimeout(3_000);
    const idle = await cpuShare(server.pid, () => page.waitForTimeout(idleSeconds * 1000));
    return {
      first,
      again: {
        paint: median(again.map(({ paint }) => paint)),
        whole: median(again.map(({ whole }) => whole)),
      },
      elements: first.elements,
      empty,
      updates,
      idle,
      bytes: compressedBytes(),
      starts: startsWithout(made, rounds),
    };
  } finally {
    await browser.close();
    server.disconnect();
    await made.host.journal.close();
    rmSync(made.base, { recursive: true, force: true });
  }
}

/** When the run's head is painted, and when its last part is in the page and painted. */
async function drawn(page, address) {
  await page.goto(address);
  const times = await page.evaluate(`new Promise((resolve) => {
    const times = {};
    const look = () => {
      const now = performance.now();
      if (times.head === undefined && document.querySelector("header.run") !== null) times.head = now;
      if (document.getElementById("agents") === null) requestAnimationFrame(look);
      else requestAnimationFrame(() => resolve({ ...times, whole: performance.now(), elements: document.querySelectorAll("*").length }));
    };
    look();
  })`);
  const paint = await page.evaluate(
    `performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN`,
  );
  return { paint, ...times };
}

/** Gaps between frames, and what blocked the page, while `work` is done. */
async function framesOf(page, seconds, work) {
  await page.bringToFront();
  await page.evaluate(`{
    window.gaps = []; window.blocked = [];
    let last = performance.now();
    const frame = (now) => { gaps.push(now - last); last = now; requestAnimationFrame(frame); };
    requestAnimationFrame(frame);
    new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) blocked.push(duration); }).observe({ type: "longtask" });
  }`);
  await work();
  const { gaps, blocked } = await page.evaluate("({ gaps, blocked })");
  const dropped = gaps.reduce((sum, gap) => sum + Math.max(0, Math.round(gap / frameMs) - 1), 0);
  return {
    median: median(gaps),
    longest: Math.max(...gaps),
    dropped: dropped / (dropped + gaps.length),
    blocked: Math.max(0, ...blocked),
  };
}

async function append({ host, run, rest }, seconds) {
  const began = performance.now();
  for (let index = 0; index < seconds * perSecond; index += 1) {
    await host.journal.append(run, events + index, [rest[index]]);
    await wait(began + ((index + 1) * 1000) / perSecond - performance.now());
  }
}

/** Share of one core that a process takes meanwhile; the system counts hundredths of a second. */
async function cpuShare(pid, work) {
  const used = () => {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  };
  const [before, began] = [used(), performance.now()];
  await work();
  return (used() - before) / ((performance.now() - began) / 1000);
}

function compressedBytes() {
  const texts = readdirSync(join(dist, "page")).map((name) => readFileSync(join(dist, "page", name)));
  return texts.reduce((sum, text) => sum + gzipSync(text).length, 0);
}

/** `mettle --version` and `mettle status`, beside a copy of the programs without what `mettle ui` loads. */
function startsWithout({ base, home }, rounds) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "mettle-bench-programs-")));
  try {
    const copy = join(folder, "dist");
    cpSync(dist, copy, { recursive: true });
    cpSync(join(dist, "../package.json"), join(folder, "package.json"));
    cpSync(join(dist, "../protocols"), join(folder, "protocols"), { recursive: true });
    rmSync(join(copy, "page"), { recursive: true });
    for (const name of onlyForThePage(join(copy, "bin"))) rmSync(join(copy, "bin", name));
    const call = (at, ...argv) => ({
      argv: [join(at, "bin/mettle.cjs"), ...argv],
      cwd: join(base, "repository"),
      env: { METTLE_HOME: home, NODE_PATH: join(dirname(dist), "node_modules") },
    });
    return ["--version", "status"].map((word) => {
      const found = paired({ without: call(copy, word), with: call(dist, word) }, { rounds });
      return { word, ms: found.with.ms, without: found.without.ms, ratio: found.with.ratio };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Files that `mettle ui` loads and no other command. */
function onlyForThePage(folder) {
  const names = readdirSync(folder).filter((name) => /[.]c?js$/u.test(name));
  const imports = new Map(
    names.map((name) => {
      const text = readFileSync(join(folder, name), "utf8");
      return [name, [...text.matchAll(/(?:from|import|require\()"[.]\/([^"]+)"/gu)].map(([, file]) => file)];
    }),
  );
  const reached = (from) => {
    const found = new Set(from);
    for (const name of found) for (const next of imports.get(name) ?? []) found.add(next);
    return found;
  };
  const others = reached(names.filter((name) => !name.startsWith("chunk-") && name !== entry));
  return [...reached([entry])].filter((name) => !others.has(name));
}

function onceMessage(child) {
  return new Promise((resolve, reject) => {
    child.once("message", (message) => resolve([message]));
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
}

function wait(ms) {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}
