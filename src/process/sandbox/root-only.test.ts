/** Files of a machine that are closed to a confined agent of root. */
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newFolder } from "../../../test/support/folder.ts";
import { rootOnlyRules } from "./root-only.ts";

describe.skipIf(process.getuid?.() !== 0)("what only root may read (SKIPPED for another user)", () => {
  let root: string;
  let server: Server;
  const search = (maxFiles: number, more: { hidden?: string[]; installed?: string[] } = {}) =>
    rootOnlyRules({ root, hidden: [], installed: [], ...more, maxFiles }).map(
      ({ type, at }) => `${type} ${at.slice(root.length)}`,
    );
  beforeAll(async () => {
    root = newFolder();
    const files = {
      "etc/hosts": 0o644,
      "etc/shadow": 0o640,
      "etc/ssl/private/key": 0o644,
      "home/me/secret": 0o600,
      "opt/go/src/a/b/secret": 0o600,
      "opt/go/bin/go": 0o755,
      "proc/keys": 0o400,
      "proc/1/environ": 0o400,
      "srv/data/deep/er/secret": 0o600,
      "usr/lib/secret": 0o600,
      "usr/local/etc/secret": 0o600,
    };
    for (const [path, mode] of Object.entries(files)) {
      await mkdir(join(root, path, ".."), { recursive: true });
      await writeFile(join(root, path), "", { mode });
      await chmod(join(root, path), mode);
    }
    await chmod(join(root, "etc/ssl/private"), 0o710);
    await symlink("shadow", join(root, "etc/link"));
    server = createServer();
    await new Promise<void>((resolve) => server.listen(join(root, "etc/socket"), resolve));
    await chmod(join(root, "etc/socket"), 0o660);
  });
  afterAll(() => {
    server.close();
  });

  test("is closed by file and folder, except for packages and hidden folders (fault S4)", () => {
    expect(search(1000, { hidden: [join(root, "home")] }).toSorted()).toEqual([
      "closed /etc/shadow",
      "closed /etc/socket",
      "closed /opt/go/src/a/b/secret",
      "closed /proc/keys",
      "closed /srv/data/deep/er/secret",
      "closed /usr/local/etc/secret",
      "hidden /etc/ssl/private",
    ]);
  });

  test("with too many files the rest is hidden, and installed programs stay visible", () => {
    const found = search(10, { installed: [join(root, "opt/go")] });
    expect(found).toContain("hidden /srv");
    expect(found.filter((line) => line.startsWith("hidden /opt"))).toEqual([]);
  });
});
