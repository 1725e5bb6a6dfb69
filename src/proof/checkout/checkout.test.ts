import { lstat, mkdir, mkdtemp, readFile, readdir, readlink, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { proofProject, type ProofProject } from "../../../test/proof-project.ts";
import { AppError } from "../../lib/errors.ts";
import { sweepCheckouts, withCheckout } from "./checkout.ts";
import { projectAt, type Project } from "../project/project.ts";
import { committedModules } from "../setting.ts";
import { inCi } from "../../../test/verifies.ts";

let project: ProofProject;
let at: Project;

beforeAll(async () => {
  project = await proofProject({ "package.json": "{}", "src/a.js": "1", "packages/one/package.json": "{}" });
  const { dir } = project.repo;
  await writeFile(join(dir, "run.sh"), "#!/bin/sh\n", { mode: 0o755 });
  await symlink("src/a.js", join(dir, "link.js"));
  await project.repo.commit();
  for (const name of ["dep", ".vite/vitest", ".cache"])
    await mkdir(join(dir, "node_modules", name), { recursive: true });
  await mkdir(join(dir, "packages/one/node_modules"), { recursive: true });
  await writeFile(join(dir, "untracked.txt"), "");
  at = await projectAt(project.repository, "HEAD");
});

const request = (committed: ReadonlySet<string> | null = new Set()) => ({
  ports: project.ports,
  files: [...at.files.values()],
  committed,
});

test("a checkout holds the commit's files and the main checkout's dependencies, and is removed afterwards", async () => {
  const { dir } = project.repo;
  let path = "";
  const names = await withCheckout(request(), async (checkout) => {
    ({ path } = checkout);
    expect(path.split("/").at(-2)).toMatch(/^proof\.\d+\.[a-z0-9]{6}$/);
    expect(await readFile(join(path, "src/a.js"), "utf8")).toBe("1");
    expect((await lstat(join(path, "run.sh"))).mode & 0o777).toBe(0o755);
    expect(await readlink(join(path, "link.js"))).toBe("src/a.js");
    expect(await readlink(join(path, "node_modules/dep"))).toBe(join(dir, "node_modules/dep"));
    expect(await readdir(join(path, "packages/one/node_modules"))).toEqual([]);
    expect(await readdir(join(path, "node_modules"))).toEqual(["dep"]);
    expect(checkout.dependencies).toEqual(
      ["node_modules", "packages/one/node_modules"].map((name) => join(dir, name)),
    );
    expect(await readdir(checkout.scratch)).toEqual([]);
    return readdir(path);
  });
  expect(names.toSorted()).toEqual([
    ".git",
    ".gitignore",
    "link.js",
    "node_modules",
    "package.json",
    "packages",
    "run.sh",
    "src",
  ]);
  expect(await project.leftovers()).toEqual([]);
  expect(await withCheckout(request(null), ({ path: folder }) => readdir(folder))).not.toContain(
    "node_modules",
  );
});

test("a link in place of a folder is omitted, so that nothing is written through it", async () => {
  const link = { path: "src", mode: "120000", blob: at.files.get("link.js")?.blob ?? "" };
  const files = [link, ...at.files.values()];
  await withCheckout({ ...request(), files }, async ({ path }) => {
    expect((await lstat(join(path, "src"))).isDirectory()).toBe(true);
    expect(await readFile(join(path, "src/a.js"), "utf8")).toBe("1");
  });
});

test("an error while it is used removes it too, and an unwritable folder has its own error code", async () => {
  const boom = new Error("boom");
  await expect(withCheckout(request(), () => Promise.reject(boom))).rejects.toBe(boom);
  expect(await project.leftovers()).toEqual([]);
  const ports = { ...project.ports, worktrees: join(project.repo.dir, "package.json") };
  const refused = await withCheckout({ ...request(), ports }, async () => null).catch(
    (error: unknown) => error,
  );
  expect(refused instanceof AppError && [refused.code, refused.exitCode]).toEqual(["worktree_failed", 5]);
});

test("checkouts of killed processes are removed, those of running ones are not", async () => {
  const { worktrees } = project.ports;
  const names = [
    "proof-a.999999999.abcdef",
    "proof.999999999.abcdef",
    `proof.${process.pid}.abcdef`,
    "agent-work",
  ];
  for (const name of names) await mkdir(join(worktrees, name, "tree"), { recursive: true });
  await sweepCheckouts(worktrees);
  expect((await readdir(worktrees)).toSorted()).toEqual(["agent-work", `proof.${process.pid}.abcdef`]);
});

test("a checkout elsewhere has a path of another form, and is removed with its link, also by a later sweep", async () => {
  const { worktrees } = project.ports;
  const path = await withCheckout({ ...request(), isElsewhere: true }, async (checkout) => {
    expect(await readFile(join(checkout.path, "src/a.js"), "utf8")).toBe("1");
    expect(checkout.path).not.toMatch(/proof|mettle|worktrees/u);
    return checkout.path;
  });
  await expect(lstat(dirname(path))).rejects.toThrow("ENOENT");
  const left = await mkdtemp(join(tmpdir(), "src-"));
  await symlink(left, join(worktrees, "proof.999999999.abcdef"));
  await sweepCheckouts(worktrees);
  await expect(lstat(left)).rejects.toThrow("ENOENT");
});

test("no folder of a checkout's path is hidden, since programs refuse to serve files below one (PRV-22)", async () => {
  const worktrees = join(await mkdtemp(join(tmpdir(), "mettle-test-")), ".local", "state", "gates");
  const { ports } = project;
  const path = await withCheckout({ ...request(), ports: { ...ports, worktrees } }, async (checkout) => {
    expect(await readFile(join(checkout.path, "src/a.js"), "utf8")).toBe("1");
    return checkout.path;
  });
  expect(path.split("/").filter((name) => name.startsWith("."))).toEqual([]);
});

inCi("a workspace member among the dependencies comes from the commit, the others as installed", async () => {
  const hoisted = await proofProject({
    "package.json": '{ "workspaces": ["packages/*"] }',
    "packages/one/package.json": "{}",
    "packages/one/index.js": "committed",
  });

  const { dir } = hoisted.repo;
  const modules = join(dir, "node_modules");
  await mkdir(join(modules, "@shop/dep"), { recursive: true });
  await mkdir(join(modules, "dep"));
  await symlink("../../packages/one", join(modules, "@shop/one"));
  await symlink("nowhere", join(modules, "broken"));
  await writeFile(join(dir, "packages/one/index.js"), "somebody is working on it");
  const committed = await projectAt(hoisted.repository, "HEAD");
  const files = [...committed.files.values()];
  await withCheckout({ ...request(), ports: hoisted.ports, files }, async ({ path }) => {
    expect(await readFile(join(path, "node_modules/@shop/one/index.js"), "utf8")).toBe("committed");
    expect(await readlink(join(path, "node_modules/@shop/dep"))).toBe(join(modules, "@shop/dep"));
    expect(await readlink(join(path, "node_modules/dep"))).toBe(join(modules, "dep"));
    expect(await readdir(join(path, "node_modules"))).toEqual(["@shop", "dep"]);
  });
});

test("every link from the dependencies into the user's checkout leads to the commit (fault R1)", async () => {
  const self = await proofProject({
    "package.json": '{ "name": "shop", "bin": { "shop": "bin/shop.js" } }',
    "bin/shop.js": "committed",
    "vendor/dep/index.js": "committed",
  });

  const { dir } = self.repo;
  const modules = join(dir, "node_modules");
  await mkdir(join(modules, ".bin"), { recursive: true });
  await mkdir(join(modules, "@shop"));
  await mkdir(join(modules, "tool/dist"), { recursive: true });
  await writeFile(join(modules, "tool/cli.js"), "installed");
  await symlink("..", join(modules, "shop")); // npm link
  await symlink("../../vendor/dep", join(modules, "@shop/dep")); // a folder without package.json
  await symlink("../shop/bin/shop.js", join(modules, ".bin/shop"));
  await symlink("../tool/cli.js", join(modules, ".bin/tool"));
  await symlink("../../dist/later.js", join(modules, ".bin/later")); // not built yet
  await writeFile(join(dir, "bin/shop.js"), "somebody is working on it");
  await writeFile(join(dir, "vendor/dep/index.js"), "somebody is working on it");
  const committed = await projectAt(self.repository, "HEAD");
  const files = [...committed.files.values()];
  await withCheckout({ ...request(), ports: self.ports, files }, async ({ path }) => {
    const texts = ["shop/bin/shop.js", "@shop/dep/index.js", ".bin/shop", ".bin/tool"].map((name) =>
      readFile(join(path, "node_modules", name), "utf8"),
    );
    expect(await Promise.all(texts)).toEqual(["committed", "committed", "committed", "installed"]);
    expect(await readlink(join(path, "node_modules/.bin/later"))).toBe(join(path, "dist/later.js"));
    expect(await readlink(join(path, "node_modules/tool"))).toBe(join(modules, "tool"));
  });
});

inCi(
  "committed node_modules are kept beside installed ones, those that the base lacks are omitted",
  async () => {
    const material = "tests/fixtures/app/node_modules/dep/index.js";
    const mixed = await proofProject({
      ".gitignore": "/node_modules\n",
      "package.json": "{}",
      [material]: "1",
    });

    await mkdir(join(mixed.repo.dir, "node_modules/dep"), { recursive: true });
    const base = await projectAt(mixed.repository, "HEAD");
    const blob = base.files.get(material)?.blob ?? "";
    const later = ["src/node_modules/vitest/index.js", "node_modules/vitest/index.js"];
    const files = [...base.files.values(), ...later.map((path) => ({ path, mode: "100644", blob }))];
    const committed = committedModules(base);
    await withCheckout({ ports: mixed.ports, files, committed }, async ({ path }) => {
      expect(await readFile(join(path, material), "utf8")).toBe("1");
      expect(await readdir(join(path, "node_modules"))).toEqual(["dep"]);
      expect(await readdir(path)).not.toContain("src");
    });
  },
);
