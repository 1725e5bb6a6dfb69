/** Runs of the demos with their pages, journals and records, read without the model that the pages are drawn from. */
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseRecord, type EvidenceRecord } from "../../src/evidence/record.ts";
import type { Recorded } from "../../src/log/run-event.ts";
import { openHost } from "../../src/run/host.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { callHere, type InProcessResult } from "../cli/here.ts";
import { afterFile, newFolder } from "../support/folder.ts";

export interface KeptRun {
  readonly run: string;
  readonly repository: string;
  readonly events: readonly Recorded[];
  /** By id. */
  readonly records: ReadonlyMap<string, EvidenceRecord>;
  /** A stored text. */
  readonly texts: ReadonlyMap<string, string>;
  readonly file: string;
  /** The folder of its stored texts. */
  readonly payloads: string;
  readonly call: (...args: readonly string[]) => Promise<InProcessResult>;
}

/** Plays a demo, keeps its folder until the end of the file, and writes the page of its run. */
export async function keepRun(...demo: readonly string[]): Promise<KeptRun> {
  const folder = newFolder();
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, METTLE_SANDBOX: "off" };
  const played = await callHere(["demo", "--keep", ...demo], { cwd: folder, env });
  const [, repository = "", home = ""] =
    /^  cd (\S+) && export METTLE_HOME=(\S+)$/mu.exec(played.stdout) ?? [];
  if (home === "") throw new Error(`the demo kept no folder: ${played.stderr}`);
  afterFile(() => rm(dirname(home), { recursive: true, force: true, maxRetries: 5 }));
  const call = (...args: readonly string[]) =>
    callHere(args, { cwd: repository, env: { ...env, METTLE_HOME: home } });
  const host = await openHost(repository, { METTLE_HOME: home });
  try {
    const [run = ""] = await host.journal.runs();
    const events = (await host.journal.read(run)).map(recorded);
    const records = new Map<string, EvidenceRecord>();
    const texts = new Map<string, string>();
    for (const event of events) {
      if (event.type === "record.written")
        records.set(event.id, parseRecord(JSON.parse(await host.payloads.text(event.ref))));
      if (event.type === "document.written") texts.set(event.ref, await host.payloads.text(event.ref));
    }
    const file = join(folder, "page.html");
    const shown = await call("show", run, "--html", file);
    if (shown.code !== 0) throw new Error(shown.stderr);
    return { run, repository, events, records, texts, file, payloads: host.home.payloads, call };
  } finally {
    await host.journal.close();
  }
}
