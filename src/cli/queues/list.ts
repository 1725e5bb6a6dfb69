/** `mettle queues list`: the queues of workers, with their limits and jobs. */
import { neededUrl } from "../../config/store-place.ts";
import { withJobs, type QueueState } from "../../worker/job-client.ts";
import type { CommandHandler } from "../command.ts";

export const run: CommandHandler = async () =>
  withJobs(neededUrl("queues"), async (jobs) => {
    const queues = await jobs.queues();
    const lines = queues.map(lineOf);
    const text = lines.length === 0 ? "no job was submitted yet" : lines.join("\n");
    return { exit: 0, json: { queues }, text };
  });

function lineOf({ queue, worker, all, each, waiting, working }: QueueState): string {
  const limits = [
    [worker, "of a worker"],
    [all, "of all"],
    [each, queue === "run" || queue.startsWith("check") ? "of a repository" : "of an account"],
  ].flatMap(([limit, whose]) => (limit === null ? [] : [`${limit} ${whose}`]));
  return `${queue}: ${waiting} waiting, ${working} at work; at most ${limits.join(", ") || "any number"}`;
}
