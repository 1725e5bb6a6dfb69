/** Runs the project's own test command in the user's checkout and reads the result of each test. */
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import * as z from "zod";
import { TestResult } from "../../evidence/test-result.ts";
import { reportValue } from "../../evidence/runners/report-json.ts";
import type { Env } from "../../config/env.ts";
import { lastLines } from "../../lib/text.ts";
import { run } from "../../process/run.ts";
import { fields, tryGit } from "../../git/git.ts";
import { atCheckout, type Repository } from "../../git/repository.ts";
import type { ProofPackage } from "../../proof/proof-package.ts";
import { owns } from "../../proof/setting.ts";
import { textsOf } from "../../proof/execute/start-runner.ts";
import { matchesAny } from "../../source/paths.ts";
import { readJunit } from "./junit-xml.ts";
import { ownCommands, ownFolder, type OwnCommand } from "./own-command.ts";

export interface OwnRun {
  readonly shown: string;
  readonly exitCode: number | null;
  /** Id -> result; null if the report cannot be read. */
  readonly tests: ReadonlyMap<string, TestResult["status"]> | null;
  /** Why `tests` is null. */
  readonly why: string | null;
  readonly lastLines: readonly string[];
  readonly output: string;
}

export interface OwnRequest {
  readonly repository: Repository;
  readonly one: Pick<ProofPackage, "prefix" | "inner" | "found">;
  /** Test files of the proof, relative to the repository's root. */
  readonly files: readonly string[];
  readonly packageJson: string | null;
  readonly env: Env;
  readonly node: string;
  /** Deadline of each command. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

type Results = ReadonlyMap<string, TestResult["status"]>;

/** Runs each part of the test script that starts this runner, also after a failed one. */
export async function ownTests(request: OwnRequest): Promise<OwnRun> {
  const { one, packageJson, node, timeoutMs } = request;
  const folder = await realpath(await mkdtemp(join(tmpdir(), "mettle-own-")));
  try {
    const paths = await ownFiles(request);
    const commands = ownCommands(one.found, { folder, node, packageJson, paths, timeoutMs });
    const tests = new Map<string, TestResult["status"]>();
    let [exitCode, output, why]: [number | null, string, string | null] = [0, "", null];
    for (const command of commands) {
      const part = await runPart(command, request, paths);
      for (const [id, status] of part.tests ?? []) if (!isWorse(tests.get(id), status)) tests.set(id, status);
      if (exitCode === 0) ({ exitCode } = part);
      output += part.output;
      why ??= part.tests === null ? unreadableReason(command, part.timedOut) : null;
    }
    const shown = commands[0]?.displayName ?? one.found.name;
    return {
      shown,
      exitCode,
      tests: why === null ? tests : null,
      why,
      lastLines: lastLines(output, 20),
      output,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function isWorse(known: TestResult["status"] | undefined, status: TestResult["status"]): boolean {
  return known !== undefined && known !== "passed" && status === "passed";
}

/** Files of the package, committed or not, without ignored ones. */
async function ownFiles({ repository, one }: OwnRequest): Promise<readonly string[]> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { exitCode, stdout } = await tryGit(atCheckout(repository), args, { workTree: repository.checkout });
  const all = exitCode === 0 ? fields(stdout) : [];
  return all.filter((path) => owns(one, path)).map((path) => path.slice(one.prefix.length));
}

interface Part {
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly output: string;
  readonly tests: Results | null;
}

async function runPart(command: OwnCommand, request: OwnRequest, paths: readonly string[]): Promise<Part> {
  const { repository, one, env, timeoutMs, signal } = request;
  const cwd = ownFolder(repository.checkout, one.prefix);
  // The same PATH as npm sets.
  const bins = [...new Set([cwd, repository.checkout])].map((place) => join(place, "node_modules", ".bin"));
  const path = [...(one.found.program === null ? bins : []), env["PATH"] ?? ""].join(delimiter);
  const ran = await run(command.program, command.argv, {
    cwd,
    // The runner's variables keep it from writing snapshots.
    env: { ...env, PATH: path, ...(one.found.program === null ? one.found.runner.env : {}), ...command.env },
    timeoutMs,
    ...(signal === undefined ? {} : { signal }),
  });
  const [stdout, stderr] = [ran.stdout.toString("utf8"), ran.stderr.toString("utf8")];
  const report = await readFile(command.report, "utf8").catch(() => null); // it wrote none
  const output = { exitCode: ran.exitCode, stdout, stderr, report };
  const tests = await testsIn({ command, request, paths, output });
  return { exitCode: ran.exitCode, timedOut: ran.timedOut, output: `${stdout}\n${stderr}\n`, tests };
}

interface ReportInput {
  readonly command: OwnCommand;
  readonly request: OwnRequest;
  readonly paths: readonly string[];
  readonly output: {
    readonly exitCode: number | null;
    readonly stdout: string;
    readonly stderr: string;
    readonly report: string | null;
  };
}

const List = z.array(z.object({ id: z.string(), status: TestResult.shape.status }));

async function testsIn({ command, request, paths, output }: ReportInput): Promise<Results | null> {
  const { repository, one } = request;
  const { prefix, found } = one;
  switch (command.reportFormat) {
    case "junit": {
      if (output.report === null) return null;
      return new Map([...readJunit(output.report)].map(([id, status]) => [`${prefix}${id}`, status]));
    }
    case "list": {
      const parsed = List.safeParse(reportValue(output.report ?? ""));
      return parsed.success ? new Map(parsed.data.map(({ id, status }) => [`${prefix}${id}`, status])) : null;
    }
    case "report": {
      const folder = ownFolder(repository.checkout, prefix);
      if (found.program === null) {
        const { testFiles } = found.runner;
        const inside = request.files.map((file) => file.slice(prefix.length));
        const named = new Set([...inside, ...paths.filter((path) => matchesAny(path, testFiles))]);
        const texts = new Map(
          [...(await textsOf(folder, [...named]))].map(([path, text]) => [`${prefix}${path}`, text]),
        );
        const project = repository.checkout;
        const read = found.runner.parse({ ...output, project, folder, files: [], texts });
        return read.report ? new Map(read.tests.map(({ id, status }) => [id, status])) : null;
      }
      // These runners do not report file names, so the parser needs the files.
      const asked = request.files.map((file) => file.slice(prefix.length));
      const files = found.name === "go" ? paths.filter((path) => path.endsWith("_test.go")) : asked;
      const read = found.runner.parse({
        ...output,
        project: folder,
        files,
        texts: await textsOf(folder, files),
      });
      return read.report ? new Map(read.tests.map(({ id, status }) => [`${prefix}${id}`, status])) : null;
    }
  }
}

function unreadableReason({ displayName }: OwnCommand, timedOut: boolean): string {
  return timedOut
    ? `\`${displayName}\` did not end in time`
    : `\`${displayName}\` left no report that can be read; only its exit code is compared`;
}
