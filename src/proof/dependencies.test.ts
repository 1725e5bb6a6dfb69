/** Where a proof takes its dependencies from, and who is at fault when they are missing or changed (CORE-45). */
import { spawnSync } from "node:child_process";
import { link, mkdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { changeWorld, startFiles } from "../../test/cli/change-world.ts";
import { proofProject, type ProofProject } from "../../test/proof-project.ts";
import { newFolder } from "../../test/support/folder.ts";
import { inCi, verifies, verifiesInCi } from "../../test/verifies.ts";
import type { Baseline } from "./base/baseline.ts";
import { refuseChangedDependencies } from "./checkout/changed-dependencies.ts";
import type { ProofPorts } from "./ports.ts";

const head = 'import test from "node:test";\nimport assert from "node:assert/strict";\n';
const half = `${head}import { half } from "../src/half.js";\ntest("halves", () => assert.equal(half(4), 2));\n`;
const manifest = (more: object) =>
  JSON.stringify({ type: "module", scripts: { test: "mocha tests" }, ...more });
const mocha = { "package.json": manifest({ devDependencies: { mocha: "*" } }) };

let project: ProofProject;
beforeAll(async () => {
  project = await proofProject({
    ...mocha,
    "src/one.js": "export const one = 1;\n",
    "tests/one.test.js":
      'import { one } from "../src/one.js";\nit("is one", () => { if (one !== 1) throw new Error(one); });\n',
  });
  const modules = join(project.repo.dir, "node_modules");
  await mkdir(modules);
  await symlink(join(import.meta.dirname, "../../node_modules/mocha"), join(modules, "mocha"));
  await writeFile(join(await mkdirAt(modules, "dep"), "index.js"), "exports.answer = 42;\n");
});

verifies(
  "CORE-45",
  "an agent's worktree needs no node_modules, and a runner that it patched there has no effect",
  async () => {
    const worktree = join(newFolder(), "agent");
    const { git } = project.repo;
    await git("worktree", "add", "--quiet", "--detach", worktree, project.base);
    const commit = async (source: string) => {
      await writeFile(join(worktree, "src/one.js"), source);
      await git("-C", worktree, "add", "--all");
      await git("-C", worktree, "commit", "--quiet", "--message=work");
      return git("-C", worktree, "rev-parse", "HEAD");
    };
    const honest = await commit("export const one = 2 - 1;\n");
    const broken = await commit("export const one = 2;\n");
    expect(statuses(await project.own({ commit: honest }))).toEqual(["passed"]);
    const patched = await mkdirAt(worktree, "node_modules/mocha/bin");
    for (const name of ["mocha", "mocha.js", "_mocha"])
      await writeFile(join(patched, name), "process.exit(0);\n");
    const cheat = '{ "name": "mocha", "version": "11.0.0", "bin": "bin/mocha.js" }';
    await writeFile(join(patched, "../package.json"), cheat);
    expect(statuses(await project.own({ commit: broken }))).toEqual(["failed"]);
  },
);

test("without a sandbox a changed dependency is refused until a person accepts it, and what tools write is not (CORE-45)", async () => {
  const scratch = newFolder();
  const folder = join(project.repo.dir, "node_modules");
  const check = (since: number, ports: Partial<ProofPorts> = {}) =>
    refuseChangedDependencies(
      { ...project.ports, dependenciesSince: since, ...ports },
      { dependencies: [folder], scratch },
      [],
    );
  await later();
  const began = Date.now();
  await later();
  await writeFile(join(await mkdirAt(folder, ".cache"), "of-a-tool"), "x");
  const file = join(folder, "dep/index.js");
  const other = join(newFolder(), "linked.js");
  await link(file, other);
  await check(began);
  await rm(other);
  await writeFile(file, "exports.answer = 43;\n");
  await utimes(file, 0, 0);
  await expect(check(began)).rejects.toMatchObject({
    code: "dependencies_changed",
    exitCode: 5,
    message: expect.stringContaining("node_modules/dep/index.js changed while nothing confined"),
  });
  await check(began, { tests: { prepare: ["npx prisma generate"] } });
  await later();
  await check(Date.now());
});

inCi("without a sandbox a proof whose test changes a dependency has no verdict (CORE-45)", async () => {
  const text = `import { appendFileSync } from "node:fs";
it("patches", () => appendFileSync(${JSON.stringify(join(project.repo.dir, "node_modules/dep/index.js"))}, " "));\n`;
  const commit = await project.commitOn(project.base, { "tests/one.test.js": text });
  await later();
  const ports = { dependenciesSince: Date.now() };
  await project.own({ commit, ports }).catch(() => undefined); // found by this proof, or by the next
  await expect(project.own({ ports })).rejects.toMatchObject({ code: "dependencies_changed" });
});

verifiesInCi(
  "CORE-45",
  "a dependency that the change declares and nobody installed is a fault of the environment, with the line that names it",
  async () => {
    const own = await proofProject({
      "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
      "src/one.js": "export const one = 1;\n",
      "tests/one.test.js": `${head}test("is one", () => assert.equal(1, 1));\n`,
    });
    const red = await own.commitOn(own.base, { "tests/half.test.js": half });
    const source = 'import divide from "divide-well";\nexport const half = (n) => divide(n, 2);\n';
    const green = async (files: Record<string, string>) => {
      const { verdict } = await own.green({
        red,
        head: await own.commitOn(red, files),
        required: ["tests/half.test.js::halves"],
      });
      return { verdict: verdict.verdict, why: JSON.stringify(verdict.checks) };
    };
    const declared = {
      "package.json":
        '{ "type": "module", "scripts": { "test": "node --test" }, "dependencies": { "divide-well": "1" } }\n',
    };
    expect(await green({ "src/half.js": source, ...declared })).toEqual({
      verdict: "inconclusive",
      why: expect.stringMatching(
        /package\.json declares divide-well, which is not installed: .*Cannot find package 'divide-well'/u,
      ),
    });
    expect(await green({ "src/half.js": source })).toMatchObject({ verdict: "fail" });
  },
);

verifiesInCi(
  "CORE-45",
  "a registry that breaks is a fault of the environment with exit 5 and npm's last lines, before and after the base",
  async () => {
    const registry = await npmRegistry();
    const install = `npm install --no-audit --no-fund --fetch-retries=0 --registry=${registry.url}`;
    const files = {
      ".gitignore": "node_modules\n",
      "package.json":
        '{ "type": "module", "scripts": { "test": "node --test" }, "dependencies": { "divide-well": "1.0.0" } }\n',
      "src/one.js": "export const one = 1;\n",
      "tests/one.test.js": `${head}import divide from "divide-well";\ntest("divides", () => assert.equal(divide(4, 2), 2));\n`,
    };
    const own = await proofProject(files);
    const ports = { ...own.ports, tests: { prepare: [install], network: true } };
    const red = await own.commitOn(own.base, { "tests/half.test.js": half });
    const good = await own.commitOn(red, {
      "src/half.js": 'import divide from "divide-well";\nexport const half = (n) => divide(n, 2);\n',
    });
    const green = async (source: string) => {
      const at = source === "" ? good : await own.commitOn(red, { "src/half.js": source });
      const { verdict } = await own.green({ red, head: at, required: ["tests/half.test.js::halves"], ports });
      return { verdict: verdict.verdict, why: JSON.stringify(verdict.checks) };
    };
    expect((await green("")).verdict).toBe("pass");
    await registry.close();
    expect(await green("")).toEqual({
      verdict: "inconclusive",
      why: expect.stringMatching(
        /npm install [^"]* failed in the clean checkout \(exit code 1\): .*ECONNREFUSED/u,
      ),
    });

    const world = await changeWorld(
      ["honest"],
      {
        ...startFiles,
        "mettle.yaml": `version: 1\ntests: { prepare: "${install}", network: true }\npaths: { tests: [test/], source: [src/] }\n`,
        "package.json": files["package.json"],
      },
      "off",
    );
    const asked = await world.ask("prove", "--base", "main", "--head", "honest");
    expect([asked.code, asked.answer.error]).toMatchObject([
      5,
      { code: "base_unusable", message: expect.stringMatching(/ECONNREFUSED/u) },
    ]);
  },
  120_000,
);

inCi("a command that fails only with the change is the change's fault (CORE-45)", async () => {
  const own = await proofProject({
    "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
    "src/one.js": "export const one = 1;\n",
    "tests/one.test.js": `${head}test("is one", () => assert.equal(1, 1));\n`,
  });
  const ports = { ...own.ports, tests: { prepare: ["node --check src/*.js"], network: true } };
  const red = await own.commitOn(own.base, { "tests/half.test.js": half });
  const at = await own.commitOn(red, { "src/half.js": "export const half = (;\n" });
  const { verdict } = await own.green({ red, head: at, required: ["tests/half.test.js::halves"], ports });
  expect(verdict.verdict).toBe("fail");
});

function statuses({ suite }: Baseline): readonly string[] {
  return suite.report.tests.map(({ status }) => status);
}

async function mkdirAt(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path, { recursive: true });
  return path;
}

/** The clock of files ticks every few milliseconds. */
function later(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

/** A registry on loopback with one package. */
async function npmRegistry() {
  const folder = newFolder();
  await writeFile(
    join(folder, "package.json"),
    '{ "name": "divide-well", "version": "1.0.0", "type": "module" }',
  );
  await writeFile(join(folder, "index.js"), "export default (a, b) => a / b;\n");
  expect(spawnSync("npm", ["pack", "--silent"], { cwd: folder }).status).toBe(0);
  const bytes = await readFile(join(folder, "divide-well-1.0.0.tgz"));
  const server: Server = createServer((request, response) => {
    if (request.url?.endsWith(".tgz") === true) return void response.end(bytes);
    const dist = { tarball: `${url}/divide-well.tgz` };
    const version = { name: "divide-well", version: "1.0.0", type: "module", dist };
    response.end(
      JSON.stringify({
        name: "divide-well",
        "dist-tags": { latest: "1.0.0" },
        versions: { "1.0.0": version },
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url, close };
}
