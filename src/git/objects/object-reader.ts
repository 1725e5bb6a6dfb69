/**
 * One git for each repository answers all questions about its objects and refs, as `git cat-file` does, and ends when nobody
 * has asked for a while. It reads what is there at the moment of the question.
 */
import { AppError } from "../../lib/errors.ts";
import { startCoprocess } from "../../process/coprocess.ts";
import { callOf, defaultTimeoutMs, gitFailed, gitMissing, waitsAtPipe, type GitPlace } from "../git.ts";
import { inStore, type Repository } from "../repository.ts";
import { watchForPipes } from "../checkout/waiting-pipes.ts";

export interface FoundObject {
  readonly id: string;
  /** `blob`, `tree`, `commit` or `tag`. */
  readonly type: string;
  /** Empty where it was not asked for. */
  readonly content: Buffer;
}

/** In the order of the names, each an id, a full ref or any other name of one line; null where nothing has that name. */
export function findObjects(
  repository: Repository,
  names: readonly string[],
): Promise<readonly (FoundObject | null)[]> {
  return ask(repository, names, "info");
}

/** The same with their content. */
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

type Question = "info" | "contents";

async function ask(repository: Repository, names: readonly string[], question: Question) {
  const reader = readerOf(repository);
  const answers = names.map((name) =>
    /[\0\n]/u.test(name) ? Promise.resolve(null) : reader.ask(question, name),
  );
  return Promise.all(answers);
}

interface Reader {
  ask(question: Question, name: string): Promise<FoundObject | null>;
  end(): void;
}

const idleMs = 10_000;
const mostReaders = 4;
const readers = new Map<string, Reader>();

function readerOf(repository: Repository): Reader {
  const key = `${repository.path}\n${repository.gitDir}`;
  const known = readers.get(key);
  if (known !== undefined) return known;
  for (const [oldest, reader] of readers) {
    if (readers.size < mostReaders) break;
    readers.delete(oldest);
    reader.end();
  }
  const reader = openReader(repository, () => {
    if (readers.get(key) === reader) readers.delete(key);
  });
  readers.set(key, reader);
  return reader;
}

interface Waiting {
  readonly question: Question;
  readonly resolve: (found: FoundObject | null) => void;
  readonly reject: (error: AppError) => void;
}

const args = ["cat-file", "--batch-command"];
const noAnswer = { exitCode: -1, stdout: Buffer.alloc(0) };

/** @param retire called when it is to be asked no more */
function openReader(repository: Repository, retire: () => void): Reader {
  const place = inStore(repository);
  const { argv, env } = callOf(place, args);
  const waiting: Waiting[] = [];
  const git = startCoprocess("git", argv, {
    cwd: place.cwd,
    env,
    onOutput: answersIn({
      hasContent: () => waiting[0]?.question === "contents",
      answered(found) {
        waiting.shift()?.resolve(found);
        if (waiting.length === 0) rest();
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
  function rest(): void {
    watch?.stop();
    git.setAwaited(false);
    idle = setTimeout(end, idleMs).unref();
  }
  function work(): void {
    clearTimeout(idle);
    git.setAwaited(true);
    watch = watchForEnd(place, fail);
  }
  return {
    ask: (question, name) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) work();
        waiting.push({ question, resolve, reject });
        git.write(`${question} ${name}\n`);
      }),
    end,
  };
}

interface Watch {
  stop(): void;
}

/** Of as many questions as are asked at once. */
function watchForEnd(place: GitPlace, fail: (error: AppError) => void): Watch {
  const pipes = watchForPipes({ workTree: place.cwd, gitDir: place.gitDir, home: undefined });
  pipes.signal.addEventListener("abort", () => fail(waitsAtPipe(args, pipes.found() ?? "")), { once: true });
  const stderr = "it took too long and was stopped";
  const timer = setTimeout(() => fail(gitFailed(args, { ...noAnswer, stderr })), defaultTimeoutMs);
  return {
    stop() {
      pipes.stop();
      clearTimeout(timer);
    },
  };
}

interface Answers {
  /** Whether content follows the next line that names an object. */
  hasContent(): boolean;
  answered(found: FoundObject | null): void;
}

/** Takes the output as it comes. */
function answersIn({ hasContent, answered }: Answers): (chunk: Buffer) => void {
  let chunks: Buffer[] = [];
  let held = 0;
  let needed = 0;
  return (chunk) => {
    chunks.push(chunk);
    held += chunk.length;
    if (held < needed) return;
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
    held = rest.length;
  };
}

/** Anything else says that there is none, or more than one. */
const found = /^([0-9a-f]{40,64}) (blob|tree|commit|tag) (\d+)$/u;
