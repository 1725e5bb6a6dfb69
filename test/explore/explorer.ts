/**
 * Drives a run through its routes by the program alone: agents play the test's turns for each state, and a person gives
 * each printed answer of each question in turn, by the printed command.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stringify } from "yaml";
import type { Command } from "../../src/kernel/command.ts";
import type { WaitingAsk, RunStatus } from "../../src/views/run/status.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { callIn, type InProcessResult } from "../cli/here.ts";
import { createWorld, eventsOf, type TurnFile, type World } from "../orchestrate/world.ts";
import { newFolder } from "../support/folder.ts";

/** One turn of an agent; with `crash` it exits with that code and reports nothing. */
export type Move = Pick<TurnFile, "does" | "report"> & { readonly crash?: number };

/** By the path or the name of a state. */
export type Moves = Readonly<Record<string, readonly Move[]>>;

export function reports(status: string, payload?: unknown): Move {
  return { report: { status, message: `${status} it is`, ...(payload === undefined ? {} : { payload }) } };
}

export const crash: Move = { does: [{ say: "I fall over" }], crash: 3 };

export interface ExploreOptions {
  readonly files: Readonly<Record<string, string>>;
  /** From the path of the repository. */
  readonly moves: Moves | ((repository: string) => Moves);
  /** Arguments of `mettle run`. */
  readonly start: readonly string[];
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Replaces the dots and names in a printed command. */
  readonly words?: Readonly<Record<string, string>>;
  /** Maximum number of the person's commands; then `mettle abort`. */
  readonly maxCommands?: number;
  /** Which printed answer a question gets first: 0, or another number for another order. */
  readonly order?: number;
}

export interface ExploreResult {
  readonly world: World;
  readonly run: string;
  readonly status: RunStatus;
  /** `ask text: command` for each given answer. */
  readonly given: readonly string[];
  /** `state outcome` of each result. */
  readonly results: ReadonlySet<string>;
  /** Each unexpected observation; empty if all is well. */
  readonly faults: readonly string[];
  readonly log: string;
}

const brain = fileURLToPath(new URL("brain.mjs", import.meta.url));

export async function explore(options: ExploreOptions): Promise<ExploreResult> {
  const folder = newFolder();
  const settings = {
    version: 1,
    agents: { default: "brain", commands: { brain: { run: [process.execPath, brain, folder] } } },
    ...options.settings,
  };
  const world = await createWorld({ ...options.files, "mettle.yaml": stringify(settings) });

  const moves = typeof options.moves === "function" ? options.moves(world.repository.dir) : options.moves;
  await writeFile(join(folder, "moves.json"), JSON.stringify(moves));
  const person = new Person((args) => callIn(world, args), options);
  const run = await person.start();
  await person.answerAll(run);
  const status = await person.status(run);
  const events = (await world.host.journal.read(run)).map(recorded);
  const states = new Map(
    eventsOf(events, "command.issued").map(({ key, command }) => [key, (command as Command).state]),
  );
  const results = eventsOf(events, "result").map(
    ({ key, outcome }) => `${states.get(key) ?? key} ${outcome}`,
  );
  const log = await readFile(join(folder, "log"), "utf8").catch(() => "");
  if (process.env["SHOW"]) console.log(log, person.given.join("\n"), [...new Set(results)].join("\n"));
  const unplayed = await unplayedMoves(folder, moves);
  return {
    world,
    run,
    status,
    given: person.given,
    results: new Set(results),
    faults: [...person.faults, ...unplayed],
    log,
  };
}

/** Moves that no agent reached. */
async function unplayedMoves(folder: string, moves: Moves): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".times"));
  const times = new Map<string, number>();
  for (const name of names) {
    const place = name.replace(/\.times$/u, "").replaceAll("+", "/");
    const of = Object.hasOwn(moves, place) ? place : (place.split("/").at(-1) ?? "");
    times.set(of, Math.max(times.get(of) ?? 0, (await readFile(join(folder, name), "utf8")).length));
  }
  return Object.entries(moves).flatMap(([place, { length }]) => {
    const count = times.get(place) ?? 0;
    return count < length ? [`${place}: only ${count} of ${length} moves were played`] : [];
  });
}

type PersonOptions = Pick<ExploreOptions, "start" | "words" | "maxCommands" | "order">;

