/**
 * Runs a Rust test binary as cargo's `runner`: lists its tests before and reports its end after, ends a test that takes too
 * long, and runs tests that an early end skipped in another process. With a seed, each test has its own process, in random
 * order. Plain JavaScript, because node loads it.
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const deprecated = "warning: `--logfile` is deprecated";
const [seed, limit, binary, ...args] = process.argv.slice(2);
if (binary.includes("rustdoctest")) {
  // A doc example is a program without tests; rustdoc reports its result.
  process.exitCode = spawnSync(binary, args, { stdio: "inherit" }).status ?? 1;
} else await runAll();

async function runAll() {
  const { stdout } = spawnSync(binary, ["--list", "--format=terse"], { encoding: "utf8" });
  const tests = stdout.split("\n").flatMap((line) => /^(.*): test$/.exec(line)?.[1] ?? []);
  say({ begin: binary, folder: process.cwd(), tests });
  const log = logFile();
  const settled = new Set();
  let worst = 0;
  const run = async (names) => {
    const { code, ended, passed } = await runOnce(log === null ? names : [...names, `--logfile=${log}`]);
    const forged = log === null ? [] : passed.filter((name) => !logged(log).has(name));
    if (forged.length > 0) say({ forged });
    for (const name of ended) settled.add(name);
    worst ||= code;
  };
  if (seed === "-" || tests.length > 300) {
    await run([]);
    for (let left = tests.filter((name) => !settled.has(name)); left.length > 0;) {
      await run(["--exact", ...left]);
      const next = left.filter((name) => !settled.has(name));
      if (next.length === left.length) break;
      left = next;
    }
  } else for (const name of shuffled(tests, Number(seed))) await run(["--exact", name]);
  if (log !== null) rmSync(join(log, ".."), { recursive: true, force: true });
  say({ end: binary, code: worst });
  process.exitCode = worst;
}

/**
 * libtest's log file, separate from the stream that a test may write to; null in versions without it. A test that prints a
 * pass and ends the process leaves no entry.
 */
function logFile() {
  const { stdout, stderr } = spawnSync(binary, ["--help"], { encoding: "utf8" });
  return /--logfile\b/.test(`${stdout}${stderr}`)
    ? join(mkdtempSync(join(tmpdir(), "cargo-exec-")), "log")
    : null;
}

function logged(log) {
  let text = "";
  try {
    text = readFileSync(log, "utf8");
  } catch {
    // nothing was logged
  }
  return new Set([...text.matchAll(/^ok (.+)$/gm)].map((match) => match[1]));
}

function say(fact) {
  process.stdout.write(`\n#mettle ${JSON.stringify(fact)}\n`);
}

/**
 * The tests whose results one process reported completely: passed and ignored ones, the one at which it stopped and, if it
 * finished, the failed ones. libtest prints their reasons last.
 */
function runOnce(more) {
  return new Promise((resolve) => {
    const child = spawn(binary, [...args, ...more], { stdio: ["ignore", "pipe", "pipe"] });
    // Output without a final line break would join cargo's next line.
    child.stderr.on("data", (chunk) => process.stderr.write(String(chunk).replace(deprecated, "")));
    const ended = new Set();
    const failed = [];
    const passed = [];
    let [rest, whole, current, timer] = ["", false, null, null];
    const begin = (name) => {
      if (name === current) return;
      current = name;
      clearTimeout(timer);
      if (name !== null) timer = setTimeout(strike, Number(limit));
    };
    const strike = () => {
      process.stdout.write(`\n#mettle ${JSON.stringify({ timeout: current })}\n`);
      child.kill("SIGKILL");
    };
    const note = (line) => {
      const [, name, word] = /^test (.+?)(?: - should panic)? \.\.\. (ok$|FAILED$|ignored)?/.exec(line) ?? [];
      if (line.startsWith("test result: ")) whole = true;
      // One test runs at a time: a line about another is output of the open one.
      if (name === undefined || (current !== null && name !== current)) return;
      if (word === "FAILED") failed.push(name);
      else if (word !== undefined) ended.add(name);
      if (word === "ok") passed.push(name);
      begin(word === undefined ? name : null);
    };
    child.stdout.on("data", (chunk) => {
      process.stdout.write(chunk);
      const lines = (rest + chunk.toString("utf8")).split("\n");
      rest = lines.pop();
      lines.forEach(note);
      note(rest);
    });
    child.on("error", () => resolve({ code: 127, ended, passed }));
    child.on("close", (status) => {
      clearTimeout(timer);
      if (rest !== "") process.stdout.write("\n");
      if (current !== null) ended.add(current);
      if (whole) for (const name of failed) ended.add(name);
      resolve({ code: status ?? 1, ended, passed });
    });
  });
}

/** Repeatable: a linear congruential generator is random enough for an order. */
function shuffled(names, start) {
  let state = start >>> 0;
  const left = [...names];
  const order = [];
  while (left.length > 0) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    order.push(...left.splice(state % left.length, 1));
  }
  return order;
}
