import { join } from "node:path";
import type { StateHome } from "../../config/home.ts";
import type { RunView } from "../../log/run-view.ts";
import { saidFolder } from "../../run/live/said-file.ts";

/** The output of the processes that drive a run of its own, one after the other. `mettle clean` removes it after the run. */
export function outputFile(home: Pick<StateHome, "root">, run: string): string {
  return join(saidFolder(home, run), "output.log");
}

/** For people who look at a run; null for a run that other processes drive. */
export function outputOf(home: Pick<StateHome, "root">, { run, started }: RunView): string | null {
  return started?.background === true ? outputFile(home, run) : null;
}
