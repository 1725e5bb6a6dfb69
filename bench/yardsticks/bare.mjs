// Runs a case by its bare runner, without Mettle, to learn whether its wrong program ever ends.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { write } from "./repository.mjs";

/** @returns whether the tests of a case do not end on its base within the seconds of `material.bare` */
export function neverEnds({ bare, shared }, one, scratch) {
  const folder = join(scratch, "bare", one.name);
  write(folder, { ...shared, ...one.base, ...one.tests });
  const [program, ...args] = bare.command;
  const done = spawnSync(program, args, {
    cwd: folder,
    stdio: "ignore",
    timeout: bare.seconds * 1000,
    killSignal: "SIGKILL",
  });
  return done.error?.code === "ETIMEDOUT";
}
