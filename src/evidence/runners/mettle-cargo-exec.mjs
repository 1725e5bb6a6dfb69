/**
 * Runs a test binary of Rust as cargo's `runner`: says before which tests it holds and after how it ended, ends a test that
 * takes too long, and runs the tests that an early end of the process swallowed in another one. With a seed, each test has
 * a process of its own, in another order. Plain JavaScript, because node itself loads it.
 */
import { spawn, spawnSync } from "node:child_process";

const [seed, limit, binary, ...args] = process.argv.slice(2);
if (binary.includes("rustdoctest")) {
  // An example of the documentation is a program without tests; rustdoc says how it ended.
  process.exitCode = spawnSync(binary, args, { stdio: "inherit" }).status ?? 1;
} else await runAll();

async function runAll() {
  const { stdout } = spawnSync(binary, ["--list", "--format=terse"], { encoding: "utf8" });
  const tests = stdout.split("\n").flatMap((line) => /^(.*): test$/.exec(line)?.[1] ?? []);
  say({ begin: binary, folder: process.cwd(), tests });
  const settled = new Set();
  let worst = 0;
  const run = async (names) => {
    const { code, ended } = await runOnce(names);
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
  say({ end: binary, code: worst });
  process.exitCode = worst;
}

function say(fact) {
  process.stdout.write(`\n#mettle ${JSON.stringify(fact)}\n`);
}

/**
 * The tests of which one process has said everything: those that passed or were ignored, the one it broke off at, and, where
 * it came to its end, those that failed. libtest tells their reasons last.
 */
function runOnce(more) {
  return new Promise((resolve) => {
    const child = spawn(binary, [...args, ...more], { stdio: ["ignore", "pipe", "inherit"] });
    const ended = new Set();
    const failed = [];
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
      // One test runs at a time: a line about another is what the open one writes.
      if (name === undefined || (current !== null && name !== current)) return;
      if (word === "FAILED") failed.push(name);
      else if (word !== undefined) ended.add(name);
      begin(word === undefined ? name : null);
    };
    child.stdout.on("data", (chunk) => {
      process.stdout.write(chunk);
      const lines = (rest + chunk.toString("utf8")).split("\n");
      rest = lines.pop();
      lines.forEach(note);
      note(rest);
    });
    child.on("error", () => resolve({ code: 127, ended }));
    child.on("close", (status) => {
      clearTimeout(timer);
      if (rest !== "") process.stdout.write("\n");
      if (current !== null) ended.add(current);
      if (whole) for (const name of failed) ended.add(name);
      resolve({ code: status ?? 1, ended });
    });
  });
}

/** Repeatable: a linear congruential generator is chance enough for an order. */
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
