/**
 * Reads objects and refs through one `git cat-file` process per repository, which ends when it is idle. Each request reads
 * the current state.
 */
import { AppError } from "../../lib/errors.ts";
import { startCoprocess } from "../../process/coprocess.ts";
import { gitCommand, defaultTimeoutMs, gitFailed, gitMissing, blockedByPipe, type GitPlace } from "../git.ts";
import { inStore, type Repository } from "../repository.ts";
import { watchForPipes } from "../checkout/pipe-watch.ts";

export interface FoundObject {
  readonly id: string;
  /** `blob`, `tree`, `commit` or `tag`. */
  readonly type: string;
  /** Empty for `findObjects`. */
  readonly content: Buffer;
}

/** Finds objects by id, full ref or another one-line name, in the order of the names; null for an unknown name. */
export function findObjects(
  repository: Repository,
  names: readonly string[],
): Promise<readonly (FoundObject | null)[]> {
  return ask(repository, names, "info");
}

/** Like `findObjects`, with content. */
export function readObjects(
  repository: Repository,
  names: readonly string[],
): Promise<readonly (FoundObject | null)[]> {
  return ask(repository, names, "contents");
}

export function unreadable(id: string): AppError {
  return new AppError("git_failed", `object ${id} cannot be read`, {
    hint: "Check the repository with `git fsck`.",
  });
}

type RequestType = "info" | "contents";

async function ask(repository: Repository, names: readonly string[], requestType: RequestType) {
  const reader = readerOf(repository);
  const answers = names.map((name) =>
    /[\0\n]/u.test(name) ? Promise.resolve(null) : reader.ask(requestType, name),
  );
  return Promise.all(answers);
}

interface Reader {
  ask(question: RequestType, name: string): Promise<FoundObject | null>;
  end(): void;
}

const idleMs = 10_000;
const maxReaders = 4;
const readers = new Map<string, Reader>();

function readerOf(repository: Repository): Reader {
  const key = `${repository.path}\n${repository.gitDir}`;
  const known = readers.get(key);
  if (known !== undefined) return known;
  for (const [oldest, reader] of readers) {
    if (readers.size < maxReaders) break;
    readers.delete(oldest);
    reader.end();
  }
  const reader = openReader(repository, () => {
    if (readers.get(key) === reader) readers.delete(key);
  });
  readers.set(key, reader);
  return reader;
}

interface PendingRequest {
  readonly question: RequestType;
  readonly resolve: (found: FoundObject | null) => void;
  readonly reject: (error: AppError) => void;
}

const args = ["cat-file", "--batch-command"];
const noAnswer = { exitCode: -1, stdout: Buffer.alloc(0) };

/** @param retire called when the reader must not be used any more */
function openReader(repository: Repository, retire: () => void): Reader {
  const place = inStore(repository);
  const { argv, env } = gitCommand(place, args);
  const waiting: PendingRequest[] = [];
  const git = startCoprocess("git", argv, {
    cwd: place.cwd,
    env,
    onOutput: parseAnswers({
      hasContent: () => waiting[0]?.question === "contents",
      answered(found) {
        waiting.shift()?.resolve(found);
        if (waiting.length === 0) becomeIdle();
      },
    }),
    onEnd({ stderr, failedToStart }) {
      fail(failedToStart === null ? gitFailed(args, { ...noAnswer, stderr }) : gitMissing(failedToStart));
    },
  });
  let idle: NodeJS.Timeout | undefined;
  let watch: Watch | undefined;
  function end(): void {
    retire();
    if (waiting.length === 0) git.end();
  }
  function fail(error: AppError): void {
    retire();
    watch?.stop();
    clearTimeout(idle);
    git.kill();
    for (const { reject } of waiting.splice(0)) reject(error);
  }
  function becomeIdle(): void {
    watch?.stop();
    git.setAwaited(false);
    idle = setTimeout(end, idleMs).unref();
  }
  function becomeBusy(): void {
    clearTimeout(idle);
    git.setAwaited(true);
    watch = watchForHang(place, fail);
  }
  return {
    ask: (question, name) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) becomeBusy();
        waiting.push({ question, resolve, reject });
        git.write(`${question} ${name}\n`);
      }),
    end,
  };
}

interface Watch {
  stop(): void;
}

/** Watches all pending requests together. */
function watchForHang(place: GitPlace, fail: (error: AppError) => void): Watch {
  const pipes = watchForPipes({ workTree: place.cwd, gitDir: place.gitDir, home: undefined });
  pipes.signal.addEventListener("abort", () => fail(blockedByPipe(args, pipes.found() ?? "")), {
    once: true,
  });
  const stderr = "it took too long and was stopped";
  const timer = setTimeout(() => fail(gitFailed(args, { ...noAnswer, stderr })), defaultTimeoutMs);
  return {
    stop() {
      pipes.stop();
      clearTimeout(timer);
    },
  };
}

interface AnswerHandler {
  /** Whether content follows the next object line. */
  hasContent(): boolean;
  answered(found: FoundObject | null): void;
}

/** Parses output incrementally. */
function parseAnswers({ hasContent, answered }: AnswerHandler): (chunk: Buffer) => void {
  let chunks: Buffer[] = [];
  let buffered = 0;
  let needed = 0;
  return (chunk) => {
    chunks.push(chunk);
    buffered += chunk.length;
    if (buffered < needed) return;
    let rest = Buffer.concat(chunks);
    needed = 0;
    for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n")) {
      const [, id, type = "", size = ""] = found.exec(rest.toString("latin1", 0, end)) ?? [];
      const length = id === undefined || !hasContent() ? 0 : Number(size) + 1;
      const next = end + 1 + length;
      if (rest.length < next) {
        needed = next;
        break;
      }
      const content = rest.subarray(end + 1, length === 0 ? end + 1 : next - 1);
      rest = rest.subarray(next);
      answered(id === undefined ? null : { id, type, content });
    }
    chunks = [rest];
    buffered = rest.length;
  };
}

/** Other lines mean that the name is missing or ambiguous. */
const found = /^([0-9a-f]{40,64}) (blob|tree|commit|tag) (\d+)$/u;
