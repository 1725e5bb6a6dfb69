/** Tests that a proof runs try to leave their sandbox. */
import { readFileSync } from "node:fs";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { createServer, type ListenOptions, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { confinesHere } from "../../test/sandbox/bubblewrap.ts";
import { escapeTest } from "../../test/sandbox/escape-test.ts";
import { proofProject, type ProofProject } from "../../test/proof-project.ts";
import { newFolder } from "../../test/support/folder.ts";
import { environment } from "../config/env.ts";
import { newId } from "../lib/ids.ts";
import { livingProcesses } from "../process/proc.ts";
import type { Baseline } from "./baseline.ts";
import type { ProofPorts } from "./ports.ts";

const oracle = "exports.answer = 42;\n";

describe.skipIf(!confinesHere())("a proof whose programs are confined (SKIPPED without bubblewrap)", () => {
  let project: ProofProject;
  let commit: string;
  let home: string;
  let stateRoot: string;
  const servers: Server[] = [];
  const sleeps = `31${Math.floor(process.pid / 7)}.5`;
  const listen = async (options: ListenOptions) => {
    const server = createServer((socket) => socket.end());
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(options, resolve));
    return server.address();
  };
  beforeAll(async () => {
    const [unnamed, folder] = [`mettle-${newId()}`, newFolder()];
    home = join(folder, "home");
    stateRoot = join(folder, "state");
    for (const path of [home, stateRoot]) await mkdir(path);
    const [login, journal, socket] = [
      join(home, "login"),
      join(stateRoot, "mettle.db"),
      join(home, "socket"),
    ];
    for (const path of [login, journal]) await writeFile(path, "secret");
    await listen({ path: socket });
    await listen({ path: `\0${unnamed}` });
    const address = await listen({ host: "127.0.0.1", port: 0 });
    const port = typeof address === "object" && address !== null ? address.port : 0;
    project = await proofProject({ "package.json": '{ "name": "x" }\n' });
    const { repo } = project;
    const worktree = join(folder, "other");
    await repo.git("worktree", "add", "--quiet", worktree);
    await mkdir(join(repo.dir, "node_modules/oracle"), { recursive: true });
    await writeFile(join(repo.dir, "node_modules/oracle/index.js"), oracle);
    const places = {
      checkout: repo.dir,
      worktree,
      commit: project.base,
      home,
      stateRoot,
      port,
      unnamed,
      socket,
      sleeps,
    };
    const text = escapeTest({ ...places, secrets: [login, journal], pid: process.pid });
    commit = await project.commitOn(project.base, { "tests/escape.test.js": text });
  });
  afterAll(() => {
    for (const server of servers) server.close();
  });

  const ports = (isConfined: boolean): Partial<ProofPorts> => ({
    env: { ...environment(), HOME: home },
    ...(isConfined ? { sandbox: { isRequired: true, stateRoot, folders: [] } } : {}),
  });
  /** The names of the escape tests that did not pass. */
  const through = ({ suite }: Baseline) =>
    suite.report.tests.flatMap(({ id, status }) =>
      status === "passed" ? [] : [id.split("::").at(-1) ?? ""],
    );

  test("no attempt to leave the sandbox succeeds, and what tests need works", async () => {
    const own = await project.own({ commit, ports: ports(true) });
    expect(through(own)).toEqual([]);
    expect(own.suite.report.tests.length).toBeGreaterThan(30);
    expect(own.drafts.map(({ isolation }) => isolation)).toEqual([
      expect.stringMatching(/^bubblewrap \d+\.\d+\.\d+ \(held: write, .*, network\)$/u),
    ]);
    expect(await readFile(join(project.repo.dir, "node_modules/oracle/index.js"), "utf8")).toBe(oracle);
    expect(await readdir(join(project.repo.dir, "node_modules"))).toEqual(["oracle"]);
    expect(programsWith(sleeps)).toEqual([]);
  });

  test("without a sandbox the same attempts succeed, and the record says so", async () => {
    const own = await project.own({ commit, ports: ports(false) });
    expect(through(own)).toEqual(
      expect.arrayContaining([
        "network: port",
        "network: socket without a file",
        "network: socket",
        "home: empty",
        "secret: login",
        "secret: mettle.db",
        "state home: write",
        "checkout: read",
        "checkout: write",
        "checkout: git",
        "worktree: read",
        "git: other commit",
        "dependency: write",
        "dependency: add",
        "process: signal",
        "process: environment",
      ]),
    );
    expect(own.drafts.map(({ isolation }) => isolation)).toEqual(["none"]);
  });
});

/** The command lines that contain a text. */
function programsWith(text: string): readonly string[] {
  return livingProcesses()
    .map(({ pid }) => readPlain(`/proc/${pid}/cmdline`))
    .filter((line) => line.includes(text));
}

function readPlain(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // ended
  }
}
