/**
 * The host of a run in a shared store that no workers do: its commits and worktrees are there, so only there it goes on (SCL-01).
 * Every host sees the run and answers its questions.
 */
import { relative } from "node:path";
import { currentHost } from "../config/owner.ts";
import type { StateHome } from "../config/home.ts";
import { AppError } from "../lib/errors.ts";
import type { EventOf } from "../log/run-event.ts";
import type { RunContext } from "./context.ts";

type RunHost = NonNullable<EventOf<"run.started">["host"]>;

/** For the first event of a run; null where runs are local. */
export function hostOfRun({ store }: Pick<StateHome, "store">): RunHost | null {
  return store.kind === "local" ? null : { name: currentHost().name, home: store.home };
}

/** @returns the name of the host on which the run goes on; null: this one */
export function otherHostOf({ started, home }: Pick<RunContext, "started" | "home">): string | null {
  const mine = hostOfRun(home);
  const its = started.host;
  if (its === undefined || mine === null || its.home === mine.home) return null;
  return its.name === mine.name ? `${its.name} with another METTLE_HOME` : its.name;
}

/** @throws run_elsewhere */
export function assertRunsHere(context: Pick<RunContext, "started" | "home" | "run">): void {
  const other = otherHostOf(context);
  if (other === null) return;
  throw new AppError(
    "run_elsewhere",
    `run ${context.run} began on ${other}, which has its commits and its key`,
    {
      hint: "Call the command there. Here the run can be looked at, answered and aborted.",
      detail: { run: context.run, host: other },
    },
  );
}

/** A file of the repository as people are told of it: in a run of workers each host has it in another folder. */
export function shownFile(context: Pick<RunContext, "started" | "repository">, file: string): string {
  return isOfWorkers(context) ? relative(context.repository.root, file) : file;
}

/** In a run of workers each host has files of its own, which may be behind. None of them is read back (SCL-04). */
export function isOfWorkers({
  started,
}: {
  readonly started: Pick<RunContext["started"], "workers">;
}): boolean {
  return started.workers !== undefined;
}
