// Starts a program of this repository in the foreground and returns its exit code.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";
import { cleanEnvironment } from "./environment.mjs";
import { root } from "./root.mjs";

export function script(name) {
  return fileURLToPath(new URL(`../${name}`, import.meta.url));
}

/** Ctrl-C reaches the child directly, since it shares the terminal; this process waits for its end. */
export function dispatch(argv, extra = {}) {
  const child = spawn(process.execPath, argv, {
    cwd: root,
    stdio: "inherit",
    env: { ...cleanEnvironment(), ...extra },
  });
  const stay = () => {};
  const pass = () => child.kill("SIGTERM");
  process.on("SIGINT", stay);
  process.on("SIGTERM", pass);
  return new Promise((resolve) => {
    child.on("error", (error) => {
      process.stderr.write(`error[internal]: ${argv[0]} could not be started: ${error.message}\n`);
      resolve(5);
    });
    child.on("exit", (code, signal) => {
      process.off("SIGINT", stay);
      process.off("SIGTERM", pass);
      resolve(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}
