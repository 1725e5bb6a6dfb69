import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder } from "../../../test/support/folder.ts";
import { createRepository } from "../../../test/support/repository.ts";
import { environment, programPath } from "../../config/env.ts";
import { baseRef, ensureRunClone } from "./run-clone.ts";

async function world() {
  const origin = await createRepository({ files: { "a.txt": "a" } });
  const base = (await origin.git("rev-parse", "HEAD")).trim();
  await origin.git("update-ref", baseRef("r1"), base);
  const folder = newFolder();
  const clone = {
    mirror: join(folder, "mirror.git"),
    path: join(folder, "r1", "shop"),
    remote: origin.dir,
    login: environment(),
    run: "r1",
    base,
    programs: programPath(),
  };
  return { origin, clone, read: () => readFile(join(clone.path, "a.txt"), "utf8") };
}

test("a run's base, which is on no branch, is checked out by a mirror, and stays without it", async () => {
  const { origin, clone, read } = await world();
  await ensureRunClone(clone);
  expect(await read()).toBe("a");
  await rm(clone.mirror, { recursive: true });
  expect(await origin.git("-C", clone.path, "fsck", "--no-progress")).toBe("");
  await writeFile(join(clone.path, "kept.txt"), "");
  await ensureRunClone(clone);
  expect(await readFile(join(clone.path, "kept.txt"), "utf8")).toBe("");
});

test("a damaged mirror and a damaged clone are made again", async () => {
  const { clone, read } = await world();
  await ensureRunClone(clone);
  await rm(join(clone.path, ".git", "objects"), { recursive: true });
  await rm(join(clone.mirror, "objects"), { recursive: true });
  await writeFile(join(clone.mirror, "objects"), "");
  await ensureRunClone(clone);
  expect(await read()).toBe("a");
});

test("a remote without the base is said", async () => {
  const { clone } = await world();
  await expect(ensureRunClone({ ...clone, run: "r2" })).rejects.toMatchObject({ code: "remote_failed" });
});
