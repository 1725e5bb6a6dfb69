import { environment, programPath } from "../../config/env.ts";
import { stateRoot } from "../../config/home.ts";
import { packageRoot } from "../../config/package-root.ts";
import { systemClock } from "../../lib/clock.ts";
import { readPort } from "../../lib/command-line/port.ts";
import { requirePerson } from "../../channel/person.ts";
import { openInBrowser } from "../../process/open-in-browser.ts";
import { makeDoorway } from "../../ui/doorway.ts";
import { servePage, type ServedPage } from "../../ui/serve.ts";
import { decideGate } from "../page/decide-gate.ts";
import { decideRun } from "../page/decide.ts";
import { drives } from "../page/drives.ts";
import { version } from "../../config/version.ts";
import type { CommandHandler, Io } from "../command.ts";

export const run: CommandHandler = async (io, given) => {
  // Whoever has the address can decide, so an agent may not have one made.
  requirePerson();
  const env = environment();
  const root = stateRoot({ env, cwd: io.cwd });
  const driven = drives(io);
  const page = await servePage({
    port: readPort(given.text("port") ?? "0", "mettle ui --port 4000"),
    stateRoot: root,
    env,
    clock: systemClock,
    version: version(),
    folder: packageRoot("dist", "page"),
    program: [packageRoot("package.json"), packageRoot("dist", "bin", "mettle.js")],
    deciders: { decide: decideRun(driven), answerGate: decideGate },
    signal: io.signal,
    warn: (line) => io.warn(`warning: ${line}`),
  });
  const stopReading = offerMore(io, page);
  const doorway = given.flag("no-open") || !io.interactive ? null : await openPage(root, page);
  try {
    if (doorway === null) io.print(page.newAddress());
    else io.print(`opened in your browser; for another one: ${page.newAddress()}`);
    io.warn(
      `the address works once${io.interactive ? "; Enter prints another one" : ""}; Ctrl-C ends the page`,
    );
    await aborted(io.signal);
  } finally {
    stopReading();
    doorway?.remove();
    await page.close();
    await driven.stopped();
  }
  return { exit: 0, json: { port: page.port }, text: "" };
};

async function openPage(root: string, page: ServedPage) {
  const doorway = await makeDoorway(root, page.newAddress());
  if (await openInBrowser(doorway.file, { env: environment(), path: programPath() })) return doorway;
  doorway.remove();
  return null;
}

/** Each Enter prints a new address, for another browser or after a session has ended. */
function offerMore(io: Io, page: ServedPage): () => void {
  if (!io.interactive) return () => undefined;
  const more = () => io.print(page.newAddress());
  process.stdin.on("data", more).resume();
  return () => void process.stdin.off("data", more).pause();
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
