/** Checks that an agent's program is installed, recent and logged in, with a hint for each fault (CORE-56). */
import { run } from "../process/run.ts";
import type { Probe } from "./agent.ts";
import { findProgram, notInstalled } from "../process/find-program.ts";

export interface ProbeOptions {
  /** A path, or a name to search on `path`. */
  readonly file: string;
  readonly path: string;
  readonly home: string;
  readonly loggedIn: boolean;
}

/** What the probe must know about an agent. */
export interface ProgramInfo {
  /** Its npm package. */
  readonly package: string;
  readonly oldest: readonly [number, number, number];
  /** Variables for `--version`, in addition to PATH and HOME. */
  readonly env: Readonly<Record<string, string>>;
  /** How to log in. */
  readonly login: string;
}

export async function probeProgram(
  { file, path, home, loggedIn }: ProbeOptions,
  info: ProgramInfo,
): Promise<Probe> {
  const found = await findProgram(file, path);
  if (found === null)
    return {
      type: "missing",
      why: notInstalled(file),
      hint: `install it with \`npm install -g ${info.package}\`, or name another agent with --agent`,
    };
  const version = await versionOf(found, { PATH: path, HOME: home, ...info.env });
  if (version === null)
    return { type: "missing", why: `${found} --version printed no version`, hint: "reinstall it" };
  if (isOlder(version, info.oldest))
    return {
      type: "missing",
      why: `its version ${version} is older than ${info.oldest.join(".")}`,
      hint: `update it with \`npm install -g ${info.package}@latest\``,
      lacks: "version",
    };
  if (!loggedIn) return { type: "missing", why: "it is not logged in", hint: info.login, lacks: "login" };
  return { type: "ready", version };
}

async function versionOf(file: string, env: Readonly<Record<string, string>>): Promise<string | null> {
  const result = await run(file, ["--version"], { cwd: "/", env, timeoutMs: 30_000, keepBytes: 4096 });
  return /\d+\.\d+\.\d+/u.exec(result.stdout.toString("utf8"))?.[0] ?? null;
}

function isOlder(version: string, oldest: ProgramInfo["oldest"]): boolean {
  const parts = version.split(".").map(Number);
  for (const [index, minimum] of oldest.entries()) {
    const part = parts[index] ?? 0;
    if (part !== minimum) return part < minimum;
  }
  return false;
}
