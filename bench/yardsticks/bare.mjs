// Runs a case without Mettle: to learn whether its wrong program ever ends, whether a given solution is worth judging, and
// whether the tests of a project give the same results twice.
import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { write } from "./repository.mjs";

/** @returns whether the tests of a case do not end on its base within the seconds of `material.bare` */
export function neverEnds({ bare, shared }, one, scratch) {
  return run(bare, { ...shared, ...one.base, ...one.tests }, scratch).error?.code === "ETIMEDOUT";
}

/** @returns why a case is left out, by `material.solved` with the change of a variant; null if it is not */
export function leftOut({ solved, shared }, one, { variant, scratch }) {
  if (solved === undefined) return null;
  const files = { ...shared, ...one.base, ...one.tests, ...one.heads[variant], ...one.compared };
  const { status } = run(solved, files, scratch);
  if (status === 0) return null;
  return status === 3 ? "answers like the reference" : "fails its own tests";
}

/**
 * @param folder a checkout with its dependencies
 * @param args those of mocha
 * @returns whether two runs of its tests pass the same ones; null if one gives no report
 */
export function passesSameTwice(folder, args) {
  const [one, two] = [passingTests(folder, args), passingTests(folder, args)];
  return one === null || two === null ? null : one === two;
}

function passingTests(folder, args) {
  const bin = join(folder, "node_modules/mocha/bin");
  const entry = ["_mocha", "mocha.js"].map((name) => join(bin, name)).find((path) => existsSync(path));
  const { stdout } = spawnSync(process.execPath, [entry, "--reporter", "json", ...args], {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: folder, NODE_ENV: "test" },
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: 256 << 20,
    timeout: 180_000,
    killSignal: "SIGKILL",
  });
  try {
    const { passes } = JSON.parse(stdout.slice(stdout.indexOf('{\n  "stats"')));
    return passes.map(({ fullTitle }) => fullTitle).join("\n");
  } catch {
    return null; // it was killed, or its tests write to the same place
  }
}

function run({ command, seconds }, files, scratch) {
  const folder = join(scratch, "bare");
  rmSync(folder, { recursive: true, force: true });
  write(folder, files);
  const [program, ...args] = command;
  return spawnSync(program, args, {
    cwd: folder,
    stdio: "ignore",
    timeout: seconds * 1000,
    killSignal: "SIGKILL",
  });
}
