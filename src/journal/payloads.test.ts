import { spawn } from "node:child_process";
import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect } from "vitest";
import { bundleProgram } from "../../test/support/bundle.ts";
import { newFolder } from "../../test/support/folder.ts";
import { verifies, verifiesInCi } from "../../test/verifies.ts";
import { memoryPayloads } from "../testing/memory-payloads.ts";
import { payloadsContract, type PayloadsSubject } from "../testing/payloads-contract.ts";
import { filePayloads } from "./file-payloads.ts";

let folder: string;
beforeEach(() => void (folder = newFolder()));

const hello = "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
const hex = hello.slice("sha256:".length);
const place = () => join(folder, "payloads", hex.slice(0, 2), hex);

const kinds: Readonly<Record<string, () => PayloadsSubject>> = {
  "in memory": () => {
    const payloads = memoryPayloads();
    return { payloads, damage: payloads.damage, lose: payloads.lose };
  },
  "in files": () => ({
    payloads: filePayloads(join(folder, "payloads")),
    async damage() {
      const bytes = await readFile(place());
      bytes[0] = (bytes[0] ?? 0) ^ 1;
      await writeFile(place(), bytes);
    },
    lose: () => rm(place()),
  }),
};

for (const [name, make] of Object.entries(kinds)) {
  describe(`payloads ${name}`, () => {
    for (const { title, check } of payloadsContract)
      verifies("CORE-68", title, () => expect(check(make())).resolves.toBeUndefined());
  });
}

verifies("CORE-68", "a payload whose file comes back from a backup is used again", async () => {
  const payloads = filePayloads(join(folder, "payloads"));
  await payloads.put("hello");
  await rename(place(), join(folder, "elsewhere"));
  await expect(payloads.text(hello)).rejects.toMatchObject({ code: "payload_missing" });
  await rename(join(folder, "elsewhere"), place());
  expect(await payloads.text(hello)).toBe("hello");
});

verifies(
  "CORE-68",
  "files are private, named by their hash, complete, and the only thing left behind, also with many writers",
  async () => {
    const payloads = filePayloads(join(folder, "payloads"));
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        payloads.put(index % 2 === 0 ? "hello" : `other ${index % 10}`),
      ),
    );
    const files = (await readdir(join(folder, "payloads"), { recursive: true, withFileTypes: true })).filter(
      (entry) => entry.isFile(),
    );
    expect(files.length).toBe(6);
    for (const file of files) {
      expect(file.name).toMatch(/^[0-9a-f]{64}$/);
      expect((await stat(join(file.parentPath, file.name))).mode & 0o777).toBe(0o600);
      await payloads.get(`sha256:${file.name}`);
    }
  },
);

verifiesInCi("CORE-68", "a writer killed at any moment leaves no payload that is not whole", async () => {
  const program = await bundleProgram(`
    import { filePayloads } from "./src/journal/file-payloads.ts";
    const payloads = filePayloads(process.argv[2]);
    for (let n = 0; n < 200; n++) {
      await payloads.put(("payload " + process.pid + " " + n + " ").repeat(20_000));
      if (n === 0) process.stdout.write("first\\n");
    }
  `);

  for (const delay of [0, 9, 23]) {
    const child = spawn(process.execPath, [program.file, join(folder, "payloads")], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    await new Promise((resolve) => setTimeout(resolve, delay));
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("close", resolve));
  }

  const payloads = filePayloads(join(folder, "payloads"));
  const names = (await readdir(join(folder, "payloads"), { recursive: true }))
    .map((name) => name.split("/").at(-1) ?? "")
    .filter((name) => /^[0-9a-f]{64}$/.test(name));
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) expect((await payloads.get(`sha256:${name}`)).length).toBeGreaterThan(20_000);
});
