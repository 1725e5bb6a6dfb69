// Prepares a checkout: checks git, installs packages, builds dist/. Fast if nothing is stale. Each stamp is inside the folder
// that it describes, so a deleted folder is stale.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { cleanEnvironment } from "./environment.mjs";
import { withLock } from "./lock.mjs";
import { npm } from "./npm.mjs";
import { root, work } from "./root.mjs";
import { hashOf, readStamp, writeStamp } from "./stamp.mjs";
import { runStep, say } from "./step.mjs";

const installed = join(root, "node_modules", ".mettle-installed");
const built = join(root, "dist", ".mettle-built");
const waitMs = 15 * 60_000;

/** @returns 0, or the exit code of a reported failure */
export async function prepare() {
  return checkGit() || (isReady() ? 0 : underLock());
}

/** The native packages use N-API, so an installation depends on the platform and not on the version of Node. */
function installationNeeded() {
  return `${hashOf(root, ["package-lock.json"])} ${process.platform} ${process.arch}`;
}

function buildNeeded() {
  const sources = [
    "src",
    "protocols",
    "scripts/build.mjs",
    "tsconfig.json",
    "tsconfig.build.json",
    "package.json",
  ];
  return `${installationNeeded()} ${hashOf(root, sources, (name) => !/\.test\.ts$|[/]fixtures[/]/.test(name))}`;
}

function isReady() {
  return readStamp(installed) === installationNeeded() && readStamp(built) === buildNeeded();
}

async function underLock() {
  const onWait = (pid) => say(`process ${pid} is installing or building here; waiting for it`);
  try {
    return await withLock(
      join(work, "lock"),
      { waitMs, onWait },
      async () => (await install()) || (await build()),
    );
  } catch (error) {
    if (error.code !== "LOCKED") throw error;
    process.stderr.write(
      `error[setup_locked]: ${error.message}\nhint: end that process, or wait for it, and try again\n`,
    );
    return 5;
  }
}

async function install() {
  const needed = installationNeeded();
  if (readStamp(installed) === needed) return 0;
  say("installing the packages of package-lock.json (npm ci)");
  const [file, first] = npm();
  const flags = [
    "--include=dev",
    "--include=optional",
    "--no-audit",
    "--no-fund",
    "--no-update-notifier",
    "--loglevel=error",
  ];
  const failed = await runStep({
    name: "npm ci",
    code: "install_failed",
    hint: "check that the npm registry can be reached, then try again",
    file,
    argv: [...first, "ci", ...flags],
    env: cleanEnvironment(),
    timeoutMs: 10 * 60_000,
  });
  if (failed === 0) writeStamp(installed, needed);
  return failed;
}

async function build() {
  const needed = buildNeeded();
  if (readStamp(built) === needed) return 0;
  const failed = await runStep({
    name: "build of dist/",
    code: "build_failed",
    hint: "fix the sources named above, then try again",
    file: process.execPath,
    argv: ["scripts/build.mjs"],
    env: cleanEnvironment(),
    timeoutMs: 5 * 60_000,
  });
  if (failed === 0) writeStamp(built, needed);
  return failed;
}

function checkGit() {
  const version = spawnSync("git", ["--version"], { encoding: "utf8", timeout: 10_000 });
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version.stdout ?? "") ?? [];
  if (Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 38)) return 0;
  const found = major === undefined ? "git was not found on PATH" : `this is git ${major}.${minor}`;
  process.stderr.write(
    `error[git_missing]: ${found}, Mettle needs 2.38 or newer\nhint: install git (https://git-scm.com)\n`,
  );
  return 5;
}
