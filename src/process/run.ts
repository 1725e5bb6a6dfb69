import { spawn, type ChildProcess } from "node:child_process";
import { systemClock } from "../lib/clock.ts";
import { headTailBuffer } from "./head-tail-buffer.ts";
import { deadline } from "./deadline.ts";
import { markedCall } from "./mark-child.ts";
import {
  terminate,
  groupExists,
  killAll,
  markerVariable,
  newMarker,
  treeOf,
  killNow,
  type ProcessTree,
} from "./tree.ts";
import { onEndSignal } from "./end-signals.ts";

export interface RunOptions {
  readonly cwd: string;
  /** The whole environment; nothing is inherited. `run` adds a marker that finds left-over processes. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Maximum time without output. */
  readonly idleMs?: number;
  readonly input?: string | Uint8Array;
  /** Receives a function that writes to standard input, which stays open. */
  readonly onOpen?: (write: (text: string) => void) => void;
  /** Called after `idleMs` without output; true: the program is working, wait on. */
  readonly busy?: () => boolean;
  /** Bytes kept of stdout and of stderr each (head and tail). Default 8 MiB. */
  readonly keepBytes?: number;
  readonly signal?: AbortSignal;
  /** The program leaves no daemon (git without hooks): after a normal exit only its process group is checked, not /proc. */
  readonly trusted?: boolean;
  /** Called with each chunk as it arrives. */
  readonly onStdout?: (chunk: Buffer) => void;
  readonly onStderr?: (chunk: Buffer) => void;
}

export interface RunResult {
  /** Null: ended by a signal. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  /** The timeout was the idle limit. */
  readonly idle: boolean;
  readonly aborted: boolean;
  /** Error code, if the program could not be started (ENOENT, EACCES …). */
  readonly failedToStart: string | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  /** Milliseconds since the epoch. */
  readonly started: number;
  readonly ended: number;
  /** Process ids that SIGKILL did not end in time; missing: none. */
  readonly survivors?: readonly number[];
}

const defaultKeepBytes = 8 * 1024 * 1024;
const graceMs = 3_000;
const killMs = 5_000;
/** Wait for pipes that an escaped process holds, and for a process that cannot be killed. */
const pipeGraceMs = 1_000;

/** Runs a program without a shell, and resolves when its whole process tree has ended. Never rejects. */
export async function run(file: string, argv: readonly string[], options: RunOptions): Promise<RunResult> {
  const started = systemClock.now();
  const stdout = headTailBuffer(options.keepBytes ?? defaultKeepBytes);
  const stderr = headTailBuffer(options.keepBytes ?? defaultKeepBytes);
  const result = (facts: Partial<RunResult>): RunResult => ({
    exitCode: null,
    signal: null,
    timedOut: false,
    idle: false,
    aborted: false,
    failedToStart: null,
    stdout: stdout.contents(),
    stderr: stderr.contents(),
    stdoutBytes: stdout.bytes(),
    stderrBytes: stderr.bytes(),
    started,
    ended: systemClock.now(),
    ...facts,
  });

  if (options.signal?.aborted === true) return result({ aborted: true });
  const { marker, value } = newMarker();
  const env = { ...options.env, [markerVariable]: value };
  const plain = { file, argv };
  const call =
    options.trusted === true
      ? plain
      : markedCall(plain, { path: options.env["PATH"] ?? "", cwd: options.cwd });
  watchOwnEnd();
  const launched = await launch(call.file, call.argv, { ...options, env });
  if (launched.type === "failed") return result({ failedToStart: launched.code });

  const { child, pid, exited, closed } = launched;
  const tree = treeOf(pid, marker);
  const untrack = trackTree(tree);
  const limit = deadline(options);
  child.stdout?.on("data", (chunk: Buffer) => {
    limit.touch();
    stdout.push(chunk);
    options.onStdout?.(chunk);
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    limit.touch();
    stderr.push(chunk);
    options.onStderr?.(chunk);
  });
  // The program may end without reading its input.
  child.stdin?.on("error", () => {});
  if (options.onOpen === undefined) child.stdin?.end(options.input);
  else {
    child.stdin?.write(options.input ?? "");
    options.onOpen((text) => child.stdin?.write(text));
  }

  const first = await Promise.race([exited, limit.expired]);
  const reason = typeof first === "string" ? first : null;
  if (reason !== null) await terminate(tree, graceMs);
  const isClean = reason === null && options.trusted === true && !groupExists(pid);
  const survivors = isClean ? [] : await killAll(tree, killMs);
  limit.clear();
  untrack();

  const exit = await withTimeout(exited, pipeGraceMs);
  if ((await withTimeout(closed, pipeGraceMs)) === null) {
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
  return result({
    exitCode: exit?.exitCode ?? null,
    signal: exit?.signal ?? null,
    timedOut: reason === "wall" || reason === "idle",
    idle: reason === "idle",
    aborted: reason === "abort",
    ...(survivors.length > 0 && { survivors }),
  });
}

interface Exit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

type LaunchResult =
  | { readonly type: "failed"; readonly code: string }
  | {
      readonly type: "started";
      readonly child: ChildProcess;
      readonly pid: number;
      readonly exited: Promise<Exit>;
      /** Resolves when the process has exited and both pipes are closed. */
      readonly closed: Promise<true>;
    };

async function launch(file: string, argv: readonly string[], options: RunOptions): Promise<LaunchResult> {
  try {
    const child = spawn(file, argv, {
      cwd: options.cwd,
      env: options.env,
      shell: false,
      detached: true,
      stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    });
    const exited = new Promise<Exit>((resolve) =>
      child.once("exit", (exitCode, signal) => resolve({ exitCode, signal })),
    );
    const closed = new Promise<true>((resolve) => child.once("close", () => resolve(true)));
    const failed = new Promise<unknown>((resolve) => child.on("error", resolve));
    if (child.pid === undefined) return { type: "failed", code: codeOf(await failed) };
    return { type: "started", child, pid: child.pid, exited, closed };
  } catch (error) {
    return { type: "failed", code: codeOf(error) };
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : String(error);
}

async function withTimeout<Value>(promise: Promise<Value>, timeoutMs: number): Promise<Value | null> {
  const timer = new AbortController();
  const late = systemClock.sleep(timeoutMs, timer.signal).then(() => null);
  const value = await Promise.race([promise, late]);
  timer.abort();
  return value;
}

/** The running trees. They end with this process, whichever signal ends it. */
const live = new Set<ProcessTree>();
let watching = false;

/** Called before the first program starts. */
function watchOwnEnd(): void {
  if (watching) return;
  watching = true;
  process.on("exit", () => live.forEach(killNow));
  const stop = onEndSignal((signal) => {
    // Another listener ends the process in its own order.
    if (process.listenerCount(signal) > 1) return;
    live.forEach(killNow);
    stop();
    process.kill(process.pid, signal);
  });
}

function trackTree(tree: ProcessTree): () => void {
  live.add(tree);
  return () => live.delete(tree);
}
