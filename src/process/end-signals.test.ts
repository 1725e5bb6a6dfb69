/** A program that receives an end signal ends all its processes, even if another listener exists. */
import { spawn } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { bundleProgram, type Bundle } from "../../test/support/bundle.ts";
import { newFolder } from "../../test/support/folder.ts";
import { processEntry } from "./proc.ts";

let program: Bundle;
let folder: string;
beforeAll(async () => {
  folder = newFolder();
  program = await bundleProgram(`
    import { run } from "./src/process/run.ts";
    const [, , cwd] = process.argv;
    await run("sh", ["-c", "echo $$ > pid; exec sleep 60"], { cwd, env: { PATH: process.env.PATH }, timeoutMs: 60_000 });
  `);
});

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s (fault D8)", async (signal) => {
  const pidFile = join(folder, "pid");
  await rm(pidFile, { force: true });
  const child = spawn(process.execPath, [program.file, folder], { stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("close", (_code, by) => resolve(by)));
  let pid = 0;
  for (let n = 0; n < 300 && pid === 0; n++) {
    await sleep(50);
    pid = Number(await readFile(pidFile, "utf8").catch(() => "0"));
  }
  expect(processEntry(pid)).not.toBe(null);
  child.kill(signal);
  expect(await ended).toBe(signal);
  for (let n = 0; n < 100 && processEntry(pid) !== null; n++) await sleep(50);
  expect(processEntry(pid)).toBe(null);
});
