/** Runs `envoy` in a process that is killed by SIGKILL just before a chosen write or program start, or halfway through a write. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { pathToFileURL } from "node:url";
import { packageRoot } from "../../src/config/package-root.ts";

/** Wraps all functions by which the command writes files and starts programs. */
const killer = `
  const [program, line, at] = process.argv.slice(1);
  const fs = require("node:fs/promises");
  const programs = require("node:child_process");
  let steps = 0;
  const step = (half) => {
    if (++steps !== Number(at)) return;
    half?.();
    process.kill(process.pid, "SIGKILL");
  };
  const before = (owner, name) => {
    const real = owner[name];
    owner[name] = (...given) => (step(), real.apply(owner, given));
  };
  for (const name of ["mkdir", "rename", "rm", "rmdir", "unlink", "appendFile", "link", "copyFile"])
    before(fs, name);
  const halfOf = (data) => Buffer.from(data).subarray(0, data.length / 2);
  const writeWhole = fs.writeFile;
  fs.writeFile = (path, data, ...rest) => {
    step(() => require("node:fs").writeFileSync(path, halfOf(data)));
    return writeWhole(path, data, ...rest);
  };
  before(programs, "spawn");
  const open = fs.open;
  fs.open = async (path, flags, ...more) => {
    const handle = await open(path, flags, ...more);
    if (flags === "r") return handle;
    step();
    const write = handle.writeFile.bind(handle);
    handle.writeFile = (data, ...rest) => {
      step(() => require("node:fs").writeSync(handle.fd, halfOf(data)));
      return write(data, ...rest);
    };
    return handle;
  };
  require("node:module").syncBuiltinESMExports();
  import(program).then(async ({ envoy }) => {
    process.exitCode = await envoy(JSON.parse(line));
    console.error("steps " + steps);
  });`;

export interface Killed {
  readonly wasKilled: boolean;
  readonly stdout: string;
  /** The number of points at which it could be killed; 0 if it was killed. */
  readonly steps: number;
}

/** @param at the step before which it is killed, from 1; 0 to let it end */
export async function callKilled(
  line: readonly string[],
  at: number,
  where: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<Killed> {
  const program = pathToFileURL(packageRoot("dist", "bin", "envoy.js")).href;
  const child = spawn(process.execPath, ["-e", killer, program, JSON.stringify(line), `${at}`], {
    ...where,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const limit = setTimeout(() => child.kill("SIGTERM"), 60_000);
  const text: Record<"stdout" | "stderr", string> = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (chunk: string) => (text[name] += chunk));
  const [, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  clearTimeout(limit);
  const [, steps = "0"] = /^steps (\d+)$/mu.exec(text.stderr) ?? [];
  return { wasKilled: signal === "SIGKILL", stdout: text.stdout, steps: Number(steps) };
}
