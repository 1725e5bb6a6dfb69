/**
 * A session of Claude Code for tests: calls the referee as `mettle mcp` does, and `mettle hook` with recorded inputs of a real
 * session (claude.json).
 */
import { spawn } from "node:child_process";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { packageRoot } from "../../src/config/package-root.ts";
import { currentProcess } from "../../src/config/owner.ts";
import type { Recorded } from "../../src/log/run-event.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { answerInput, recordFailure } from "../../src/hook/answer-input.ts";
import { refereeOf, type Referee } from "../../src/referee/referee.ts";
import type { NextStep } from "../../src/referee/advance.ts";
import { callHere } from "../cli/here.ts";
import { createCyclesWorld, oneCycle, type CyclesCassette, type Role } from "../cycles/world.ts";
import { seatByProgram, type ProgramSeat } from "../cycles/referee-world.ts";
import { createWorld, golden, type TurnFile, type World } from "../orchestrate/world.ts";

interface Recordings {
  readonly inputs: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
const recordings = JSON.parse(await readFile(packageRoot("test/hooks/claude.json"), "utf8")) as Recordings;

export interface HookAnswer {
  readonly code: number | null;
  readonly stdout: string;
  /** Reason of the refusal; null: the call passes. */
  readonly denied: string | null;
  /** Message for the person. */
  readonly hint: string | null;
  /** Additional context for the model. */
  readonly context: string | null;
  /** Reason why the session may not end. */
  readonly held: string | null;
}

export type DispatchStep = Extract<NextStep, { type: "dispatch" }>;

export interface Hooks {
  /** Answers a recorded input, with some keys replaced, in this process. */
  hook(name: string, more?: Readonly<Record<string, unknown>>): Promise<HookAnswer>;
  /** The same, by the built program. */
  hookByProgram(name: string, more?: Readonly<Record<string, unknown>>): Promise<HookAnswer>;
  /** Passes any text on standard input. */
  pipe(input: string, argv?: readonly string[], env?: Readonly<Record<string, string>>): Promise<HookAnswer>;
}

export interface HookSession extends Hooks {
  readonly world: World;
  readonly referee: Referee;
  readonly id: string;
  /** Binds this session to the run, as after a call of the referee. */
  bind(): Promise<void>;
  next(): Promise<DispatchStep>;
  events(): Promise<readonly Recorded[]>;
  /** Plays the roles of the cassette until a dispatch line begins with `start`. */
  playTo(start: string): Promise<DispatchStep>;
}

const id = "c6b9af29-bc5e-4274-bae5-b9bc8ea5a768";

/** Calls `mettle hook` in a world's repository, as a session does. */
export function hooksIn(world: World): Hooks {
  const once = async (input: string, argv: readonly string[], env: object): Promise<HookAnswer> => {
    // Like a session, it does not end processes that a hook leaves running.
    const child = spawn(process.execPath, [packageRoot("dist/bin/mettle.cjs"), "hook", ...argv], {
      cwd: world.repository.dir,
      env: { ...world.env, ...env },
      stdio: ["pipe", "pipe", "ignore"],
      timeout: 20_000,
    });
    child.stdin.on("error", () => undefined).end(input);
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
    const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
    return answered(code, stdout);
  };
  const pipe = async (input: string, argv: readonly string[] = [], env = {}): Promise<HookAnswer> => {
    for (let left = 5; ; left -= 1) {
      const began = performance.now();
      const answer = await once(input, argv, env);
      const isCut = answer.stdout === "" || answer.context?.includes("in time.") === true;
      // On a busy machine a hook may reach its time limit without an answer.
      if (left === 0 || !isCut || performance.now() - began < 1_650) return answer;
    }
  };
  const inputOf = (name: string, more: object) =>
    JSON.stringify({ ...recordings.inputs[name], ...more })
      .replaceAll("{{checkout}}", world.repository.dir)
      .replaceAll("{{home}}", world.home)
      .replaceAll("{{session}}", id);
  const { env } = world;
  return {
    hook: async (name, more = {}) => {
      let printed = "";
      const call = async () => {
        try {
          printed = await answerInput(inputOf(name, more), []);
        } catch (error) {
          recordFailure(error);
        }
        return 0;
      };
      const { code } = await callHere([], { cwd: world.repository.dir, env }, call);
      return answered(code, printed);
    },
    hookByProgram: (name, more = {}) => pipe(inputOf(name, more)),
    pipe,
  };
}

/** A user's session of Orchestrate: its hooks, and its memory tools by the built program. */
export async function openOrchestrateSession(): Promise<{
  readonly world: World;
  readonly session: Hooks;
  readonly seat: ProgramSeat;
}> {
  const world = await createWorld();
  const agent = await world.agent(await golden());
  await world.repository.write({ "mettle.yaml": `version: 1\nagents: { default: "${agent}" }\n` });
  const seat = await seatByProgram(world);
  return { world, session: hooksIn(world), seat };
}

/** Appends a model message with this context usage to the transcript, in the format of Claude Code. */
export async function usesContext(
  world: World,
  tokens: number,
  { model = "claude-sonnet-4-5", isSidechain = false }: { model?: string; isSidechain?: boolean } = {},
): Promise<void> {
  const file = join(world.home, ".claude/projects/-checkout", `${id}.jsonl`);
  await mkdir(dirname(file), { recursive: true });
  const usage = {
    input_tokens: 10,
    cache_creation_input_tokens: 4,
    cache_read_input_tokens: tokens - 20,
    output_tokens: 6,
  };
  const assistantEntry = { type: "assistant", isSidechain, message: { role: "assistant", model, usage } };
  const userEntry = { type: "user", message: { role: "user", content: '"assistant" "usage"' } };
  await appendFile(file, [assistantEntry, userEntry].map((entry) => `${JSON.stringify(entry)}\n`).join(""));
}

export async function openSession(
  protocol: "riper" | "dptr",
  files: Readonly<Record<string, string>> = {},
): Promise<HookSession> {
  const settings = `version: 1\nsession: { protocol: ${protocol} }\n`;
  const world = await createCyclesWorld({ "mettle.yaml": settings, ...files });
  const referee = refereeOf(world.host, currentProcess());
  const cassette = await oneCycle();

  const { pipe, hook, hookByProgram } = hooksIn(world);
  const next = async () => {
    const standing = await referee.next();
    if (standing.type !== "dispatch") throw new Error(`no dispatch: ${JSON.stringify(standing)}`);
    return standing;
  };
  return {
    world,
    referee,
    id,
    hook,
    hookByProgram,
    pipe,
    next,
    async bind() {
      await hook("PostToolUse:mcp__mettle__status", { tool_name: "mcp__mettle__next" });
    },
    async events() {
      const newest = (await world.host.journal.runs()).at(-1) ?? "";
      return (await world.host.journal.read(newest)).map(recorded);
    },
    async playTo(start) {
      for (;;) {
        const at = await next();
        if (at.line.startsWith(start) || new RegExp(`P:${start}[,\\]]`, "u").test(at.line)) return at;
        const turn = turnOf(cassette, at.role as Role);
        await work(world, turn);
        const { status = "", ...report } = turn.report ?? {};
        await referee.report({ status, ...report });
      }
    },
  };
}

function turnOf(cassette: CyclesCassette, role: Role): TurnFile {
  const turns = cassette.roles[role];
  return (turns.length > 1 ? turns.shift() : turns[0]) ?? {};
}

interface Step {
  readonly write?: { readonly path: string; readonly content: string };
}

async function work(world: World, { does = [] }: TurnFile): Promise<void> {
  for (const { write } of does as Step[]) {
    if (write === undefined) continue;
    const file = join(world.repository.dir, write.path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, write.content);
  }
}

interface Output {
  readonly decision?: string;
  readonly reason?: string;
  readonly systemMessage?: string;
  readonly hookSpecificOutput?: {
    readonly permissionDecision?: string;
    readonly permissionDecisionReason?: string;
    readonly additionalContext?: string;
  };
}

function answered(code: number | null, stdout: string): HookAnswer {
  const {
    decision,
    reason,
    systemMessage,
    hookSpecificOutput: own = {},
  } = JSON.parse(stdout === "" ? "{}" : stdout) as Output;
  return {
    code,
    stdout,
    denied: own.permissionDecision === "deny" ? (own.permissionDecisionReason ?? "") : null,
    hint: systemMessage ?? null,
    context: own.additionalContext ?? null,
    held: decision === "block" ? (reason ?? "") : null,
  };
}
