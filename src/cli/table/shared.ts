import { argument, flag, optional } from "../../lib/command-line/row.ts";

export const newest = optional(argument("run", "id of the run (default: the newest)"));

/** Of the commands that drive a run; the same as METTLE_VERBOSE. */
export const verbose = flag("verbose", "print every event of the run, not one line for each phase");
