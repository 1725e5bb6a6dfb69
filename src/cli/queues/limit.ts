/** `mettle queues limit`: limits the jobs of a queue that workers do at once (SCL-03). */
import { requirePerson } from "../../channel/person.ts";
import { neededUrl } from "../../config/store-place.ts";
import type { InputValues } from "../../lib/command-line/input-values.ts";
import { AppError } from "../../lib/errors.ts";
import { withJobs } from "../../worker/job-client.ts";
import { isQueueName } from "../../worker/queues.ts";
import type { CommandHandler } from "../command.ts";

export const run: CommandHandler = async (_, given) => {
  requirePerson();
  const queue = given.need("queue");
  if (!isQueueName(queue))
    throw new AppError("usage", `${queue} is no name of a queue`, {
      hint: "run, check, or 'agent NAME', each perhaps with labels: 'agent claude +gpu'",
    });
  const limits = {
    worker: limitOf(given, "worker") ?? undefined,
    all: limitOf(given, "all"),
    each: limitOf(given, "each"),
  };
  if (Object.values(limits).every((limit) => limit === undefined))
    throw new AppError("usage", "no limit is named", { hint: "mettle queues limit run --each 2" });
  await withJobs(neededUrl("queues"), (jobs) => jobs.limit(queue, limits));
  return { exit: 0, json: { queue, ...limits }, text: `the limits of ${queue} are changed` };
};

/** @returns null for none, undefined if it stays as it is */
function limitOf(given: InputValues, name: "worker" | "all" | "each"): number | null | undefined {
  const text = given.text(name);
  if (text === null) return undefined;
  if (text === "none" && name !== "worker") return null;
  if (/^[1-9]\d{0,4}$/u.test(text)) return Number(text);
  throw new AppError("usage", `--${name} takes a number from 1, not ${text}`, {
    hint: "`mettle queues limit --help`",
  });
}
