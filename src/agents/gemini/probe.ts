/** Whether the Gemini CLI is there, new enough and logged in, each with what helps (CORE-56). */
import { run } from "../../process/run.ts";
import type { Probe } from "../agent.ts";
import { findProgram } from "../find-program.ts";

export interface ProbeOptions {
  /** A name that is looked for on `path`, or a path. */
  readonly file: string;
  readonly path: string;
  readonly home: string;
  readonly loggedIn: boolean;
}

/** The oldest version whose flags, settings and files are known to be those that are used here. */
const oldest = [0, 61, 0] as const;

export async function probeGemini({ file, path, home, loggedIn }: ProbeOptions): Promise<Probe> {
  const found = await findProgram(file, path);
  if (found === null)
    return {
      type: "missing",
      why: `there is no program ${file}`,
      hint: "install it with `npm install -g @google/gemini-cli`, or name another agent with --agent",
    };
  const version = await versionOf(found, { path, home });
  if (version === null)
    return { type: "missing", why: `${found} --version gave no version`, hint: "install it anew" };
  if (isOlder(version))
    return {
      type: "missing",
      why: `its version ${version} is older than ${oldest.join(".")}`,
      hint: "update it with `npm install -g @google/gemini-cli@latest`",
      lacks: "version",
    };
  if (!loggedIn)
    return {
      type: "missing",
      why: "it is not logged in",
      hint: "start `gemini` once and log in, or set GEMINI_API_KEY or GOOGLE_API_KEY",
      lacks: "login",
    };
  return { type: "ready", version };
}

async function versionOf(
  file: string,
  { path, home }: { path: string; home: string },
): Promise<string | null> {
  const env = { PATH: path, HOME: home, GEMINI_CLI_NO_RELAUNCH: "true" };
  const ran = await run(file, ["--version"], { cwd: "/", env, timeoutMs: 30_000, keepBytes: 4096 });
  return /\d+\.\d+\.\d+/u.exec(ran.stdout.toString("utf8"))?.[0] ?? null;
}

function isOlder(version: string): boolean {
  const parts = version.split(".").map(Number);
  for (const [index, least] of oldest.entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part < least;
  }
  return false;
}
