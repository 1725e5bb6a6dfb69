/** The Node.js program that the probe runs in the sandbox: each attempt that succeeds is a hole. */

export interface SandboxAttempts {
  /** A read-only file and its folder. */
  readonly frozen: string;
  readonly folder: string;
  /** A socket that must be invisible. */
  readonly socket: string;
  /** Folders in which only these names may be visible. */
  readonly lists: readonly { readonly folder: string; readonly shown: readonly string[] }[];
  /** Files, sockets and folders that only root may read. */
  readonly closed: readonly string[];
}

/** Prints one JSON object: `write`, `umount`, `rename`, `connect`, `kernel`, `root_only` and `lists`, true if the attempt failed. */
export const attemptsProgram = `
const fs = require("node:fs"), net = require("node:net"), { spawnSync } = require("node:child_process");
const { frozen, folder, socket, lists, closed } = JSON.parse(process.argv[1]);
const fails = (attempt) => { try { attempt(); return false; } catch { return true; } };
const write = () => fs.appendFileSync(frozen, "written");
const held = {};
held.write = fails(write);
const status = fs.readFileSync("/proc/self/status", "utf8");
const unmounted = spawnSync("umount", [folder]).status === 0 || spawnSync("umount", ["-l", folder]).status === 0;
held.umount = !unmounted && /^CapEff:\\s*0+$/m.test(status) && fails(write);
held.rename = fails(() => fs.renameSync(folder, folder + "-away")) && fails(() => fs.renameSync(frozen, folder + "-file"));
held.lists = lists.map(({ folder, shown }) => {
  try { return fs.readdirSync(folder).every((name) => shown.includes(name)); } catch { return true; }
});
// Opened for writing and closed again: nothing is written.
held.kernel = ["core_pattern", "hostname", "modprobe"].every((name) =>
  fails(() => fs.closeSync(fs.openSync("/proc/sys/kernel/" + name, fs.constants.O_WRONLY))));
held.root_only = closed.every((path) => fails(() => {
  if (!fs.lstatSync(path).isDirectory()) fs.closeSync(fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK));
  else if (fs.readdirSync(path).length === 0) throw new Error("empty");
}));
const late = setTimeout(() => end(true), 3000);
const caller = net.connect(socket).once("connect", () => end(false)).once("error", () => end(true));
const end = (connect) => {
  clearTimeout(late);
  caller.destroy();
  process.stdout.write(JSON.stringify({ ...held, connect }));
};
`;