/** Starts a run and gives each printed answer of each question in turn. */
export class Person {
  readonly given: string[] = [];
  readonly faults: string[] = [];
  readonly #times = new Map<string, number>();
  readonly #type: (args: readonly string[]) => Promise<InProcessResult>;
  readonly options: PersonOptions;

  /** @param type types a command of `mettle` */
  constructor(type: (args: readonly string[]) => Promise<InProcessResult>, habits: PersonOptions) {
    this.#type = type;
    this.options = habits;
  }

  async start(): Promise<string> {
    const { json } = await this.#call(["run", ...this.options.start]);
    return String(json["run"]);
  }

  async status(run: string): Promise<RunStatus> {
    const { json } = await this.#call(["status", run]);
    const [status] = json["runs"] as RunStatus[];
    if (!status) throw new Error(`no status of ${run}`);
    return status;
  }

  async answerAll(run: string): Promise<void> {
    const { maxCommands = 60 } = this.options;
    for (let n = 0; ; n++) {
      const { status, waiting } = await this.status(run);
      if (["complete", "halted", "failed"].includes(status)) return;
      const [ask] = waiting;
      if (ask === undefined) return void this.faults.push(`${run} is ${status} and waits for nothing`);
      if (n >= maxCommands) return void (await this.#call(["abort", run]));
      this.#judge(ask);
      await this.#answer(run, ask);
    }
  }

  /** Each answer that the protocol has for a question must have a command. */
  #judge({ text, answers, commands }: WaitingAsk): void {
    const missing = answersWithoutCommand(answers, commands);
    if (missing.length > 0) this.faults.push(`"${text}" has no command for ${missing.join(", ")}`);
  }

  async #answer(run: string, ask: WaitingAsk): Promise<void> {
    const commands = ask.commands.filter((command) => !command.startsWith("mettle abort"));
    const { order = 0, words = {} } = this.options;
    const time = this.#times.get(ask.text) ?? 0;
    this.#times.set(ask.text, time + 1);
    const printed = commands[(time + order) % commands.length] ?? "";
    this.given.push(`${ask.text}: ${printed.replaceAll(run, "RUN")}`);
    let called = await this.#call(filled(printed, words));
    // The answer is saved in a file of the plan, and the next command reads it.
    if (ask.kind === "plan_gate")
      for (const then of commands.slice(1)) called = await this.#call(filled(then, words));
    const after = await this.status(run);
    if (after.waiting.some(({ key }) => key === ask.key))
      this.faults.push(`"${ask.text}" still waits after ${printed}: ${called.text}`);
  }

  async #call(
    args: readonly string[],
  ): Promise<{ readonly json: Record<string, unknown>; readonly text: string }> {
    const { code, stdout, stderr } = await this.#type([...args, "--json"]);
    if (process.env["SHOW"]) console.log(`mettle ${args.join(" ")}: ${code}\n${stderr}`);
    const json = JSON.parse(stdout) as Record<string, unknown>;
    const error = json["error"] as { code: string; message: string } | undefined;
    const isPause = code === 5 && json["run"] !== undefined;
    if (error !== undefined && !isPause)
      this.faults.push(`mettle ${args.join(" ")}: error[${error.code}]: ${error.message}`);
    return { json, text: stderr };
  }
}

/** Answers of a question without a printed command. */
export function answersWithoutCommand(
  answers: readonly string[],
  commands: readonly string[],
): readonly string[] {
  const names = commands.map((command) => answerOf(command, answers));
  return answers.filter((answer) => !names.includes(answer));
}

/** The answer that a printed command gives. */
function answerOf(command: string, answers: readonly string[]): string | undefined {
  const [, verb = ""] = command.split(" ");
  if (answers.includes(verb)) return verb;
  const option = /--(reset|context|approach) /u.exec(command)?.[1];
  if (option !== undefined) return option;
  return (
    answers.find((answer) => command.split(" ").includes(answer)) ??
    answers.find((answer) => isText(answer, command))
  );
}

function isText(answer: string, command: string): boolean {
  if (answer === "given") return command.startsWith("mettle answer") && command.includes(" --set ");
  return ["answer", "answered"].includes(answer) && command.startsWith("mettle answer");
}

/** The words of a command line, as a shell splits them. */
function filled(command: string, words: Readonly<Record<string, string>>): readonly string[] {
  const parts = command.match(/(?:[^\s"]|"[^"]*")+/gu) ?? [];
  return parts.slice(1).map((part) => {
    const text = part.replaceAll('"', "").replaceAll("…", "as you think best");
    return words[text] ?? text;
  });
}
