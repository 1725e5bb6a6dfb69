/** Whether an agent's program is there, new enough and logged in, each with what helps (CORE-56). */
import { run } from "../process/run.ts";
import type { Probe } from "./agent.ts";
import { findProgram } from "./find-program.ts";

export interface ProbeOptions {
  /** A name that is looked for on `path`, or a path. */
  readonly file: string;
  readonly path: string;
  readonly home: string;
  readonly loggedIn: boolean;
}

/** What is the agent's own. */
export interface ProgramInfo {
  /** The package of npm that brings it. */
  readonly package: string;
  readonly oldest: readonly [number, number, number];
  /** Variables for `--version` beside PATH and HOME. */
  readonly env: Readonly<Record<string, string>>;
  /** How to log in. */
  readonly login: string;
}

export async function probeProgram(
  { file, path, home, loggedIn }: ProbeOptions,
  known: ProgramInfo,
): Promise<Probe> {
  const found = await findProgram(file, path);
  if (found === null)
    return {
      type: "missing",
      why: `there is no program ${file}`,
      hint: `install it with \`npm install -g ${known.package}\`, or name another agent with --agent`,
    };
  const version = await versionOf(found, { PATH: path, HOME: home, ...known.env });
  if (version === null)
    return { type: "missing", why: `${found} --version gave no version`, hint: "install it anew" };
  if (isOlder(version, known.oldest))
    return {
      type: "missing",
      why: `its version ${version} is older than ${known.oldest.join(".")}`,
      hint: `update it with \`npm install -g ${known.package}@latest\``,
      lacks: "version",
    };
  if (!loggedIn) return { type: "missing", why: "it is not logged in", hint: known.login, lacks: "login" };
  return { type: "ready", version };
}

async function versionOf(file: string, env: Readonly<Record<string, string>>): Promise<string | null> {
  const ran = await run(file, ["--version"], { cwd: "/", env, timeoutMs: 30_000, keepBytes: 4096 });
  return /\d+\.\d+\.\d+/u.exec(ran.stdout.toString("utf8"))?.[0] ?? null;
}

function isOlder(version: string, oldest: ProgramInfo["oldest"]): boolean {
  const parts = version.split(".").map(Number);
  for (const [index, least] of oldest.entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part < least;
  }
  return false;
}
