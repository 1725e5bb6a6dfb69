// Runs a case without Mettle: to learn whether its wrong program ever ends, and whether a given solution is worth judging.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
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
