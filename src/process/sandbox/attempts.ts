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
  /** Services outside that must be unreachable: a port of the loopback interface, and a socket without a file. */
  readonly services?: { readonly port: number; readonly name: string };
}

/**
 * Prints one JSON object: `write`, `umount`, `rename`, `connect`, `kernel`, `root_only`, `lists` and, if services are given,
 * `network`; true if the attempt failed.
 */
export const attemptsProgram = `
const fs = require("node:fs"), net = require("node:net"), { spawnSync } = require("node:child_process");
const { frozen, folder, socket, lists, closed, services } = JSON.parse(process.argv[1]);
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
const unreachable = (target) => new Promise((resolve) => {
  const late = setTimeout(() => end(true), 3000);
  const end = (failed) => { clearTimeout(late); caller.destroy(); resolve(failed); };
  const caller = net.connect(target).once("connect", () => end(false)).once("error", () => end(true));
});
const targets = [socket, ...(services ? [{ host: "127.0.0.1", port: services.port }, "\\0" + services.name] : [])];
Promise.all(targets.map(unreachable)).then(([connect, ...network]) => {
  if (services) held.network = network.every(Boolean);
  process.stdout.write(JSON.stringify({ ...held, connect }));
});
`;
