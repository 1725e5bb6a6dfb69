#!/usr/bin/env node
// `docker compose` for the test of docs/operate.md: the services of the compose file as plain processes, each with its own command and
// environment. PostgreSQL is the server of the test. PLACE names a folder: homes, pids and output; PROGRAMS those of PostgreSQL.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parse } from "yaml";

const { PLACE = "", PROGRAMS = "", SERVER = "", METTLE_STORE_URL: url = "", COMPOSE_FILE = "" } = process.env;
const { services } = parse(readFileSync(COMPOSE_FILE, "utf8"), { merge: true });
const [, verb = "", ...rest] = process.argv.slice(2);
const words = rest.filter((word) => !word.startsWith("-"));

const filled = (text) => text.replaceAll(/\$\{(\w+)\}/g, (_, name) => process.env[name] ?? "");
const fileOf = (name, what) => join(PLACE, `${name}.${what}`);
const pidOf = (name) =>
  existsSync(fileOf(name, "pid")) ? Number(readFileSync(fileOf(name, "pid"), "utf8")) : null;

function environmentOf(name) {
  const home = join(PLACE, name);
  mkdirSync(home, { recursive: true });
  const own = Object.entries(services[name].environment).map(([key, text]) => [
    key,
    filled(text).replace("@postgres:5432", `@${SERVER}`),
  ]);
  return {
    PATH: process.env.PATH,
    HOME: home,
    METTLE_SANDBOX: "off",
    METTLE_MUTATION_BUDGET: "0",
    ...Object.fromEntries(own),
  };
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return !/^\S+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

function start(name) {
  for (const other of Object.keys(services[name].depends_on ?? {})) start(other);
  const pid = pidOf(name);
  if (services[name].image.startsWith("postgres:") || (pid !== null && isRunning(pid))) return;
  const [program, ...args] = services[name].command.map((word) =>
    word.replace("0.0.0.0:9464", "127.0.0.1:0"),
  );
  const out = openSync(fileOf(name, "out"), "a");
  const child = spawn(program, args, {
    env: environmentOf(name),
    stdio: ["ignore", out, out],
    detached: true,
  });
  child.unref();
  writeFileSync(fileOf(name, "pid"), `${child.pid}`);
}

async function end(name, signal) {
  const pid = pidOf(name);
  if (pid === null || !isRunning(pid)) return;
  process.kill(pid, signal);
  for (let look = 0; look < 600 && isRunning(pid); look++) await pause(100);
  rmSync(fileOf(name, "pid"));
}

/** Runs a command to its end, as `run` and `exec` do. */
function call(name, [program, ...args]) {
  const isServer = services[name].image.startsWith("postgres:");
  const [host, port] = SERVER.split(":");
  const env = isServer
    ? { PATH: PROGRAMS, PGHOST: host, PGPORT: port, PGPASSWORD: new URL(url).password }
    : environmentOf(name);
  process.exitCode = spawnSync(program, args, { env, stdio: "inherit" }).status ?? 1;
}

switch (verb) {
  case "up":
    for (const name of words.length === 0 ? Object.keys(services) : words) start(name);
    break;
  case "kill":
    for (const name of words) await end(name, "SIGKILL");
    break;
  case "stop":
    for (const name of words) await end(name, "SIGTERM");
    break;
  case "run":
  case "exec": {
    const at = rest.findIndex((word) => !word.startsWith("-"));
    call(rest[at], rest.slice(at + 1));
    break;
  }
  default:
    process.stderr.write(`docker compose ${verb} is not known here\n`);
    process.exitCode = 2;
}
