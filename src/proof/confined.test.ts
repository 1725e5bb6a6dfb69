/** Tests that a proof runs try to leave their sandbox. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, readFile, readdir, symlink, writeFile } from "node:fs/promises";
import { createServer, type ListenOptions, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { confinesHere, programHere } from "../../test/sandbox/bubblewrap.ts";
import { escapeTest } from "../../test/sandbox/escape-test.ts";
import { proofProject, type ProofProject } from "../../test/proof-project.ts";
import { newFolder } from "../../test/support/folder.ts";
import { inCi, verifies } from "../../test/verifies.ts";
import { environment } from "../config/env.ts";
import { newId } from "../lib/ids.ts";
import { livingProcesses } from "../process/proc.ts";
import type { Baseline } from "./base/baseline.ts";
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
    project = await proofProject({ "package.json": '{ "name": "x" }\n' }, { isConfined: false });
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
    ...(isConfined ? { sandbox: { least: "whole" as const, stateRoot, folders: [] } } : {}),
  });
  /** The names of the escape tests that did not pass. */
  const through = ({ suite }: Baseline) =>
    suite.report.tests.flatMap(({ id, status }) =>
      status === "passed" ? [] : [id.split("::").at(-1) ?? ""],
    );

  verifies(
    "PRV-20",
    "no attempt of a test to leave the sandbox succeeds, and what tests need works (fault P7)",
    async () => {
      const own = await project.own({ commit, ports: ports(true) });
      expect(through(own)).toEqual([]);
      expect(own.suite.report.tests.length).toBeGreaterThan(30);
      expect(own.drafts.map(({ isolation }) => isolation)).toEqual([
        expect.stringMatching(/^bubblewrap \d+\.\d+\.\d+ \(held: write, .*, network\)$/u),
      ]);
      expect(await readFile(join(project.repo.dir, "node_modules/oracle/index.js"), "utf8")).toBe(oracle);
      expect(await readdir(join(project.repo.dir, "node_modules"))).toEqual(["oracle"]);
      expect(programsWith(sleeps)).toEqual([]);
    },
  );

  inCi("without a sandbox the same attempts succeed, and the record says so", async () => {
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

verifies(
  "PRV-20",
  "where bubblewrap is missing the record says so, and a required sandbox refuses",
  async () => {
    const bin = newFolder();
    await symlink(programHere("git"), join(bin, "git"));
    const text = 'require("node:test")("works", () => {});\n';
    const project = await proofProject({ "package.json": "{}\n", "tests/a.test.js": text });
    const sandbox = { stateRoot: join(bin, "state"), folders: [] };
    const ports = (least: "none" | "whole"): Partial<ProofPorts> => ({
      repository: { ...project.repository, path: bin },
      sandbox: { ...sandbox, least },
    });
    const { suite, drafts } = await project.own({ ports: ports("none") });
    expect(suite.report.tests.map(({ status }) => status)).toEqual(["passed"]);
    expect(drafts.map(({ isolation }) => isolation)).toEqual(["none"]);
    await expect(project.own({ ports: ports("whole") })).rejects.toMatchObject({
      code: "sandbox_missing",
      message: expect.stringContaining("bubblewrap is not installed"),
    });
  },
);

const python = spawnSync("python3", ["-c", "import venv"]).status === 0;

describe.skipIf(!confinesHere() || !python)("a virtual environment (SKIPPED without python)", () => {
  inCi(
    "is readable for tests only, with the projects that are installed in it as editable (fault P7)",
    async () => {
      const other = join(newFolder(), "other");
      await mkdir(other);
      await writeFile(join(other, "edited.py"), "answer = 42\n");
      const text = `import os, sys, unittest
import oracle, edited
class Test(unittest.TestCase):
    def test_reads(self):
        self.assertEqual((oracle.answer, edited.answer), (42, 42))
        self.assertIn(".venv", sys.prefix)
    def test_writes_nothing(self):
        for module in (oracle, edited):
            folder = os.path.dirname(module.__file__)
            for path in (module.__file__, os.path.join(folder, "added.py"), os.path.join(folder, "__pycache__", "added")):
                with self.assertRaises(OSError):
                    os.makedirs(os.path.dirname(path), exist_ok=True)
                    open(path, "a")
`;
      const project = await proofProject(
        { ".gitignore": ".venv\n", "tests/__init__.py": "", "tests/test_a.py": text },
        { isConfined: true },
      );
      const { dir } = project.repo;
      expect(spawnSync("python3", ["-m", "venv", "--without-pip", join(dir, ".venv")]).status).toBe(0);
      const [version = ""] = await readdir(join(dir, ".venv/lib"));
      const site = join(dir, ".venv/lib", version, "site-packages");
      await writeFile(join(site, "oracle.py"), "answer = 42\n");
      await writeFile(join(site, "other.pth"), `${other}\n`);
      const { suite } = await project.own({ settings: { runner: "unittest" } });
      expect(suite.report.tests.map(({ id, status }) => [id.split("::").at(-1), status])).toEqual([
        ["test_reads", "passed"],
        ["test_writes_nothing", "passed"],
      ]);
      expect((await readdir(site)).toSorted()).toEqual(["oracle.py", "other.pth"]);
    },
  );
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
