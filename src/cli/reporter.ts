/** Prints the progress of a run: in short, or every event with `--verbose`. */
import type { Io } from "./command.ts";
import type { Reporter } from "./screen/reporter.ts";
import { phaseReporter } from "./screen/phase-reporter.ts";
import { verboseReporter } from "./screen/verbose-reporter.ts";

export function reporter(io: Io): Reporter {
  return io.verbose ? verboseReporter(io) : phaseReporter(io);
}
