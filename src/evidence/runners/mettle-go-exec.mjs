/**
 * Runs a Go test binary for `go test -exec`. A panic ends the binary and the remaining tests; they run in another process,
 * so that every test has its own result. Plain JavaScript, because node loads it.
 */
import { spawn, spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [binary, ...args] = process.argv.slice(2);
/** Tests that started, that wait for others before they continue, and that ended. */
const begun = new Set();
const waiting = new Set();
const over = new Set();
const folder = mkdtempSync(join(tmpdir(), "go-exec-"));
let runs = 0;
let code = await runOnce(args);
let worst = code;
// The testing package exits with 0 or 1; any other code came during a test.
while (code !== 0 && code !== 1) {
  const left = listed().filter((name) => !begun.has(name) || isInnocent(name));
  const before = begun.size + over.size;
  if (left.length === 0) break;
  for (const name of left) waiting.delete(name);
  code = await runOnce([...args, `-test.run=^(${left.join("|")})$`]);
  if (worst === 0) worst = code;
  if (begun.size + over.size === before) break;
}
rmSync(folder, { recursive: true, force: true });
process.exitCode = worst;

/** A parallel test that another one's panic ended: it waited, or ran beside a test known to have failed. */
function isInnocent(name) {
  return waiting.has(name) && !over.has(name);
}

/** Both streams of the binary go to one file, because their order shows where a panic belongs; it is forwarded while it grows. */
async function runOnce(argv) {
  runs += 1;
  const path = join(folder, `output-${runs}`);
  const log = join(folder, `log-${runs}`);
  const out = openSync(path, "a");
  const child = spawn(binary, [...argv, `-test.testlogfile=${log}`], { stdio: ["ignore", out, out] });
  const seen = follow(path);
  const timer = setInterval(seen, 100);
  const status = await new Promise((resolve) => {
    child.on("error", () => resolve(127));
    child.on("close", (exit) => resolve(exit ?? 2));
  });
  clearInterval(timer);
  closeSync(out);
  if (seen() !== "") writeSync(1, "\n");
  // The testing package writes its log after all tests: if other code ends the process, the log is empty.
  if (status !== 0 || size(log) > 0) return status;
  writeSync(1, "mettle: the process ended before its tests did\n");
  return 1;
}

function size(path) {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Returns the last line, as far as it is written. */
function follow(path) {
  const input = openSync(path, "r");
  const buffer = Buffer.alloc(65_536);
  let rest = "";
  return () => {
    for (let size = readSync(input, buffer); size > 0; size = readSync(input, buffer)) {
      for (let done = 0; done < size;) done += writeSync(1, buffer, done, size - done);
      const lines = (rest + buffer.toString("latin1", 0, size)).split("\n");
      rest = lines.pop();
      for (const line of lines) {
        // Newer versions prefix their own lines with a control character (22).
        const told = line.charCodeAt(0) === 22 ? line.slice(1) : line;
        const [, what, name] = /^=== (RUN|PAUSE)\s+([^\s/]+)$/.exec(told) ?? [];
        if (what === "RUN") begun.add(name);
        if (what === "PAUSE") waiting.add(name);
        const ended = /^--- (?:PASS|FAIL|SKIP): ([^\s/]+) /.exec(told)?.[1];
        if (ended !== undefined) over.add(ended);
      }
    }
    return rest;
  };
}

function listed() {
  const { stdout } = spawnSync(binary, ["-test.list=.*"], { encoding: "utf8" });
  return stdout.split("\n").filter((name) => /^(Test|Example|Fuzz)\w*$/.test(name));
}
