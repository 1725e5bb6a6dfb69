import { argument, optional } from "../../lib/command-line/row.ts";

export const newest = optional(argument("run", "id of the run (default: the newest)"));
