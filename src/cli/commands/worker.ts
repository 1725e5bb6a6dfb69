/** `mettle worker`: does runs of the shared store on this host until it is stopped (SCL-04). */
import { Label } from "../../config/store-schema.ts";
import { programPath } from "../../config/env.ts";
import { pemOf } from "../../evidence/public-key.ts";
import { AppError } from "../../lib/errors.ts";
import { offerHere } from "../../worker/offer.ts";
import { workerPlace } from "../../worker/place.ts";
import { runWorker } from "../../worker/worker.ts";
import type { CommandHandler } from "../command.ts";

export const run: CommandHandler = async (io, given) => {
  const drainMs = secondsOf(given.text("drain") ?? "30") * 1000;
  const place = await workerPlace();
  if (given.flag("key")) {
    const { id, publicKey } = await place.key();
    const pem = pemOf(publicKey);
    return { exit: 0, json: { worker: place.name, key: id, pem }, text: pem, isData: true };
  }
  const offer = await offerHere({
    path: programPath(),
    platform: process.platform,
    labels: (given.list("label") ?? []).map(labelOf),
    agents: (given.list("agent") ?? []).map(labelOf),
  });
  await runWorker({
    place,
    offer,
    stop: io.signal,
    drainMs,
    say: (what) => io.print(what),
  });
  return { exit: 0, json: { worker: place.name, ...offer }, text: `worker ${place.name} has stopped` };
};

function labelOf(text: string): string {
  const label = Label.safeParse(text);
  if (label.success) return label.data;
  throw new AppError("usage", `${text} is no label: ${label.error.issues[0]?.message ?? ""}`, {
    hint: "mettle worker --label gpu",
  });
}

function secondsOf(text: string): number {
  if (/^\d{1,5}$/u.test(text)) return Number(text);
  throw new AppError("usage", `--drain takes seconds, not ${text}`, { hint: "mettle worker --drain 60" });
}
