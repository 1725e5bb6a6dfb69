/**
 * One repository and its state home that can be put back to how they were: a run is taken to each of its states once, and
 * every command is then called in whichever state it speaks of: by the built program, or by `here.ts` where the start of a
 * program adds nothing to what is looked at.
 */
import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { stringify } from "yaml";
import { packageRoot } from "../../src/config/package-root.ts";
import { createRepository, type TempRepository } from "../../src/testing/temp-repository.ts";
import { golden, untestedFiles, type TurnFile } from "../orchestrate/world.ts";
import { callHere, type Surroundings } from "./here.ts";

export interface Called {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CallOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Sends SIGINT once this stands in what was printed. */
  readonly interruptAt?: string;
  /** Runs once this stands in what was printed; may send SIGINT. */
  readonly during?: { readonly seen: string; readonly act: (interrupt: () => void) => Promise<unknown> };
}

/** Role -> its turns; the others play what leads to a finished run. */
export type Roles = Readonly<Record<string, readonly TurnFile[]>>;

export interface Stage {
  readonly repository: TempRepository;
  /** HOME and METTLE_HOME of every call. */
  readonly home: string;
  /** `scripted:FILE`, whose file `play` writes. */
  readonly agent: string;
  play(roles?: Roles): Promise<void>;
  /** The built program. */
  call(args: readonly string[], options?: CallOptions): Promise<Called>;
  /** The same in this process. */
  here(args: readonly string[], options?: Partial<Surroundings>): Promise<Called>;
  save(name: string): Promise<void>;
  restore(name: string): Promise<void>;
  remove(): Promise<void>;
}

export async function createStage(files?: Readonly<Record<string, string>>): Promise<Stage> {
  const repository = await createRepository({ files: files ?? (await untestedFiles()) });
  const home = await mkdtemp(join(tmpdir(), "mettle-stage-home-"));
  const saved = await mkdtemp(join(tmpdir(), "mettle-stage-saved-"));
  const file = join(home, "cassette.yaml");
  const cassette = await golden();
  const places = [
    { dir: repository.dir, name: "repository" },
    { dir: home, name: "home" },
  ];
  const surroundings = ({ cwd = repository.dir, env = {} }: Partial<Surroundings>): Surroundings => ({
    cwd,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      METTLE_HOME: join(home, "state"),
      METTLE_SANDBOX: "off",
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
    async remove() {
      await repository.remove();
      for (const dir of [home, saved]) await rm(dir, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

const execute = promisify(execFile);
/** By a program of the system, which copies the thousand small files of git ten times as fast as node does. */
const copy = (from: string, to: string) => execute("cp", ["-a", from, to]);
const deadlineMs = 120_000;

interface ProgramOptions extends CallOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** A program with its arguments that starts node, and what node is given before the program. */
  readonly through?: readonly string[];
  readonly node?: readonly string[];
}

/** Starts the built program with this environment and nothing else of it. */
export function callProgram(
  args: readonly string[],
  { cwd, env, interruptAt, during, through = [], node = [] }: ProgramOptions,
): Promise<Called> {
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
      // What is waited for is said just before it is there.
      else acted = new Promise((told) => setTimeout(() => told(child.kill("SIGINT")), 300));
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
