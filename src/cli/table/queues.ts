/** The commands for the queues of workers. */
import { argument, option } from "../../lib/command-line/row.ts";
import type { MettleCommand } from "../command.ts";

export const queues: readonly MettleCommand[] = [
  {
    name: "queues list",
    summary: "list the queues of workers, with their limits and jobs",
    inputs: [],
    load: () => import("../queues/list.ts"),
  },
  {
    name: "queues limit",
    summary: "limit the jobs of a queue that workers do at once",
    inputs: [
      argument("queue", "run, check, or 'agent NAME', as `mettle queues list` prints it"),
      option("worker N", "of one worker"),
      option("all N", "of all workers: for 'agent NAME', those of its provider; none for no limit"),
      option("each N", "of one repository in `run`, of one account in 'agent NAME'; none for no limit"),
    ],
    load: () => import("../queues/limit.ts"),
  },
];
