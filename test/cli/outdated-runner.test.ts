/** A test runner that is too old is refused by `mettle doctor` and before a run, with the version to install (fault M10). */
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { runners } from "../../src/evidence/runners/registry.ts";
import { verifies, verifiesInCi } from "../verifies.ts";
import { createMachine, type Machine } from "./doctor-machine.ts";
import { callHere } from "./here.ts";

const oldest = { jest: "26.0.0", vitest: "0.34.0", mocha: "1.18.0", pytest: "4.0.0" };
/** The newest version before each of these. */
const before = { jest: "25.5.4", vitest: "0.33.0", mocha: "1.17.1", pytest: "3.10.1" };
const names = ["jest", "vitest", "mocha", "pytest"] as const;

describe("a runner that is too old", () => {
  let machine: Machine;
  beforeAll(async () => {
    machine = await createMachine();
  });

  /** Installs a runner that has nothing but its version; the settings name it. */
  async function install(name: (typeof names)[number], version: string): Promise<void> {
    const { repository } = machine;
    await repository.write({ "mettle.yaml": `version: 1\nrunner: ${name}\n` });
    if (name !== "pytest")
      return repository.write({ [`node_modules/${name}/package.json`]: JSON.stringify({ version }) });
    const python = join(repository.dir, ".venv/bin/python3");
    await mkdir(dirname(python), { recursive: true });
    await writeFile(join(repository.dir, ".venv/pyvenv.cfg"), "");
    const found = JSON.stringify({ path: python, version: "3.9.18", modules: { pytest: version } });
    await writeFile(python, `#!/bin/sh\necho '${found}'\n`);
    await chmod(python, 0o755);
  }

  const installs = (name: (typeof names)[number]) =>
    name === "pytest"
      ? `\`${join(machine.repository.dir, ".venv/bin/python3")} -m pip install --upgrade pytest\`, or at least pytest==4.0.0`
      : `\`npm install --save-dev ${name}@latest\`, or at least ${name}@${oldest[name]}`;

  async function refuses(name: (typeof names)[number]): Promise<void> {
    await install(name, before[name]);
    const message = `${name} ${before[name]} cannot be judged; ${oldest[name]} is the oldest version that can`;
    const hint = `install a newer one: ${installs(name)}`;
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
  for (const name of ["vitest", "pytest"] as const)
    verifies("PRV-25", `${name} ${title}`, () => refuses(name));
  for (const name of ["jest", "mocha"] as const)
    verifiesInCi("PRV-25", `${name} ${title}`, () => refuses(name));

  test("the limits are those of the runners", () => {
    expect(names.map((name) => runners[name]?.oldest)).toEqual(names.map((name) => oldest[name]));
  });
});
