/** Checks that sessions of Claude Code in this checkout reach Mettle: the hooks of init are installed, start, and answer. */
import { join } from "node:path";
import { userHome } from "../../config/env.ts";
import { packageRoot } from "../../config/package-root.ts";
import { run, type RunResult } from "../../process/run.ts";
import { shellWords } from "../../views/shell-words.ts";
import { hookCommand, hookEvents, readHooks } from "../init/hooks.ts";
import { ok, warn, type DoctorCheck, type DoctorContext } from "./check.ts";
import { readPlainFile } from "../../lib/plain-file.ts";

const files = [".claude/settings.local.json", ".claude/settings.json"];

export const hooks: DoctorCheck = {
  name: "hooks",
  needed: false,
  async examine(context) {
    if (context.repository === null) return [];
    const { checkout } = context.repository;
    const own = await Promise.all(files.map((file) => join(checkout, file)).map(read));
    const users = await read(join(userHome(context.env), ".claude", "settings.json")).catch(() => null); // the user's own settings file is not checked
    const calling = new Set(own.flatMap((file) => file?.calling ?? []));
    const absent = hookEvents.filter((event) => !calling.has(event));
    if (calling.size === 0)
      return [warn("none: sessions of Claude Code here do not use Mettle", "mettle init")];
    if (absent.length > 0) return [warn(`missing for ${absent.join(", ")}`, "mettle init")];
    const off = [...own, users].find((file) => file?.off === true);
    if (off) return [warn(`${off.file} disables all hooks`, `remove \`disableAllHooks\` from ${off.file}`)];
    const faults = (await Promise.all(hookEvents.map((event) => callHook(event, context, checkout)))).flat();
    if (faults[0] !== undefined) return [warn(faults[0].seen, faults[0].help)];
    return [ok(`${hookEvents.join(", ")} start and answer`)];
  },
};

async function read(file: string) {
  const text = await readPlainFile(file); // no such file
  return text === null ? null : { file, ...readHooks(text, file) };
}

interface Fault {
  readonly seen: string;
  readonly help: string;
}

/** Calls the hook like Claude Code: by a shell, in the project, with the event on standard input. */
async function callHook(event: string, { env }: DoctorContext, checkout: string): Promise<readonly Fault[]> {
  const input = JSON.stringify({
    session_id: "mettle-doctor",
    transcript_path: "/dev/null",
    cwd: checkout,
    hook_event_name: event,
    ...(event === "PreToolUse" ? { tool_name: "Bash", tool_input: { command: "true" } } : {}),
    ...(event === "UserPromptSubmit" ? { prompt: "" } : {}),
  });
  const ran = await run("/bin/sh", ["-c", hookCommand], {
    cwd: checkout,
    env: { ...env, CLAUDE_PROJECT_DIR: checkout },
    input,
    timeoutMs: 10_000,
    keepBytes: 64 << 10,
  });
  const why = faultOf(ran);
  if (why === null) return [];
  const link = `cd ${shellWords([packageRoot()])} && npm link`;
  return [{ seen: `the hook of ${event}, \`${hookCommand}\`, ${why}`, help: link }];
}

function faultOf({ exitCode, timedOut, stdout }: RunResult): string | null {
  if (timedOut) return "did not answer within 10 s";
  if (exitCode === 127) return "is not found: mettle is not on PATH";
  if (exitCode === 2) return "ends with exit code 2, which blocks the session's tools";
  if (exitCode !== 0) return `ends with ${exitCode === null ? "a signal" : `exit code ${exitCode}`}`;
  const output = stdout.toString("utf8").trim();
  return output === "" || output.startsWith("{") ? null : "does not answer with JSON";
}
