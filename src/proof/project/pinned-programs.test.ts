/** A pinned interpreter, toolchain or loader is used, or its absence is exit 5 with its name. (fault E3) */
import { chmod, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { proofProject, rules, type ProofProject } from "../../../test/proof-project.ts";
import { newFolder } from "../../../test/support/folder.ts";
import { verifiesWhen } from "../../../test/verifies.ts";
import { programOf } from "../../evidence/fixtures/run-native.ts";
import { unittest } from "../../evidence/runners/unittest.ts";
import { AppError } from "../../lib/errors.ts";
import { run } from "../../process/run.ts";
import { compare } from "./pinned-programs.ts";
import { fitsRange, nodeMismatch } from "./node-version.ts";
import { detectPackages } from "./packages.ts";
import { projectAt } from "./project.ts";
import { testSetupOf } from "../execute/test-setup.ts";

const python = await programOf(unittest);
let home = "";
let project: ProofProject;

beforeAll(async () => {
  home = newFolder();
  project = await proofProject({ ".gitignore": ".venv\nnode_modules\n" });
});
afterEach(() => vi.unstubAllEnvs());

async function script(file: string, text: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `#!/bin/sh\n${text}\n`);
  await chmod(file, 0o755);
  return file;
}

/** The program for the tests of such a commit, or the refusal. */
async function programFor(
  files: Readonly<Record<string, string>>,
  { runner = "unittest", path = project.repository.path } = {},
): Promise<string> {
  const commit = await project.commitOn(project.base, files);
  // Pins are read in the user's checkout, where the programs are installed.
  await project.repo.write(files);
  try {
    const repository = { ...project.repository, path };
    const [one] = await detectPackages({ repository, commit, settings: { paths: rules, runner } });
    return one?.found.program?.path ?? "none";
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `${error.code} ${error.exitCode}: ${error.message}`;
  } finally {
    await project.repo.write(Object.fromEntries(Object.keys(files).map((name) => [name, null])));
  }
}

async function venv(folder: string): Promise<void> {
  const argv = ["-m", "venv", "--without-pip", folder];
  const made = await run(python?.path ?? "", argv, { cwd: home, env: {}, timeoutMs: 60_000 });
  expect(made.exitCode).toBe(0);
}

const version = python?.version ?? "";

verifiesWhen(
  python !== null,
  "python3 is not on this machine",
  "PRV-07",
  "a pinned program is used, or reported as missing",
  pins,
  120_000,
);

