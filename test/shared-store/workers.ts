/** Started workers, and waiting for what they do. */
import { execFile, spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { stringify } from "yaml";
import { newId } from "../../src/lib/ids.ts";
import { packageRoot } from "../../src/config/package-root.ts";
import { storeVariable } from "../../src/config/env.ts";
import { newFolder } from "../support/folder.ts";
import type { TempRepository } from "../support/repository.ts";
import { sharedRepository, type SharedHost } from "./world.ts";

/** A started `mettle worker`. */
export interface Worker {
  /** As it calls itself. */
  readonly name: string;
  readonly pid: number;
  /** What it printed. */
  said(): string;
  /** @returns its exit code, -1 for a signal */
  end(signal: NodeJS.Signals): Promise<number>;
  /** Starts it again with its state home. */
  again(): Promise<Worker>;
}

/**
 * Resolves when it is ready.
 * @param more arguments
 * @param options `by`: the host that enrols it first; `env`: more variables; `program`: another build
 */
export async function startWorker(
  url: string,
  more: readonly string[] = [],
  options: {
    readonly by?: SharedHost;
    readonly env?: Readonly<Record<string, string>>;
    /** Another build of Mettle. */
    readonly program?: string;
  } = {},
): Promise<Worker> {
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: newFolder(),
    METTLE_HOME: newFolder(),
    METTLE_SANDBOX: "off",
    METTLE_MUTATION_BUDGET: "0",
    [storeVariable]: url,
    ...options.env,
  };
  if (options.by !== undefined) await enrolWorker(options.by, env);
  return startEnrolled(env, [options.program ?? program, "worker", ...more]);
}

async function startEnrolled(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<Worker> {
  const started = spawn(process.execPath, args, {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  const exited = new Promise<number>((resolve) => started.once("exit", (code) => resolve(code ?? -1)));
  const name = await new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      said += chunk.toString("utf8");
      const [, found] = /^worker (\S+) is ready/mu.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    };
    started.stdout.on("data", hear);
    started.stderr.on("data", hear);
    started.once("exit", (code) => reject(new Error(`the worker ended with ${code}: ${said}`)));
  });
  return {
    name,
    pid: started.pid ?? 0,
    said: () => said,
    end(signal) {
      started.kill(signal);
      return exited;
    },
    again: () => startEnrolled(env, args),
  };
}

/** A repository to which workers push. @param settings further lines of its mettle.yaml */
export async function workersOrigin(
  files: Readonly<Record<string, string>>,
  settings = "",
): Promise<TempRepository> {
  const origin = await sharedRepository(files, settings);
  await origin.git("config", "receive.denyCurrentBranch", "ignore");
  return origin;
}

/** A cassette in a file of its own. @returns the name of its agent */
export async function agentOf(cassette: unknown): Promise<string> {
  const file = join(newFolder(), "cassette.yaml");
  await writeFile(file, stringify(cassette));
  return `scripted:${file}`;
}

/** Leaves a run to the workers. @param args default: the task of the golden cassette @returns its id */
export async function detach(
  host: SharedHost,
  agent: string,
  args: readonly string[] = ["Add slugify(text)"],
): Promise<string> {
  const started = await host.cli(["run", ...args, "--detach", "--agent", `default=${agent}`, "--json"]);
  if (started.code !== 0) throw new Error(started.stderr);
  return String(started.json()["run"]);
}

/** To the questions of the golden cassette. */
export const answers = ["Q1", "Q2", "Q3", "Q4", "Q5"].map((id) => `${id}=yes`);

const program = packageRoot("dist/bin/mettle.js");

/** The host's own key is the first one of the store, or enrolled. */
async function enrolWorker(by: SharedHost, env: Readonly<Record<string, string>>): Promise<void> {
  await by.cli(["keys", "enrol", "first"]);
  const { stdout: pem } = await promisify(execFile)(process.execPath, [program, "worker", "--key"], { env });
  const { code, stderr } = await by.cli(["keys", "enrol", `worker-${newId()}`, "-"], undefined, pem);
  if (code !== 0) throw new Error(stderr);
}

const maxWaitMs = 60_000;

/** @throws after a minute, or the time given, with the run's log */
export async function untilStatus(
  host: SharedHost,
  run: string,
  wanted: string,
  waitMs = maxWaitMs,
): Promise<void> {
  const isThere = async () => {
    const [found] = (await host.cli(["status", run, "--json"])).json()["runs"] as {
      readonly status: string;
    }[];
    return found?.status === wanted;
  };
  await until(host, { run, wanted, waitMs }, isThere);
}

/** Waits until a text is in the run's log. @param times how often @returns the log */
export async function untilLog(host: SharedHost, run: string, wanted: string, times = 1): Promise<string> {
  let log = "";
  await until(host, { run, wanted, waitMs: maxWaitMs }, async () => {
    log = (await host.cli(["log", run])).stdout;
    return log.split(wanted).length > times;
  });
  return log;
}

/** Waits until a worker has printed a text. @throws after a minute */
export async function untilSaid(worker: Worker | undefined, wanted: string): Promise<void> {
  for (let look = 0; look < 600; look++) {
    if (worker?.said().includes(wanted) === true) return;
    await pause(100);
  }
  throw new Error(`${wanted} was never said: ${worker?.said() ?? ""}`);
}

async function until(
  host: SharedHost,
  { run, wanted, waitMs }: { readonly run: string; readonly wanted: string; readonly waitMs: number },
  isThere: () => Promise<boolean>,
): Promise<void> {
  const end = performance.now() + waitMs;
  while (performance.now() < end) {
    if (await isThere()) return;
    await pause(300);
  }
  throw new Error(`run ${run} never came to ${wanted}: ${(await host.cli(["log", run])).stdout}`);
}
