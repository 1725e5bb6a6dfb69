/**
 * A test file of node:test that tries to leave the sandbox of a proof. Each of its tests passes if the attempt fails, or, for
 * the names that begin with `own`, if what tests need works.
 */
export interface EscapePlaces {
  /** The user's checkout; its node_modules contain the package `oracle`. */
  readonly checkout: string;
  /** Another worktree of the repository. */
  readonly worktree: string;
  /** A commit of the repository that is not the tested one. */
  readonly commit: string;
  readonly home: string;
  readonly stateRoot: string;
  /** Absolute paths of files that must be unreadable. */
  readonly secrets: readonly string[];
  /** A port of 127.0.0.1, a socket without a file, and one with a file. */
  readonly port: number;
  readonly unnamed: string;
  readonly socket: string;
  /** A process outside. */
  readonly pid: number;
  /** Seconds that no other program sleeps. */
  readonly sleeps: string;
}

export function escapeTest(places: EscapePlaces): string {
  return `const test = require("node:test");
const assert = require("node:assert/strict");
const fs = require("node:fs"), net = require("node:net"), os = require("node:os"), path = require("node:path");
const { spawn, spawnSync } = require("node:child_process");
const places = ${JSON.stringify(places)};
const fails = (name, attempt) => test(name, () => assert.throws(attempt));
const connects = (target) => new Promise((resolve) => {
  const socket = net.connect(target).on("connect", () => { socket.destroy(); resolve(true); }).on("error", () => resolve(false));
});
const git = (...args) => spawnSync("git", args, { encoding: "utf8" });
/** Opened for writing and closed again. */
const open = (file) => fs.closeSync(fs.openSync(file, "r+"));

test("network: port", async () => assert.equal(await connects({ host: "127.0.0.1", port: places.port }), false));
test("network: socket without a file", async () => assert.equal(await connects("\\0" + places.unnamed), false));
test("network: socket", async () => assert.equal(await connects(places.socket), false));
test("network: interfaces", () => assert.deepEqual(Object.keys(os.networkInterfaces()), ["lo"]));
test("network: sockets of services", () => assert.deepEqual(fs.readdirSync("/run").filter((name) => /sock|dbus|docker|user/.test(name)), []));
test("home: empty", () => assert.deepEqual(fs.readdirSync(places.home), []));
test("home: own", () => assert.deepEqual(fs.readdirSync(os.homedir()), []));
for (const file of places.secrets) fails("secret: " + path.basename(file), () => fs.readFileSync(file));
fails("state home: write", () => fs.writeFileSync(path.join(places.stateRoot, "tried"), ""));
fails("checkout: read", () => fs.readFileSync(path.join(places.checkout, "package.json")));
fails("checkout: write", () => fs.writeFileSync(path.join(places.checkout, "tried"), ""));
fails("checkout: git", () => fs.readdirSync(path.join(places.checkout, ".git", "objects")));
fails("worktree: read", () => fs.readFileSync(path.join(places.worktree, "package.json")));
test("git: other commit", () => assert.notEqual(git("cat-file", "-e", places.commit).status, 0));
fails("dependency: write", () => fs.appendFileSync(require.resolve("oracle"), "\\n// written"));
fails("dependency: add", () => fs.writeFileSync(path.join(places.checkout, "node_modules", "added.js"), ""));
fails("dependency: rename", () => fs.renameSync(path.dirname(require.resolve("oracle")), path.join(places.checkout, "node_modules", "gone")));
fails("process: signal", () => process.kill(places.pid, 0));
fails("process: environment", () => fs.readFileSync("/proc/" + places.pid + "/environ"));
test("own: dependency", () => assert.equal(require("oracle").answer, 42));
test("own: loopback", async () => {
  const server = net.createServer((socket) => socket.end());
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  assert.equal(await connects({ host: "127.0.0.1", port: server.address().port }), true);
  server.close();
});
test("own: folders", () => {
  for (const folder of [process.cwd(), os.homedir(), os.tmpdir(), "/tmp", path.join(process.cwd(), "node_modules")])
    fs.rmSync(fs.mkdtempSync(path.join(folder, "tried-")), { recursive: true });
});
test("own: git", () => {
  const { stdout, stderr } = git("status", "--porcelain");
  assert.deepEqual([stdout, stderr], ["", ""]);
  assert.equal(git("rev-list", "--all", "--count").stdout.trim(), "1");
  assert.match(git("show", "HEAD:package.json").stdout, /name/);
});
test("own: user", () => assert.notEqual(os.userInfo().username, ""));
test("own: child that stays", () => {
  spawn("/bin/sh", ["-c", "sleep " + places.sleeps + " & exit 0"], { detached: true, stdio: "ignore", env: { PATH: process.env.PATH } }).unref();
});
// These would succeed for root outside of the sandbox, so they are tried inside alone.
if (fs.readdirSync(places.home).length === 0) {
  fails("machine: kernel settings", () => fs.closeSync(fs.openSync("/proc/sys/kernel/core_pattern", fs.constants.O_WRONLY)));
  fails("machine: settings", () => open("/etc/hosts"));
  fails("machine: shadow", () => fs.readFileSync("/etc/shadow"));
  fails("machine: program", () => open("/bin/sh"));
  test("machine: unmount", () => assert.notEqual(spawnSync("umount", ["-l", places.home]).status, 0));
  test("machine: nested", () => assert.notEqual(spawnSync("unshare", ["--user", "--map-root-user", "--mount", "true"]).status, 0));
  test("machine: rights", () => assert.match(fs.readFileSync("/proc/self/status", "utf8"), /^CapEff:\\s*0+$/m));
}
`;
}
