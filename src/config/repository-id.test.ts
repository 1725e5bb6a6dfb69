import { existsSync } from "node:fs";
import { cp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { newFolder } from "../../test/support/folder.ts";
import { openHost } from "../run/host.ts";
import { createRepository, type TempRepository } from "../../test/support/repository.ts";
import { storedId } from "./repository-id.ts";
import { inCi } from "../../test/verifies.ts";

let folder: string;
let repo: TempRepository;
beforeEach(async () => {
  folder = newFolder();
  repo = await createRepository({ files: { a: "a" } });
});

/** Id of the state opened for the folder, and whether it existed before. */
async function openedAt(dir: string): Promise<string> {
  const host = await openHost(dir, { METTLE_HOME: join(folder, "state") });
  await host.journal.close();
  return host.repository.id;
}

test("a renamed or moved repository finds its runs, also after a second move (fault E14)", async () => {
  const id = await openedAt(repo.dir);
  const moved = join(folder, "another name");
  await rename(repo.dir, moved);
  expect(await openedAt(moved)).toBe(id);
  const again = join(folder, "third");
  await rename(moved, again);
  expect(await openedAt(again)).toBe(id);
  expect(storedId(join(again, ".git"))).toBe(id);
});

inCi("a copy has its own state, whichever of the two is opened first or renamed later", async () => {
  const id = await openedAt(repo.dir);
  const copy = join(folder, "copy");
  await cp(repo.dir, copy, { recursive: true });
  const other = await openedAt(copy);
  expect(other).not.toBe(id);
  expect(await openedAt(repo.dir)).toBe(id);
  const moved = join(folder, "moved");
  await rename(copy, moved);
  expect([await openedAt(moved), await openedAt(repo.dir)]).toEqual([other, id]);
});

test("a repository at the path of a renamed one does not get its state", async () => {
  const id = await openedAt(repo.dir);
  const moved = join(folder, "moved");
  await rename(repo.dir, moved);
  expect(await openedAt(moved)).toBe(id);
  await cp(moved, repo.dir, { recursive: true });
  await rm(join(repo.dir, ".git/mettle-id"));
  const second = await openedAt(repo.dir);
  expect(second).not.toBe(id);
  expect(await openedAt(repo.dir)).toBe(second);
  expect(existsSync(join(folder, "state", second))).toBe(true);
});
