/** The runs that this process drives for the page: they end in good order with it, as by Ctrl-C. */
import type { FamilyRun } from "../../family/family.ts";
import { withHost, type OpenHost } from "../../run/host.ts";
import { isAnsweredFirst } from "../answer-run.ts";
import type { Io } from "../command.ts";
import { driveRun } from "../drive-run.ts";

export interface Drive {
  /** A folder of the repository. */
  readonly folder: string;
  readonly run: string;
  /** Made before the run goes on; the run does not go on if it fails. */
  readonly decide: (context: FamilyRun) => Promise<void>;
}

export interface Drives {
  /** Resolves when the decision is journaled; then the run goes on here, until it waits or ends. */
  start(drive: Drive): Promise<void>;
  /** Waits until all have stopped; the caller has aborted the signal. */
  stopped(): Promise<void>;
}

/** @param io of the command that serves the page */
export function drives(io: Pick<Io, "signal" | "warn" | "cwd">): Drives {
  const open = new Set<Promise<void>>();
  return {
    start({ folder, run, decide }) {
      return new Promise((resolve, reject) => {
        let isDecided = false;
        const work = async (host: OpenHost): Promise<void> => {
          const beforeDrive = async (context: FamilyRun): Promise<void> => {
            await decide(context).catch((error: unknown) => {
              if (!isAnsweredFirst(error)) throw error;
              // Whoever was first counts on this process to drive the run, since it has claimed it.
              reject(error);
            });
            isDecided = true;
            resolve();
          };
          await driveRun({ io: quietIo(io, folder), host, run, beforeDrive });
        };
        const driven = withHost(folder, work).then(resolve, (error: unknown) => {
          // What happens later is a matter of the run, whose journal has it.
          if (isDecided)
            io.warn(`run ${run} stopped: ${error instanceof Error ? error.message : String(error)}`);
          else reject(error instanceof Error ? error : new Error(String(error)));
        });
        const entry = driven.finally(() => open.delete(entry));
        open.add(entry);
      });
    },
    async stopped() {
      await Promise.all(open);
    },
  };
}

/** Prints nothing: people look at the page. */
function quietIo({ signal }: Pick<Io, "signal">, cwd: string): Io {
  const none = (): void => undefined;
  const size = { columns: 80, rows: 24, isTerminal: false, hasColours: false };
  const modes = { interactive: false, live: false, json: false, verbose: false };
  return {
    ...size,
    ...modes,
    cwd,
    print: none,
    warn: none,
    draw: none,
    paint: none,
    interrupt: none,
    signal,
  };
}
