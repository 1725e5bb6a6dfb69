// Runs one step of the set-up as a child process with a timeout; prints its last lines only if it fails.
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, work } from "./root.mjs";

export function say(text) {
  process.stderr.write(`mettle: ${text}\n`);
}

/** @param {{name: string, code: string, hint: string, file: string, argv: string[], env: object, timeoutMs: number}} options */
export async function runStep({ name, code, hint, file, argv, env, timeoutMs }) {
  const began = Date.now();
  const { ended, output } = await collect(file, argv, env, timeoutMs);
  if (ended === "exit 0") {
    say(`${name}: ${((Date.now() - began) / 1000).toFixed(1)} s`);
    return 0;
  }
  mkdirSync(work, { recursive: true });
  const log = join(work, `${code}.log`);
  writeFileSync(log, output);
  const tail = output.trimEnd().split("\n").slice(-20);
  process.stderr.write(`error[${code}]: ${name} failed (${ended}); the last lines:\n`);
  process.stderr.write(tail.map((line) => `  ${line}\n`).join(""));
  process.stderr.write(`hint: ${hint}; the whole output is in ${log}\n`);
  return 5;
}

function collect(file, argv, env, timeoutMs) {
  return new Promise((resolve) => {
    const chunks = [];
    const child = spawn(file, argv, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
    const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
    const finish = (ended) => {
      clearTimeout(timer);
      resolve({ ended, output: Buffer.concat(chunks).toString("utf8") });
    };
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.stderr.on("data", (chunk) => chunks.push(chunk));
    child.on("error", (error) => finish(`${file} could not be started: ${error.message}`));
    child.on("close", (exit, signal) => finish(signal === null ? `exit ${exit}` : `ended by ${signal}`));
  });
}
