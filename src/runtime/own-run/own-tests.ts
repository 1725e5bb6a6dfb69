/** Runs the project's own test command in the user's checkout, as its user would, and reads what it says of each test. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestResult } from "../../evidence/test-result.ts";
import type { Env } from "../../config/env.ts";
import { lastLines } from "../../lib/text.ts";
import { run } from "../../process/run.ts";
import type { Repository } from "../../git/repository.ts";
import type { ProofPackage } from "../proof/setting.ts";
import { readJunit } from "./junit-xml.ts";
import { ownCommand, ownFolder, type OwnCommand } from "./own-command.ts";

export interface OwnRun {
  readonly shown: string;
  readonly exitCode: number | null;
  /** Id -> result; null where they cannot be read. */
  readonly tests: ReadonlyMap<string, TestResult["status"]> | null;
  /** Why not. */
  readonly why: string | null;
  readonly lastLines: readonly string[];
  readonly output: string;
}

export interface OwnRequest {
  readonly repository: Repository;
  readonly one: Pick<ProofPackage, "prefix" | "found">;
  readonly packageJson: string | null;
  readonly env: Env;
  readonly node: string;
  /** Of the whole command. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export async function ownTests(request: OwnRequest): Promise<OwnRun> {
  const { repository, one, packageJson, env, node, timeoutMs, signal } = request;
  const folder = await mkdtemp(join(tmpdir(), "mettle-own-"));
  try {
    const report = join(folder, "report");
    const command = ownCommand(one.found, { report, node, packageJson });
    const ran = await run(command.program, command.argv, {
      cwd: ownFolder(repository.checkout, one.prefix),
      env: { ...env, ...one.found.runner.env, ...command.env },
      timeoutMs,
      ...(signal === undefined ? {} : { signal }),
    });
    const [stdout, stderr] = [ran.stdout.toString("utf8"), ran.stderr.toString("utf8")];
    const text = await readFile(report, "utf8").catch(() => null); // it wrote none
    const said = { exitCode: ran.exitCode, stdout, stderr, report: text };
    const tests = testsIn(command, request, said);
    return {
      shown: command.shown,
      exitCode: ran.exitCode,
      tests,
      why: tests === null ? whyNot(command, ran.timedOut) : null,
      lastLines: lastLines(`${stdout}${stderr}`, 20),
      output: `${stdout}\n${stderr}`,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Said {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly report: string | null;
}

function testsIn({ reads }: OwnCommand, { repository, one }: OwnRequest, said: Said): OwnRun["tests"] {
  const { prefix, found } = one;
  switch (reads) {
    case "nothing":
      return null;
    case "junit": {
      if (said.report === null) return null;
      return new Map([...readJunit(said.report)].map(([id, status]) => [`${prefix}${id}`, status]));
    }
    case "cargo":
      return cargoTests(said.stdout);
    case "report": {
      const folder = ownFolder(repository.checkout, prefix);
      const isProgram = found.program !== null;
      const project = isProgram ? folder : repository.checkout;
      const read = found.runner.parse({ ...said, project, folder, files: [] });
      if (!read.report) return null;
      return new Map(read.tests.map(({ id, status }) => [isProgram ? `${prefix}${id}` : id, status]));
    }
  }
}

/** cargo prints names alone, without their files: they are compared by name. */
function cargoTests(stdout: string): OwnRun["tests"] {
  const lines = [...stdout.matchAll(/^test (\S.*?) \.\.\. (ok|FAILED|ignored)/gm)];
  const status = { ok: "passed", FAILED: "failed", ignored: "skipped" } as const;
  return new Map(
    lines.map(([, name = "", said = "ok"]) => [name.replace(/ - should panic$/, ""), status[said as "ok"]]),
  );
}

function whyNot({ reads, shown }: OwnCommand, timedOut: boolean): string {
  if (timedOut) return `\`${shown}\` did not end in time`;
  return reads === "nothing"
    ? `\`${shown}\` tells no results that can be read; only its exit code is compared`
    : `\`${shown}\` left no report that can be read; only its exit code is compared`;
}