async function pins(): Promise<void> {
  const { dir } = project.repo;
  // Environments: in the project, activated by a variable, activated by PATH.
  const nobody = { "a.py": "" };
  await venv(join(dir, ".venv"));
  expect(await programFor(nobody)).toBe(join(dir, ".venv/bin/python3"));
  expect(await programFor(nobody, { runner: "pytest" })).toBe(
    "test_setup_missing 5: the project pins the environment .venv, which has no pytest",
  );
  await venv(join(home, "active"));
  vi.stubEnv("VIRTUAL_ENV", join(home, "active"));
  expect(await programFor(nobody)).toBe(join(home, "active/bin/python3"));
  vi.stubEnv("VIRTUAL_ENV", join(home, "gone"));
  expect(await programFor(nobody)).toBe(
    `test_setup_missing 5: the project pins the activated environment ${home}/gone, which is not on this machine`,
  );
  vi.unstubAllEnvs();
  await rm(join(dir, ".venv"), { recursive: true });
  await venv(join(dir, "node_modules/.env-of-mine"));
  const path = `${dir}/node_modules/.env-of-mine/bin:${project.repository.path}`;
  expect(await programFor(nobody, { path })).toBe(join(dir, "node_modules/.env-of-mine/bin/python3"));

  // Versions of Python: on PATH, of pyenv, nowhere.
  vi.stubEnv("PYENV_ROOT", join(home, "pyenv"));
  expect(await programFor({ ".python-version": `${version}\n` })).toBe(python?.path);
  expect(await programFor({ ".python-version": version.replace(/\.\d+$/, "") })).toBe(python?.path);
  const other = await script(
    join(home, "pyenv/versions/3.99.1/bin/python3"),
    `echo '{"path": "'$0'", "version": "3.99.1", "modules": {}}'`,
  );
  expect(await programFor({ ".python-version": "# ours\n3.99\n" })).toBe(other);
  expect(await programFor({ ".tool-versions": "nodejs 20\npython 3.99.1\n" })).toBe(other);
  expect(await programFor({ ".python-version": "3.98.2" })).toBe(
    "test_setup_missing 5: the project pins Python 3.98.2 (.python-version), which is not on this machine",
  );

  // Go: the lines of go.mod, with a downloaded toolchain.
  vi.stubEnv("GOMODCACHE", join(home, "mod"));
  const goMod = { "go.mod": "module a\n\ngo 1.99\n\ntoolchain go1.99.3\n" };
  expect(await programFor(goMod, { runner: "go" })).toBe(
    "test_setup_missing 5: the project pins Go 1.99.3 (go.mod), which is not on this machine",
  );
  const root = join(home, "mod/golang.org/toolchain@v0.0.1-go1.99.3.linux-amd64");
  await script(
    join(root, "bin/go"),
    `echo '{"GOROOT": "${root}", "GOMODCACHE": "/x", "GOVERSION": "go1.99.3"}'`,
  );
  expect(await programFor(goMod, { runner: "go" })).toBe(join(root, "bin/go"));

  // Rust: the channel of the toolchain file.
  vi.stubEnv("RUSTUP_HOME", join(home, "rustup"));
  const toml = { "rust-toolchain.toml": '[toolchain]\nchannel = "1.199.0"\ncomponents = ["clippy"]\n' };
  expect(await programFor(toml, { runner: "cargo" })).toBe(
    "test_setup_missing 5: the project pins Rust 1.199.0 (rust-toolchain.toml), which is not on this machine",
  );
  expect(await programFor({ "rust-toolchain": "nightly-2031-01-01\n" }, { runner: "cargo" })).toBe(
    "test_setup_missing 5: the project pins Rust nightly-2031-01-01 (rust-toolchain), which is not on this machine",
  );
  const sysroot = join(home, "rustup/toolchains/1.199.0-x86_64-unknown-linux-gnu");
  await script(join(sysroot, "bin/cargo"), "echo 'cargo 1.199.0 (x)'");
  await script(
    join(sysroot, "bin/rustc"),
    `[ "$1" = -vV ] && echo 'host: x86_64-unknown-linux-gnu' || echo '${sysroot}'`,
  );
  expect(await programFor(toml, { runner: "cargo" })).toBe(join(sysroot, "bin/cargo"));

  // A mismatch of node is a warning; loaders are used (test-setup.test.ts) or reported as missing.
  const asks = { folders: [dir], packageJson: '{ "engines": { "node": ">=18 <20" } }' };
  expect(await nodeMismatch(asks, "v20.1.0")).toBe(
    "engines in package.json requests node >=18 <20, and tests run on v20.1.0",
  );
  expect(await nodeMismatch(asks, "v18.19.0")).toBeNull();
  await project.repo.write({ ".nvmrc": "v22.3.0\n" });
  expect(await nodeMismatch(asks, "v18.19.0")).toBe(
    ".nvmrc requests node v22.3.0, and tests run on v18.19.0",
  );
  await project.repo.write({ ".nvmrc": null });
  const loads = await project.commitOn(project.base, {
    "package.json": '{ "name": "own", "scripts": { "test": "node --import tsx --import own/hook --test" } }',
  });
  const given = {
    ports: project.ports,
    base: await projectAt(project.repository, loads),
    prefix: "",
    runner: "node:test",
  };
  await expect(testSetupOf(given)).rejects.toThrow("the test script loads tsx, which is not installed");
  await mkdir(join(dir, "node_modules"), { recursive: true });
  await symlink("/", join(dir, "node_modules/tsx"));
  expect((await testSetupOf(given)).loaders).toEqual(["--import=tsx", "--import=own/hook"]);
}

test.each<readonly [string, string, boolean]>([
  ["20.1.0", ">=18", true],
  ["v20.1.0", ">= 18 < 20", false],
  ["20.1.0", "18 || 20", true],
  ["20.1.0", "20.x", true],
  ["20.1.0", "^20.2", false],
  ["20.3.0", "~20.2.0", false],
  ["20.3.0", "18 - 20", true],
  ["20.3.0", ">20", false],
  ["20.3.0", "*", true],
  ["20.3.0", "lts/iron", true],
])("node %s and the range %s", (own, range, fits) => {
  expect(fitsRange(own, range)).toBe(fits);
});

test("versions are compared by their numbers", () => {
  expect(["1.9", "1.21rc1", "1.21", "1.21.0", "1.10.2"].toSorted(compare)).toEqual([
    "1.9",
    "1.10.2",
    "1.21rc1",
    "1.21",
    "1.21.0",
  ]);
});
