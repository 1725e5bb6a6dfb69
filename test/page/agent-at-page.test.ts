/**
 * An agent looks for the address of the page, in the sandbox and without it: in files, the environment, the list of processes with
 * their memory maps, and sockets.
 * @module-tag ci
 */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { runProgram } from "../../src/agents/program.ts";
import { packageRoot } from "../../src/config/package-root.ts";
import { sha256 } from "../../src/lib/hash.ts";
import { machineConfinement } from "../../src/sandbox/machine.ts";
import { rulesToShow } from "../../src/process/sandbox/places.ts";
import { makeDoorway } from "../../src/ui/doorway.ts";
import { confinesHere } from "../sandbox/bubblewrap.ts";
import { afterFile, newFolder } from "../support/folder.ts";
import { verifiesWhen } from "../verifies.ts";

/** Prints the ways that led to the page or its token. */
const agentSource = (found: {
  readonly port: number;
  readonly pid: number;
  readonly state: string;
  readonly hash: string;
}) => `
const { readFileSync, readdirSync, statSync } = require("node:fs");
const { connect } = require("node:net");
const { createHash } = require("node:crypto");
const ways = [];
// Other programs have tokens of the same form; only the hash says which is the page's.
const isToken = (word) => createHash("sha256").update(word).digest("hex") === "${found.hash}";
const look = (name, read) => { try { if ((read().match(/mettle_[0-9a-f]{64}/g) ?? []).some(isToken)) ways.push(name); } catch {} };
const files = (folder, depth) => {
  let names = [];
  try { names = readdirSync(folder, { withFileTypes: true }); } catch { return; }
  for (const entry of names) {
    const path = folder + "/" + entry.name;
    if (entry.isDirectory() && depth > 0) files(path, depth - 1);
    else if (entry.isFile()) look("file", () => (statSync(path).size < 1e6 ? readFileSync(path, "latin1") : ""));
  }
};
files(${JSON.stringify(found.state)}, 3);
look("own environment", () => JSON.stringify(process.env));
let seen = false;
for (const pid of readdirSync("/proc").filter((name) => /^[0-9]+$/.test(name))) {
  try { if (pid !== String(process.pid) && readFileSync("/proc/" + pid + "/cmdline", "latin1").includes("mettle.cjs")) seen = true; } catch {}
  for (const name of ["cmdline", "environ"]) look("process " + name, () => readFileSync("/proc/" + pid + "/" + name, "latin1"));
}
if (seen) ways.push("the server in the list of processes");
try { readFileSync("/proc/${found.pid}/maps"); if (seen) ways.push("its memory"); } catch {}
const client = connect(${found.port}, "127.0.0.1");
const end = () => { process.stdout.write([...new Set(ways)].sort().join(", ") + "\\n"); process.exit(0); };
client.on("connect", () => client.write("GET / HTTP/1.1\\r\\nHost: 127.0.0.1:${found.port}\\r\\n\\r\\n"));
client.on("data", (data) => { ways.push("the port"); look("its answer", () => String(data)); end(); });
client.on("error", end);
setTimeout(end, 5000);
`;

verifiesWhen(
  confinesHere(),
  "bubblewrap does not work here",
  "SEE-07",
  "a confined agent finds neither the token nor the page; without a sandbox it finds the server, but no token that is not in a file",
  async () => {
    const [state, work, home] = ["state", "work", "home"].map((name) => join(newFolder(), name));
    for (const folder of [state, work, home]) mkdirSync(folder ?? "");
    const env = { PATH: process.env["PATH"] ?? "", HOME: home ?? "", METTLE_HOME: state ?? "" };
    const server = spawn(process.execPath, [packageRoot("dist/bin/mettle.cjs"), "ui", "--no-open"], {
      env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    afterFile(() => server.kill("SIGINT"));
    const address = await firstLine(server);
    // The worst moment: nobody has used the address, and the file that leads the browser to it is still there.
    const doorway = await makeDoorway(state ?? "", address);
    const file = join(work ?? "", "agent.cjs");
    const { port: portText, searchParams } = new URL(address);
    const port = Number(portText);
    const hash = sha256(searchParams.get("token") ?? "").slice("sha256:".length);
    writeFileSync(file, agentSource({ port, pid: server.pid ?? 0, state: state ?? "", hash }));

    const host = { path: env.PATH, env, node: process.execPath };
    const machine = await machineConfinement({
      host,
      stateRoot: state ?? "",
      repository: null,
      network: "loopback",
    });
    if (machine === null) throw new Error("bubblewrap is not installed");
    const rules = [...machine.rules, ...(await rulesToShow(work ?? "", "writable", machine.hidden))];
    const waysOf = async (confinement: typeof machine | null): Promise<string> => {
      const lines: string[] = [];
      await runProgram(
        {
          file: process.execPath,
          argv: [file],
          env: { PATH: env.PATH },
          input: "",
          onLine: ({ text }) => lines.push(text.trim()),
        },
        {
          cwd: work ?? "",
          wallMs: 30_000,
          idleMs: 30_000,
          ...(confinement === null ? {} : { confinement }),
        },
        new AbortController().signal,
      );
      return lines.join("\n");
    };
    expect(await waysOf({ ...machine, rules })).toBe("");
    const unconfined = await waysOf(null);
    expect(unconfined).toContain("file");
    expect(unconfined).toContain("the port");
    expect(unconfined).toContain("the server in the list of processes");
    doorway.remove();
    const later = await waysOf(null);
    expect(later).not.toMatch(/\bfile\b|cmdline|environ|answer/u);
  },
);

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.once("data", (data: Buffer) => resolve(String(data).trim()));
    child.once("close", () => reject(new Error("it ended before it printed an address")));
  });
}
