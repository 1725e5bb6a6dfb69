/** Runs one command as proof: `head -n 20 FILE`, `git hash-object FILE`. Never uses a shell. */
import { join } from "node:path";
import { headTailBuffer } from "../../process/head-tail-buffer.ts";
import { run, type RunResult, type RunOptions } from "../../process/run.ts";
import { draftOfRun, type RecordDraft } from "../draft.ts";
import type { ProofPorts } from "../ports.ts";

export interface CommandRequest {
  readonly ports: ProofPorts;
  readonly purpose: string;
  /** The program first. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly commit?: string;
  readonly tree?: string;
}

export interface CommandResult {
  readonly ran: RunResult;
  /** Both streams interleaved, unmodified. */
  readonly output: string;
  readonly draft: RecordDraft;
}

export async function executeCommand({
  ports,
  purpose,
  argv,
  cwd,
  commit,
  tree,
}: CommandRequest): Promise<CommandResult> {
  const [program = "", ...args] = argv;
  const env = {
    PATH: [ports.repository.path, systemPath].join(":"),
    HOME: join(cwd, ".nowhere"),
    LC_ALL: "C.UTF-8",
  };
  const { ran, output } = await runWithOutput(program, args, {
    cwd,
    env,
    timeoutMs: ports.timeoutMs,
    ...abortedBy(ports),
  });
  const started = { purpose, argv, cwd, env, commit: commit ?? null, tree: tree ?? null };
  return { ran, output, draft: await draftOfRun(ports, started, ran, output) };
}

export const systemPath = "/usr/local/bin:/usr/bin:/bin";

/** Runs a program and keeps both output streams interleaved, as a terminal shows them. */
export async function runWithOutput(
  file: string,
  argv: readonly string[],
  options: RunOptions,
): Promise<{ readonly ran: RunResult; readonly output: string }> {
  const kept = headTailBuffer(8 * 1024 * 1024);
  const keep = (chunk: Buffer) => kept.push(chunk);
  const onStdout = (chunk: Buffer) => {
    keep(chunk);
    options.onStdout?.(chunk);
  };
  const ran = await run(file, argv, { ...options, onStdout, onStderr: keep });
  return { ran, output: kept.contents().toString("utf8") };
}

export function abortedBy({ signal }: ProofPorts): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
