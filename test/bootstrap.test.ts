import { spawn, spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { newFolder } from "./support/folder.ts";
import { inCi } from "./verifies.ts";

/** A package without dependencies with the real bootstrap; its build and its commands only print that they ran. */
let template = "";
let folder = "";

beforeAll(() => {
  template = folder = newFolder();
  cpSync("scripts/bootstrap.mjs", join(folder, "scripts/bootstrap.mjs"));
  cpSync("scripts/setup", join(folder, "scripts/setup"), { recursive: true });
  const self = { name: "x", version: "1.0.0" };
  put("package.json", JSON.stringify({ ...self, type: "module" }));
  put(
    "package-lock.json",
    JSON.stringify({ ...self, lockfileVersion: 3, requires: true, packages: { "": self } }),
  );
  put("src/a.ts", "export const a = 1;\n");
  put("scripts/build.mjs", build);
  put("scripts/check.mjs", "console.log('checked', ...process.argv.slice(2));process.exitCode = 7;\n");
  first = bootstrap(["check", "--all"]);
});
let first: ReturnType<typeof bootstrap>;

beforeEach(() => {
  folder = newFolder();
  cpSync(template, folder, { recursive: true });
});
afterAll(() => rmSync(template, { recursive: true, force: true }));

const build = `import { appendFileSync, mkdirSync } from "node:fs";
mkdirSync("dist", { recursive: true });
appendFileSync("built.log", "built\\n");
`;

function put(path: string, text: string): void {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function bootstrap(args: readonly string[], options: { node?: readonly string[]; path?: string } = {}) {
  const env = { ...process.env, ...(options.path === undefined ? {} : { PATH: options.path }) };
  const argv = [...(options.node ?? []), "scripts/bootstrap.mjs", ...args];
  return spawnSync(process.execPath, argv, { cwd: folder, encoding: "utf8", env, timeout: 60_000 });
}

function builds(): number {
  const log = join(folder, "built.log");
  return existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").length : 0;
}

inCi("it installs and builds only when needed, and passes on arguments and the exit code", () => {
  expect([first.stdout, first.status, builds()]).toEqual(["checked --all\n", 7, 1]);
  expect(first.stderr).toMatch(
    /^mettle: installing .*\nmettle: npm ci: .* s\nmettle: build of dist\/: .* s\n$/,
  );

  const second = bootstrap(["check"]);
  expect([second.stdout, second.stderr, second.status, builds()]).toEqual(["checked\n", "", 7, 1]);

  put("src/a.test.ts", "// a test is no part of the build\n");
  bootstrap(["check"]);
  expect(builds()).toBe(1);

  put("src/a.ts", "export const a = 2;\n");
  expect(bootstrap(["check"]).stderr).toMatch(/^mettle: build of dist\//);
  expect(builds()).toBe(2);

  rmSync(join(folder, "node_modules"), { recursive: true });
  expect(bootstrap(["check"]).stderr).toContain("npm ci");
  expect(builds()).toBe(2);
});

inCi("a failed build reports the step and its last lines, and starts nothing", () => {
  put("scripts/build.mjs", "for (let i = 1; i <= 30; i++) console.log(`line ${i}`);process.exit(3);\n");
  const { stdout, stderr, status } = bootstrap(["check"]);
  expect([stdout, status]).toEqual(["", 5]);
  expect(stderr).toContain(
    "error[build_failed]: build of dist/ failed (exit 3); the last lines:\n  line 11\n",
  );
  expect(stderr).toMatch(/ {2}line 30\nhint: /);
});

inCi("a failed installation reports the step", () => {
  put("package-lock.json", "{");
  const { stderr, status } = bootstrap(["check"]);
  expect(status).toBe(5);
  expect(stderr).toContain("error[install_failed]: npm ci failed (exit ");
});

inCi("of two calls at once one builds and the other waits", async () => {
  put("scripts/build.mjs", `${build}await new Promise((done) => setTimeout(done, 700));\n`);
  const ended = await Promise.all([start(["check"]), start(["check"])]);
  expect(ended.map(({ code }) => code)).toEqual([7, 7]);
  expect(builds()).toBe(2);
  expect(ended.map(({ stderr }) => stderr).join("")).toMatch(
    /process \d+ is installing or building here; waiting/,
  );
});

inCi("the lock of a dead process is taken over", () => {
  const dead = spawnSync(process.execPath, ["-e", "process.stdout.write(String(process.pid))"], {
    encoding: "utf8",
  });
  put(".mettle-build/lock", `${dead.stdout} 1\n`);
  put("src/a.ts", "export const a = 3;\n");
  expect([bootstrap(["check"]).status, builds()]).toEqual([7, 2]);
  expect(existsSync(join(folder, ".mettle-build/lock"))).toBe(false);
});

inCi("the lock of another process with the same number is taken over too", () => {
  if (process.platform === "linux") put(".mettle-build/lock", `${process.pid} 1\n`);
  put("src/a.ts", "export const a = 3;\n");
  expect([bootstrap(["check"]).status, builds()]).toEqual([7, 2]);
});

inCi("old versions of Node and git are refused with a hint", () => {
  const old = `data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.18.3"})`;
  const node = bootstrap(["check"], { node: ["--import", old] });
  expect([node.status, node.stderr.split("\n")[0]]).toEqual([
    5,
    "error[node_too_old]: this is Node 20.18.3, Mettle needs 20.19 or newer",
  ]);
  put("bin/git", "#!/bin/sh\necho git version 2.37.1\n");
  chmodSync(join(folder, "bin/git"), 0o755);
  const git = bootstrap(["check"], { path: join(folder, "bin") });
  expect([git.status, git.stderr.split("\n")[0]]).toEqual([
    5,
    "error[git_missing]: this is git 2.37, Mettle needs 2.38 or newer",
  ]);
  const none = bootstrap(["check"], { path: join(folder, "src") });
  expect(none.stderr).toContain("git was not found on PATH");
});

inCi("an unknown or missing command prints the usage and exits with 2; --help exits with 0", () => {
  for (const args of [[], ["tset"], ["build", "--fast"]]) {
    const { stdout, stderr, status } = bootstrap(args);
    expect([stdout, status]).toEqual(["", 2]);
    expect(stderr).toContain("usage: node scripts/bootstrap.mjs COMMAND");
  }
  expect(bootstrap(["--help"])).toMatchObject({ status: 0, stderr: "" });
});

function start(args: readonly string[]): Promise<{ code: number | null; stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ["scripts/bootstrap.mjs", ...args], {
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let stderr = "";
    child.stderr.on("data", (chunk) => (stderr += String(chunk)));
    child.on("close", (code) => resolve({ code, stderr }));
  });
}
