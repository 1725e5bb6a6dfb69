/**
 * A world for whole-run tests: a real repository and state home, a cassette made from the demo's golden one, and two
 * ways in: the runtime in this process, and the built program. Nothing is mocked.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import type { AskCommand } from "../../src/kernel/command.ts";
import type { Recorded } from "../../src/log/run-event.ts";
import { packageRoot } from "../../src/config/package-root.ts";
import { shippedFamilies } from "../../src/families/families.ts";
import type { Families, FamilyRun } from "../../src/family/family.ts";
import { standIn } from "../../src/cli/demo/world.ts";
import { drive, type DriveEnd } from "../../src/engine/drive.ts";
import { withExecutor, openHost, type OpenHost } from "../../src/run/host.ts";
import { finishRun, prepareRun } from "../../src/engine/lifecycle.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { openRun } from "../../src/families/open-run.ts";
import type { Settlement } from "../../src/run/settlement.ts";
import type { StartOptions } from "../../src/family/start-options.ts";
import { startRun } from "../../src/engine/start/start-run.ts";
import { afterFile, newFolder } from "../support/folder.ts";
import { createRepository, type TempRepository } from "../support/repository.ts";
import { runMettle } from "../support/mettle.ts";
import { executeOnce } from "../support/executed-once.ts";

/** One turn of a cassette as YAML holds it; see docs/cassettes.md. */
export interface TurnFile {
  expects?: string[];
  forbids?: string[];
  does?: Record<string, unknown>[];
  report?: { status: string; message?: string; payload?: unknown };
  nudges?: {
    does?: Record<string, unknown>[];
    report?: { status: string; message?: string; payload?: unknown };
  }[];
  repeat?: boolean;
}
export interface CassetteFile {
  version: number;
  kind: string;
  about?: string;
  vendors?: Record<string, string>;
  roles: {
    intake: TurnFile[];
    planner: TurnFile[];
    tester: TurnFile[];
    coder: TurnFile[];
    gemini: TurnFile[];
    claude: TurnFile[];
  } & Record<string, TurnFile[]>;
}

export type Answer = (context: FamilyRun, ask: AskCommand) => Promise<Settlement | null>;

/** Answers questions and approves; everything else waits. */
export const answerAll: Answer = standIn;
/** Answers nothing. */
export const answerNone: Answer = () => Promise.resolve(null);
/** Answers questions and approves the gates named only. */
export function answerOnly(...states: readonly string[]): Answer {
  return (context, ask) => (states.includes(ask.state) ? standIn(context, ask) : Promise.resolve(null));
}

export interface DriveResult {
  readonly run: string;
  readonly end: DriveEnd;
  readonly context: FamilyRun;
  readonly events: readonly Recorded[];
}

export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The object of --json; throws if stdout is no JSON. */
  json(): Record<string, unknown>;
}

export interface World {
  readonly repository: TempRepository;
  /** METTLE_HOME. */
  readonly home: string;
  /** What a program of this world gets, and nothing else: PATH, HOME, METTLE_HOME and no sandbox. */
  readonly env: Readonly<Record<string, string>>;
  readonly host: OpenHost;
  /** Writes a cassette outside the repository and returns `scripted:FILE`. */
  agent(cassette: CassetteFile): Promise<string>;
  start(cassette: CassetteFile, options?: Partial<StartOptions>): Promise<string>;
  drive(run: string, answer?: Answer, signal?: AbortSignal): Promise<DriveResult>;
  /** Starts and drives. */
  go(cassette: CassetteFile, answer?: Answer, options?: Partial<StartOptions>): Promise<DriveResult>;
  /** Calls the built program in the repository with this world's state home and nothing else of the environment. */
  cli(
    args: readonly string[],
    options?: {
      readonly cwd?: string;
      readonly env?: Readonly<Record<string, string>>;
      readonly input?: string;
      /** Default: two minutes. */
      readonly timeoutMs?: number;
    },
  ): Promise<CliResult>;
}

