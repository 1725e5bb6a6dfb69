/** Starts and drives a run in a process of its own that dies by SIGKILL at a chosen append of the journal. */
import { cp } from "node:fs/promises";
import { dirname, join } from "node:path";
import { packageRoot } from "../../src/config/package-root.ts";
import { run as runProcess, type Ran } from "../../src/process/run.ts";
import { bundleProgram } from "../support/bundle.ts";

export interface Killer {
  /** Drives `run` until the nth append of this process: `before` kills with its effects done and nothing journaled. */
  drive(options: KillOptions): Promise<Ran>;
  remove(): Promise<void>;
}

export interface KillOptions {
  readonly repository: string;
  readonly home: string;
  readonly run: string;
  /** From 1; 0 never kills. */
  readonly at: number;
  readonly when: "before" | "after";
}

const program = `
import { standIn } from "./src/runtime/demo.ts";
import { drive } from "./src/runtime/drive.ts";
import { openHost } from "./src/runtime/host.ts";
import { finishRun, prepareRun } from "./src/runtime/lifecycle.ts";
import { openRun } from "./src/runtime/open-run.ts";

const [repository, home, run, at, when] = process.argv.slice(2);
const real = await openHost(repository, { METTLE_HOME: home, METTLE_SANDBOX: "off" });
let appends = 0;
const die = () => process.kill(process.pid, "SIGKILL");
const host = {
  ...real,
  journal: {
    ...real.journal,
    async append(...given) {
      appends += 1;
      if (appends === Number(at) && when === "before") die();
      const stored = await real.journal.append(...given);
      if (appends === Number(at) && when === "after") die();
      return stored;
    },
  },
};
await host.journal.claim(run, host.me);
const context = await openRun(host, { run });
await prepareRun(context);
const end = await drive(context, { signal: new AbortController().signal, answer: (ask) => standIn(context, ask) });
await finishRun(context, end);
console.log(JSON.stringify({ end, appends }));
await host.journal.close();
`;

export async function makeKiller(): Promise<Killer> {
  const bundle = await bundleProgram(program);
  const assets = packageRoot("src/evidence/runners");
  for (const name of ["node-test-reporter.mjs", "vitest-reporter.mjs", "vitest-config.mjs"])
    await cp(join(assets, name), join(dirname(bundle.file), name));
  return {
    drive: ({ repository, home, run, at, when }) =>
      runProcess(process.execPath, [bundle.file, repository, home, run, String(at), when], {
        cwd: repository,
        env: { PATH: process.env["PATH"] ?? "", HOME: home },
        timeoutMs: 120_000,
      }),
    remove: bundle.remove,
  };
}
