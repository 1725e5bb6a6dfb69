// Starts a program in a scratch folder with a clean environment, and ends its whole process group.
import { spawn } from "node:child_process";
import { join } from "node:path";

/**
 * @param {string} program
 * @param {string[]} args
 * @param {{folder: string, cwd: string, path?: string}} place `folder` holds the home and the temporary files
 * @returns {Promise<{code: number | null, stdout: string, stderr: string}>} code null: ended by a signal or out of time
 */
export function runProgram(program, args, { folder, cwd, path = "" }) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: environment(folder, path),
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    running.add(child.pid);
    const output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"])
      child[name].setEncoding("utf8").on("data", (text) => {
        if (output[name].length < maxOutput) output[name] += text;
      });
    const timer = setTimeout(() => end(child.pid), maxMs);
    child.once("error", reject);
    child.once("exit", (code) => {
      clearTimeout(timer);
      // Also processes that a cheat left behind, which keep the pipes open.
      end(child.pid);
      running.delete(child.pid);
      child.once("close", () => resolve({ code, ...output }));
    });
  });
}

const maxOutput = 8 << 20;
/** Far more than a gate takes in quiet, so that a busy machine changes no outcome. */
const maxMs = 300_000;

/** Process groups that still run. */
const running = new Set();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.once(signal, () => {
    for (const pid of running) end(pid);
    process.exit(1);
  });

function end(pid) {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group has ended.
  }
}

function environment(folder, path) {
  const { PATH = "", METTLE_SANDBOX } = process.env;
  return {
    PATH: path === "" ? PATH : `${path}:${PATH}`,
    HOME: join(folder, "home"),
    TMPDIR: join(folder, "tmp"),
    METTLE_HOME: join(folder, "state"),
    // Mutants are findings: they decide about no cheat.
    METTLE_MUTATION_BUDGET: "0",
    NO_COLOR: "1",
    LC_ALL: "C.UTF-8",
    GIT_CONFIG_NOSYSTEM: "1",
    ...(METTLE_SANDBOX === undefined ? {} : { METTLE_SANDBOX }),
  };
}
