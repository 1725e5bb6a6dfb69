/**
 * An executor of proofs that starts equal programs once per run of the suite. For the same argv, environment and files it
 * returns the stored result of the real program, from this worker or another, with the paths of the current checkout. Not
 * cached: code that can read more than its files, and runs that were stopped or that changed their checkout.
 */
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Executor, ProgramRun, ProgramStart } from "../../src/proof/ports.ts";
import { runningFile } from "../../src/gates/red/reach-script.ts";
import { executeProgram } from "../../src/proof/execute/start-program.ts";
import { canonicalJson, sha256 } from "../../src/lib/hash.ts";
import { newId } from "../../src/lib/ids.ts";

/** Created and removed by the set-up of the suite; all workers share it. */
const store = process.env["METTLE_EXECUTED_ONCE"];

export const executeOnce: Executor = store === undefined ? executeProgram : onceIn(store);

/** @param execute starts programs that are not cached */
export function onceIn(folder: string, execute: Executor = executeProgram): Executor {
  return async (start) => {
    const before = digestOf(start.checkout);
    if (before === null || start.options.signal?.aborted === true) return execute(start);
    const file = join(folder, keyOf(start, before));
    const known = await readFile(file, "utf8").catch(() => null); // not cached
    if (known !== null) return replayed(start, known);
    const done = await execute(start);
    if (isOrdinary(done) && digestOf(start.checkout) === before) {
      const aside = `${file}.${newId()}`;
      await writeFile(aside, JSON.stringify(remembered(start, done)));
      await rename(aside, file);
    }
    return done;
  };
}

interface Remembered {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly output: string;
  readonly tookMs: number;
  /** Files that it wrote, relative to the checkout. */
  readonly files: readonly (readonly [path: string, text: string])[];
}

function remembered(start: ProgramStart, { ran, output }: ProgramRun): Remembered {
  const hide = (text: string) => hidden(start, text);
  return {
    exitCode: ran.exitCode,
    stdout: hide(ran.stdout.toString("utf8")),
    stderr: hide(ran.stderr.toString("utf8")),
    output: hide(output),
    tookMs: ran.ended - ran.started,
    files: ["report", "counts"].flatMap((folder) =>
      filesIn(join(start.place, folder)).map(
        (path) => [join(folder, path), hide(readFileSync(join(start.place, folder, path), "utf8"))] as const,
      ),
    ),
  };
}

async function replayed(start: ProgramStart, text: string): Promise<ProgramRun> {
  const { files, output, tookMs, exitCode, ...streams } = JSON.parse(shown(start, text)) as Remembered;
  for (const [path, content] of files) {
    await mkdir(dirname(join(start.place, path)), { recursive: true });
    await writeFile(join(start.place, path), content);
  }
  const [stdout, stderr] = [Buffer.from(streams.stdout), Buffer.from(streams.stderr)];
  const started = Date.now();
  const ran = {
    exitCode,
    signal: null,
    timedOut: false,
    idle: false,
    aborted: false,
    failedToStart: null,
    stdout,
    stderr,
    stdoutBytes: stdout.length,
    stderrBytes: stderr.length,
    started,
    ended: started + tookMs,
  };
  return { ran, output };
}

/** Whether it exited normally and left no process running. */
function isOrdinary({ ran }: ProgramRun): boolean {
  return ran.exitCode !== null && !ran.timedOut && !ran.aborted && ran.survivors === undefined;
}

function keyOf(start: ProgramStart, files: string): string {
  const { cwd, env, timeoutMs } = start.options;
  const request = canonicalJson({ file: start.file, argv: start.argv, cwd, env, timeoutMs });
  return sha256(`${hidden(start, request)}\0${files}`);
}

/** Code that uses other Node.js modules, the clock or random numbers may behave differently the next time. */
const seesMore =
  /["'](?:node:(?!test["']|assert["'/])|(?:fs|child_process|net|https?|os|worker_threads|crypto)["'/])|Math\.random|\bDate\b|performance|hrtime|process\.(?:pid|uptime)|set(?:Timeout|Interval)/u;

/** Names and contents of a checkout; null: its code may read more than these. */
function digestOf(checkout: string): string | null {
  const hash = createHash("sha256");
  const look = (folder: string): boolean =>
    readdirSync(join(checkout, folder))
      .toSorted()
      .every((name) => {
        if (folder === "" && name === ".git") return true;
        const path = join(folder, name);
        const found = lstatSync(join(checkout, path));
        hash.update(`${path}\0${found.mode}\0`);
        if (found.isDirectory()) return look(path);
        if (found.isFile()) return take(readFileSync(join(checkout, path), "utf8"));
        return (
          found.isSymbolicLink() && leadsInside(checkout, path) && take(readlinkSync(join(checkout, path)))
        );
      });
  const take = (text: string): boolean => {
    const own = text.replaceAll(runningFile, "").replaceAll(dirname(checkout), proofMark);
    hash.update(`${own}\0`);
    return !seesMore.test(own);
  };
  return look("") ? hash.digest("hex") : null;
}

function leadsInside(checkout: string, path: string): boolean {
  const target = readlinkSync(join(checkout, path));
  return !target.startsWith("/") && join(checkout, dirname(path), target).startsWith(`${checkout}/`);
}

const [placeMark, proofMark] = ["{{the place}}", "{{the proof}}"] as const;

function hidden({ place, checkout }: ProgramStart, text: string): string {
  return text.replaceAll(place, placeMark).replaceAll(dirname(checkout), proofMark);
}

function shown({ place, checkout }: ProgramStart, text: string): string {
  return text.replaceAll(placeMark, place).replaceAll(proofMark, dirname(checkout));
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  } catch {
    return []; // none
  }
}
