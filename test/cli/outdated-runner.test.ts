/** A test runner that is too old is refused by `mettle doctor` and before a run, with the version to install (fault M10). */
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { runners } from "../../src/evidence/runners/registry.ts";
import { verifies, verifiesInCi } from "../verifies.ts";
import { createMachine, type Machine } from "./doctor-machine.ts";
import { callHere } from "./here.ts";

interface Limit {
  readonly oldest: string;
  /** The newest version before it. */
  readonly before: string;
}

const limits: Readonly<Record<string, Limit>> = {
  vitest: { oldest: "0.34.0", before: "0.33.0" },
  jest: { oldest: "26.0.0", before: "25.5.4" },
  mocha: { oldest: "1.18.0", before: "1.17.1" },
  pytest: { oldest: "4.0.0", before: "3.10.1" },
  unittest: { oldest: "3.6.0", before: "3.5.10" },
  go: { oldest: "1.19.0", before: "1.18.10" },
  cargo: { oldest: "1.65.0", before: "1.64.0" },
  bun: { oldest: "1.1.35", before: "1.1.34" },
};
/** Mettle's own Node.js runs the first one, and the second one is the project's own command. */
const unlimited = ["node:test", "junit"];

describe("a runner that is too old", () => {
  let machine: Machine;
  beforeAll(async () => {
    machine = await createMachine();
  });

  /** One folder for each, since a process probes a program once; the first one counts. */
  const python = (folder: ".venv" | "venv") => join(machine.repository.dir, folder, "bin/python3");

  /** Installs a runner that has nothing but its version. */
  async function install(name: string, version: string): Promise<void> {
    switch (name) {
      case "pytest":
        return installPython("venv", { version: "3.9.18", modules: { pytest: version } });
      case "unittest":
        return installPython(".venv", { version, modules: {} });
      case "go":
        return machine.program(
          "go",
          `echo '{ "GOROOT": "/go", "GOMODCACHE": "/mod", "GOVERSION": "go${version}" }'`,
        );
      case "cargo":
        await machine.program("cargo", `echo "cargo ${version}"`);
        return machine.program(
          "rustc",
          `case "$1" in --print) echo ${machine.temporary};; *) echo "host: a-linux";; esac`,
        );
      default:
        return machine.repository.write({
          [`node_modules/${name}/package.json`]: JSON.stringify({ version }),
        });
    }
  }

  async function installPython(folder: ".venv" | "venv", found: object): Promise<void> {
    const path = python(folder);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(join(dirname(path), "../pyvenv.cfg"), "");
    await writeFile(path, `#!/bin/sh\necho '${JSON.stringify({ path, ...found })}'\n`);
    await chmod(path, 0o755);
  }

  function hintFor(name: string, oldest: string): string {
    const programs: Readonly<Record<string, string>> = { unittest: "python3", go: "go", cargo: "cargo" };
    const program = programs[name];
    if (program !== undefined)
      return `install ${program} ${oldest} or newer, and put it on PATH before Mettle starts`;
    return name === "pytest"
      ? `install a newer one: \`${python("venv")} -m pip install --upgrade pytest\`, or at least pytest==${oldest}`
      : `install a newer one: \`npm install --save-dev ${name}@latest\`, or at least ${name}@${oldest}`;
  }

  async function refuses(name: string): Promise<void> {
    const { oldest, before } = limits[name] ?? { oldest: "", before: "" };
    await machine.repository.write({ "mettle.yaml": `version: 1\nrunner: ${name}\n` });
    await install(name, before);
    const message = `${name} ${before} cannot be judged; ${oldest} is the oldest version that can`;
    const hint = hintFor(name, oldest);
    const { code, checks } = await machine.doctor();
    expect([code, checks.filter(({ state }) => state === "fail")]).toEqual([
      5,
      [{ name: "runner", state: "fail", seen: message, help: hint }],
    ]);
    const around = { cwd: machine.repository.dir, env: machine.env };
    const run = await callHere(["run", '@orchestrate "Build a login page"', "--json"], around);
    expect([run.code, JSON.parse(run.stdout).error]).toEqual([
      5,
      expect.objectContaining({ code: "runner_outdated", message, hint }),
    ]);
    expect(JSON.parse((await callHere(["status", "--json"], around)).stdout).runs).toEqual([]);
  }

  const title = "is refused by doctor and before a run, with the version to install";
  for (const name of ["vitest", "pytest"]) verifies("PRV-25", `${name} ${title}`, () => refuses(name));
  for (const name of ["jest", "mocha", "unittest", "go", "cargo", "bun"])
    verifiesInCi("PRV-25", `${name} ${title}`, () => refuses(name));

  test("every runner has a limit that docs/runners.md names, unless its version is that of Mettle or unknown", async () => {
    const limited = Object.values(runners).filter(({ name }) => !unlimited.includes(name));
    expect(Object.fromEntries(limited.map(({ name, oldest }) => [name, oldest]))).toEqual(
      Object.fromEntries(Object.entries(limits).map(([name, { oldest }]) => [name, oldest])),
    );
    const docs = await readFile(packageRoot("docs/runners.md"), "utf8");
    const told = [...docs.matchAll(/^\| `(\w+)` +\| (?:Python )?([\d.]+) and newer/gm)];
    expect(Object.fromEntries(told.map(([, name = "", oldest]) => [name, oldest]))).toEqual(
      Object.fromEntries(
        Object.entries(limits).map(([name, { oldest }]) => [name, oldest.replace(/(?:\.0)+$/, "")]),
      ),
    );
  });
});
