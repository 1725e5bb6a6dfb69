import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder } from "../../test/support/folder.ts";
import { createOrLoadKey } from "./keys.ts";

const roots: string[] = [];
async function folder(): Promise<string> {
  const root = newFolder();
  roots.push(root);
  return join(root, "keys");
}

test("a key is created once, with mode 0600 in a folder of mode 0700, and loaded again", async () => {
  const dir = await folder();
  const made = await createOrLoadKey(dir);
  const loaded = await createOrLoadKey(dir);
  expect(loaded.id).toBe(made.id);
  expect(made.privateKey.asymmetricKeyType).toBe("ed25519");
  expect(((await stat(join(dir, "evidence.pem"))).mode & 0o777).toString(8)).toBe("600");
  expect(((await stat(dir)).mode & 0o777).toString(8)).toBe("700");
});

test("concurrent processes get the same key and leave no other file", async () => {
  const dir = await folder();
  const keys = await Promise.all(Array.from({ length: 20 }, () => createOrLoadKey(dir)));
  expect(new Set(keys.map(({ id }) => id)).size).toBe(1);
  expect(await readdir(dir)).toEqual(["evidence.pem"]);
});

test("a key that others may read gets mode 0600", async () => {
  const dir = await folder();
  await createOrLoadKey(dir);
  await chmod(join(dir, "evidence.pem"), 0o644);
  await createOrLoadKey(dir);
  expect(((await stat(join(dir, "evidence.pem"))).mode & 0o777).toString(8)).toBe("600");
});

test("a damaged key is refused and not changed", async () => {
  const dir = await folder();
  await createOrLoadKey(dir);
  await writeFile(join(dir, "evidence.pem"), "nonsense");
  await expect(createOrLoadKey(dir)).rejects.toMatchObject({ code: "state_unwritable" });
  expect(await readFile(join(dir, "evidence.pem"), "utf8")).toBe("nonsense");
});
