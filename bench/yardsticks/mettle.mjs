// Calls the built program like a user: in a scratch repository, with a state home of its own.
import { spawn } from "node:child_process";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const program = join(root, "dist/bin/mettle.js");

/** The programs that start Python by the version of a project find their versions in the user's home. */
const pythons = { PYENV_ROOT: process.env.PYENV_ROOT ?? join(homedir(), ".pyenv") };

/**
 * @param place `repository`, `state` (a folder for Mettle's state) and `timeoutMs`
 * @returns a function that runs mettle with `--json` and gives exit code, object and seconds
 */
export function caller({ repository, state, timeoutMs }) {
  return async (args) => {
    const started = Date.now();
    const { code, stdout } = await output([program, ...args, "--json"], { repository, state, timeoutMs });
    return { code, json: objectOf(stdout), seconds: (Date.now() - started) / 1000 };
  };
}

function output(args, { repository, state, timeoutMs }) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: repository,
      env: {
        PATH: process.env.PATH,
        HOME: state,
        METTLE_HOME: state,
        METTLE_MUTATION_BUDGET: "0",
        ...pythons,
      },
      stdio: ["ignore", "pipe", "ignore"],
      timeout: timeoutMs,
    });
    const parts = [];
    child.stdout.on("data", (part) => parts.push(part));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout: Buffer.concat(parts).toString("utf8") }));
  });
}

function objectOf(stdout) {
  try {
    return JSON.parse(stdout);
  } catch {
    return { error: { code: "no_answer", message: "mettle printed no object" } };
  }
}
