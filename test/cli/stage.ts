/**
 * One repository and its state home with saved states: a test takes a run to each state once, then restores a state and calls a
 * command in it, by the built program or in this process (`here.ts`).
 */
import { execFile, spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { stringify } from "yaml";
import { packageRoot } from "../../src/config/package-root.ts";
import { newFolder } from "../support/folder.ts";
import { createRepository, type TempRepository } from "../support/repository.ts";
import { golden, untestedFiles, type TurnFile } from "../orchestrate/world.ts";
import { callHere, type CallEnvironment } from "./here.ts";

export interface CallResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CallOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Sends SIGINT once the output contains this text. */
  readonly interruptAt?: string;
  /** Runs once the output contains the text; may send SIGINT. */
  readonly during?: { readonly seen: string; readonly act: (interrupt: () => void) => Promise<unknown> };
}

/** Role -> its turns; other roles play a successful run. */
export type Roles = Readonly<Record<string, readonly TurnFile[]>>;

export interface Stage {
  readonly repository: TempRepository;
  /** HOME and METTLE_HOME of every call. */
  readonly home: string;
  /** `scripted:FILE`, whose file `play` writes. */
  readonly agent: string;
  play(roles?: Roles): Promise<void>;
  /** Calls the built program. */
  call(args: readonly string[], options?: CallOptions): Promise<CallResult>;
  /** Calls `main` in this process. */
  here(args: readonly string[], options?: Partial<CallEnvironment>): Promise<CallResult>;
  save(name: string): Promise<void>;
  restore(name: string): Promise<void>;
}

export async function createStage(files?: Readonly<Record<string, string>>): Promise<Stage> {
  const repository = await createRepository({ files: files ?? (await untestedFiles()) });
  const home = newFolder();
  const saved = newFolder();
  const file = join(home, "cassette.yaml");
  const cassette = await golden();
  const places = [
    { dir: repository.dir, name: "repository" },
    { dir: home, name: "home" },
  ];
  const surroundings = ({ cwd = repository.dir, env = {} }: Partial<CallEnvironment>): CallEnvironment => ({
    cwd,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      METTLE_HOME: join(home, "state"),
      METTLE_SANDBOX: "off",
      METTLE_MUTATION_BUDGET: "0",
      METTLE_VERBOSE: "1",
      ...env,
    },
  });

  return {
    repository,
    home,
    agent: `scripted:${file}`,
    async play(roles = {}) {
      await writeFile(file, stringify({ ...cassette, roles: { ...cassette.roles, ...roles } }));
    },
    call: (args, options = {}) => callProgram(args, { ...options, ...surroundings(options) }),
    here: (args, options = {}) => callHere(args, surroundings(options)),
    async save(name) {
      await mkdir(join(saved, name));
      for (const place of places) await copy(place.dir, join(saved, name, place.name));
    },
    async restore(name) {
      for (const place of places) {
        await execute("find", [place.dir, "-mindepth", "1", "-delete"]);
        await copy(`${join(saved, name, place.name)}/.`, place.dir);
      }
    },
  };
}

const execute = promisify(execFile);
/** `cp` copies the many small files of git ten times as fast as node. */
const copy = (from: string, to: string) => execute("cp", ["-a", from, to]);
const deadlineMs = 120_000;

interface ProgramOptions extends CallOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** A program with arguments that starts node; `node` are arguments of node. */
  readonly through?: readonly string[];
  readonly node?: readonly string[];
}

/** Starts the built program with exactly this environment. */
export function callProgram(
  args: readonly string[],
  { cwd, env, interruptAt, during, through = [], node = [] }: ProgramOptions,
): Promise<CallResult> {
  return new Promise((resolve, reject) => {
    const program = [process.execPath, ...node, packageRoot("dist/bin/mettle.js"), ...args];
    const [file = "", ...argv] = [...through, ...program];
    const child = spawn(file, argv, {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const deadline = setTimeout(() => child.kill("SIGKILL"), deadlineMs);
    const printed = { stdout: "", stderr: "" };
    let acted: Promise<unknown> | null = null;
    const seen = interruptAt ?? during?.seen;
    const look = () => {
      if (seen === undefined || acted || !`${printed.stdout}${printed.stderr}`.includes(seen)) return;
      if (during) acted = during.act(() => void child.kill("SIGINT"));
      // The output precedes the awaited state by a moment.
      else acted = new Promise((resolve) => setTimeout(() => resolve(child.kill("SIGINT")), 300));
    };
    child.stdout.on("data", (chunk: Buffer) => {
      printed.stdout += chunk.toString("utf8");
      look();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      printed.stderr += chunk.toString("utf8");
      look();
    });
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(deadline);
      Promise.resolve(acted).then(() => resolve({ code, ...printed }), reject);
    });
  });
}

export const crash: TurnFile = { does: [{ crash: 3 }] };
export const hang: TurnFile = { does: [{ hang: true }] };
export const questions = ["Q1", "Q2", "Q3", "Q4", "Q5"].map((id) => `${id}=as the task says`);