let goldenFile: CassetteFile | undefined;

/** The demo's cassette with a coder that succeeds at the first attempt: the shortest way to `complete`. */
export async function golden(): Promise<CassetteFile> {
  goldenFile ??= parse(
    await readFile(packageRoot("protocols/orchestrate/demo/honest.yaml"), "utf8"),
  ) as CassetteFile;
  const cassette = structuredClone(goldenFile);
  const right = cassette.roles.coder.at(-1);
  return { ...cassette, roles: { ...cassette.roles, coder: [{ ...right, expects: [] }] } };
}

export async function demoFiles(): Promise<Record<string, string>> {
  const folder = packageRoot("protocols/orchestrate/demo/repository");
  const names = ["package.json", "README.md", "src/words.js", "test/words.test.js"];
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? ""]));
}

/** Without the demo project's own test: saves a process in each of the many test runs. */
export async function untestedFiles(): Promise<Record<string, string>> {
  const { "test/words.test.js": _, ...files } = await demoFiles();
  return files;
}

/**
 * Its agents are not confined: many of them write where none may, on purpose. What confines them is looked at in `test/sandbox`.
 * @param env variables that stand in for this process's
 */
export async function createWorld(
  files?: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
  families: Families = shippedFamilies,
): Promise<World> {
  const repository = await createRepository({ files: { ...(files ?? (await untestedFiles())) } });
  const home = newFolder();
  const variables = {
    METTLE_HOME: home,
    METTLE_SANDBOX: "off",
    METTLE_MUTATION_BUDGET: "0",
    METTLE_VERBOSE: "1",
    ...env,
  };
  const host = await withExecutor(executeOnce, () => openHost(repository.dir, variables));
  afterFile(() => host.journal.close());
  let cassettes = 0;

  const world: World = {
    repository,
    home,
    env: { PATH: process.env["PATH"] ?? "", HOME: home, ...variables },
    host,
    async agent(cassette) {
      cassettes += 1;
      const file = join(home, `cassette-${cassettes}.yaml`);
      await writeFile(file, stringify(cassette));
      return `scripted:${file}`;
    },
    async start(cassette, options = {}) {
      const { run } = await startRun(
        host,
        {
          task: "Add slugify(text)",
          protocol: "orchestrate",
          preapproved: [],
          demo: false,
          ...options,
          agents: { default: await world.agent(cassette), ...options.agents },
        },
        families,
      );
      return run;
    },
    async drive(run, answer = answerAll, signal = new AbortController().signal) {
      const context = await openRun(host, { run }, families);
      await prepareRun(context);
      const end = await drive(context, { signal, answer: (ask) => answer(context, ask) });
      await finishRun(context, end);
      const events = (await host.journal.read(run)).map(recorded);
      return { run, end, context, events };
    },
    async go(cassette, answer, options) {
      return world.drive(await world.start(cassette, options), answer);
    },
    cli(args, { cwd = repository.dir, env: more = {}, input, timeoutMs = 120_000 } = {}) {
      return runMettle(args, {
        cwd,
        env: { ...world.env, ...more },
        timeoutMs,
        ...(input === undefined ? {} : { input }),
      });
    },
  };
  return world;
}

/** Events of one type, in order. */
export function eventsOf<T extends Recorded["type"]>(
  events: readonly Recorded[],
  type: T,
): readonly Extract<Recorded, { type: T }>[] {
  return events.filter((event): event is Extract<Recorded, { type: T }> => event.type === type);
}

/** The phases that were entered, in order, each once in a row. */
export function phasesEntered(events: readonly Recorded[]): readonly string[] {
  const phases = eventsOf(events, "command.issued").flatMap((event) => {
    const command = event.command as { readonly phase?: string };
    return command.phase === undefined ? [] : [command.phase];
  });
  return phases.filter((phase, index) => phase !== phases[index - 1]);
}
