/**
 * A run that was begun with `--detach` goes on without the command that began or answered it: with the workers of a shared store,
 * else in a process of its own on this host (SCL-09).
 */
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { environment } from "../../config/env.ts";
import { packageRoot } from "../../config/package-root.ts";
import { AppError } from "../../lib/errors.ts";
import type { FamilyRun } from "../../family/family.ts";
import type { EventOf } from "../../log/run-event.ts";
import { startProgram } from "../../process/start-program.ts";
import type { OpenHost } from "../../run/host.ts";
import { outputFile } from "./output-file.ts";

type Detached = Pick<EventOf<"run.started">, "workers" | "background">;

/** Whether commands leave the run to others. */
export function isDetached({ workers, background }: Detached): boolean {
  return workers !== undefined || background === true;
}

/** Calling it for a run that somebody drives changes nothing. @throws background_failed and the codes of the store */
export async function goOnDetached(host: OpenHost, context: FamilyRun): Promise<void> {
  if (context.started.background === true) return goOnHere(host, context.run);
  const { wakeWorkers } = await import("../../worker/wake.ts");
  await wakeWorkers(host, context);
}

/** It has to open the store and claim the run. */
const timeoutMs = 30_000;

/** In a process of its own. @throws background_failed */
export async function goOnHere({ home, journal, repository }: OpenHost, run: string): Promise<void> {
  if ((await journal.owner(run)) !== null) return;
  const output = outputFile(home, run);
  await mkdir(dirname(output), { recursive: true, mode: 0o700 });
  const code = await startProgram(process.execPath, {
    args: [packageRoot("dist", "bin", "drive.js"), run],
    cwd: repository.root,
    // It may be relative to another folder.
    env: { ...environment(), METTLE_HOME: dirname(home.root) },
    output,
    timeoutMs,
  });
  // Another command may have started one in the same moment.
  if (code === null || (await journal.owner(run)) !== null) return;
  throw new AppError("background_failed", `the process that was to drive run ${run} did not begin`, {
    hint: `Its output is in ${output}. \`mettle resume ${run}\` starts it again.`,
    detail: { run, output, exit: code },
  });
}
