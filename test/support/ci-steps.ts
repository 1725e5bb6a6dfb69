/** Executes the steps of `action.yml`, and the script of the GitLab template, as their runners do. */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import { packageRoot } from "../../src/config/package-root.ts";
import { newFolder } from "./folder.ts";

const Action = z.object({
  inputs: z.record(z.string(), z.object({ default: z.string() })),
  outputs: z.record(z.string(), z.object({ value: z.string() })),
  runs: z.object({
    using: z.literal("composite"),
    steps: z.array(
      z.object({
        id: z.string().optional(),
        if: z.string().optional(),
        shell: z.literal("bash"),
        env: z.record(z.string(), z.string()).optional(),
        run: z.string(),
      }),
    ),
  }),
});

const GitlabJob = z.object({
  mettle: z.object({
    variables: z.record(z.string(), z.string()),
    script: z.array(z.string()),
    artifacts: z.object({ reports: z.record(z.string(), z.string()) }),
  }),
});

export interface JobResult {
  readonly code: number;
  readonly log: string;
  readonly summary: string;
  readonly outputs: Readonly<Record<string, string>>;
}

export interface ActionJob {
  /** The checkout. */
  readonly cwd: string;
  readonly eventName: string;
  readonly event: object;
  /** The commit that was checked out. */
  readonly sha: string;
  readonly inputs?: Readonly<Record<string, string>>;
}

/** Neither a token nor another secret is in the environment. */
const machine = (home: string) => ({ PATH: process.env["PATH"] ?? "", HOME: home, CI: "true" });

export async function runAction({ cwd, eventName, event, sha, inputs = {} }: ActionJob): Promise<JobResult> {
  const action = Action.parse(parse(readFileSync(packageRoot("action.yml"), "utf8")));
  const home = newFolder();
  const file = (name: string, text = "") => {
    writeFileSync(join(home, name), text);
    return join(home, name);
  };
  const values = {
    ...Object.fromEntries(Object.entries(action.inputs).map(([name, input]) => [name, input.default])),
    ...inputs,
  };
  const env = {
    ...machine(home),
    GITHUB_ACTIONS: "true",
    GITHUB_ACTION_PATH: packageRoot(),
    GITHUB_EVENT_NAME: eventName,
    GITHUB_EVENT_PATH: file("event.json", JSON.stringify(event)),
    GITHUB_SHA: sha,
    RUNNER_TEMP: home,
  };
  const result = { code: 0, log: "", summary: "", outputs: {} };
  for (const [at, step] of action.runs.steps.entries()) {
    if (step.if !== undefined && !holds(step.if, values)) continue;
    const own = {
      GITHUB_ENV: file(`env-${at}`),
      GITHUB_OUTPUT: file(`output-${at}`),
      GITHUB_STEP_SUMMARY: file(`summary-${at}`),
      ...Object.fromEntries(
        Object.entries(step.env ?? {}).map(([name, value]) => [name, filled(value, values)]),
      ),
    };
    // An expression in a script would execute what an input holds.
    if (step.run.includes("${{")) throw new Error(`an expression in a script: ${step.run}`);
    const ran = await bash(file(`step-${at}.sh`, step.run), cwd, { ...env, ...own });
    result.log += ran.log;
    result.summary += readFileSync(own.GITHUB_STEP_SUMMARY, "utf8");
    result.code = ran.code;
    Object.assign(result.outputs, outputsOf(readFileSync(own.GITHUB_OUTPUT, "utf8")));
    if (ran.code !== 0) break;
  }
  return result;
}

/** @param variables those that GitLab sets for the job */
export async function runGitlabJob(
  cwd: string,
  variables: Readonly<Record<string, string>>,
): Promise<JobResult> {
  const { mettle } = GitlabJob.parse(parse(readFileSync(packageRoot("ci/mettle.gitlab-ci.yml"), "utf8")));
  const home = newFolder();
  mkdirSync(join(home, "tmp"));
  const script = join(home, "job.sh");
  writeFileSync(script, mettle.script.join("\n"));
  const env = {
    ...machine(home),
    GITLAB_CI: "true",
    ...mettle.variables,
    METTLE_DIR: packageRoot(),
    ...variables,
  };
  const { code, log } = await bash(script, cwd, env);
  return { code, log, summary: "", outputs: mettle.artifacts.reports };
}

/** `inputs.x == ''` or `!= ''`. */
function holds(condition: string, inputs: Readonly<Record<string, string>>): boolean {
  const [, name = "", sign] = /^\$\{\{ inputs\.(\w+) (==|!=) '' \}\}$/u.exec(condition) ?? [];
  if (sign === undefined) throw new Error(`unknown condition: ${condition}`);
  return (inputs[name] === "") === (sign === "==");
}

function filled(text: string, inputs: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{\{ inputs\.(\w+) \}\}/gu, (_whole, name: string) => inputs[name] ?? "");
}

function outputsOf(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
}

function bash(
  script: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly log: string }> {
  const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", script], {
    cwd,
    env,
    timeout: 110_000,
  });
  let log = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (log += chunk.toString("utf8")));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code: code ?? 1, log }));
  });
}
