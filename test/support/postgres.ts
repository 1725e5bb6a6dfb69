/**
 * A real PostgreSQL for the tests of one file: in a folder of its own, on a free port of 127.0.0.1, removed after the file.
 * Debian's packages have the programs in /usr/lib/postgresql/VERSION/bin.
 */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterFile, newFolder } from "./folder.ts";

/** Where claims of tests are made. */
export const claimHost = (name = "here") => ({ name, home: "h1", boot: "b1", processes: "p1" });

const missing = "PostgreSQL 15 or newer is not installed in /usr/lib/postgresql";

export interface PostgresServer {
  /** With a password. */
  readonly url: string;
  readonly port: number;
  /** A database of its own, empty. */
  newDatabase(): string;
  /** Runs SQL as an operator would, and returns what psql prints. */
  psql(url: string, sql: string): string;
  /** Ends the server at once, like a crash; all connections break. */
  crash(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
  /** Makes every process of the server hang, or go on. */
  signal(name: "SIGSTOP" | "SIGCONT"): void;
}

const programs = newestPrograms();
/** Its tests cite no promise of the local store, which would be unproved on a machine without PostgreSQL. */
export const hasPostgres = programs !== null;
if (!hasPostgres) console.warn(`SKIPPED the store on PostgreSQL: ${missing}`);

/** @param settings settings of the server; fsync is off unless one turns it on */
export async function startPostgres(
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  if (programs === null) throw new Error(missing);
  const folder = newFolder();
  const identity = unprivileged();
  const own = (path: string, mode: number) => {
    chmodSync(path, mode);
    if (identity.uid !== undefined) chownSync(path, identity.uid, identity.gid ?? identity.uid);
  };
  own(folder, 0o700);
  const data = join(folder, "data");
  const password = randomBytes(16).toString("hex");
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, password, { mode: 0o600 });
  own(passwordFile, 0o600);
  const asServer = { ...identity, cwd: folder, env: { LC_ALL: "C" } };
  execFileSync(
    join(programs, "initdb"),
    [
      "-D",
      data,
      "-U",
      "mettle",
      "-A",
      "scram-sha-256",
      "--pwfile",
      passwordFile,
      "-E",
      "UTF8",
      "--locale=C",
      "--no-sync",
    ],
    { ...asServer, stdio: ["ignore", "ignore", "pipe"] },
  );
  rmSync(passwordFile);
  let port = await freePort();
  const urlOf = (database: string) => `postgres://mettle:${password}@127.0.0.1:${port}/${database}`;
  const psql = (url: string, sql: string) =>
    execFileSync(
      join(programs, "psql"),
      ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", sql],
      {
        encoding: "utf8",
        env: { PGCONNECT_TIMEOUT: "5" },
        stdio: ["ignore", "pipe", "pipe"],
        timeout: 30_000,
      },
    ).trim();

  let server: ChildProcess;
  const chosen = { fsync: "off", ...settings, listen_addresses: "127.0.0.1", unix_socket_directories: "" };
  const start = async () => {
    server = spawn(
      join(programs, "postgres"),
      [
        "-D",
        data,
        "-p",
        `${port}`,
        ...Object.entries(chosen).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
      ],
      { ...asServer, stdio: "ignore" },
    );
    for (let tries = 1; ; tries++) {
      try {
        psql(urlOf("postgres"), "SELECT 1");
        return;
      } catch (error) {
        if (tries === 100 || server.exitCode !== null) throw error;
        await pause(100);
      }
    }
  };
  const end = async (signal: "SIGINT" | "SIGQUIT") => {
    const ending = server; // another one may be started before the bound
    if (ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = new Promise((resolve) => ending.once("exit", resolve));
    ending.kill(signal);
    const bound = setTimeout(() => ending.kill("SIGKILL"), 10_000);
    await ended;
    clearTimeout(bound);
  };
  const signal = (name: NodeJS.Signals) => {
    const children = execFileSync("ps", ["-o", "pid=", "--ppid", `${server.pid}`], { encoding: "utf8" });
    for (const pid of [server.pid, ...children.split("\n").map(Number)])
      if (pid !== undefined && pid > 0) process.kill(pid, name);
  };

  for (let tries = 1; ; tries++) {
    try {
      await start();
      break;
    } catch (error) {
      // Another program took the port before the server did.
      if (tries === 5) throw error;
      port = await freePort();
    }
  }
  const killNow = () => void server.kill("SIGQUIT");
  process.once("exit", killNow);
  afterFile(async () => {
    process.off("exit", killNow);
    await end("SIGINT");
  });
  let databases = 0;
  return {
    url: urlOf("postgres"),
    port,
    newDatabase() {
      const name = `test_${(databases += 1)}`;
      psql(urlOf("postgres"), `CREATE DATABASE ${name}`);
      return urlOf(name);
    },
    psql,
    crash: () => end("SIGQUIT"),
    start,
    signal,
  };
}

function newestPrograms(): string | null {
  const home = "/usr/lib/postgresql";
  const versions = existsSync(home) ? readdirSync(home).map(Number) : [];
  const [newest] = versions.filter((version) => version >= 15).toSorted((a, b) => b - a);
  const folder = join(home, `${newest}`, "bin");
  return newest !== undefined && existsSync(join(folder, "initdb")) ? folder : null;
}

/** PostgreSQL refuses to run as root. */
function unprivileged(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (kind: "-u" | "-g") => Number(execFileSync("id", [kind, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
