import { spawn } from "node:child_process";
import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect } from "vitest";
import { bundleProgram } from "../../test/support/bundle.ts";
import { newFolder } from "../../test/support/folder.ts";
import { verifies, verifiesInCi } from "../../test/verifies.ts";
import { memoryPayloads } from "../testing/memory-payloads.ts";
import { filePayloads } from "./file-payloads.ts";
import type { Payloads } from "./payloads.ts";

let folder: string;
beforeEach(() => void (folder = newFolder()));

const hello = "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
const hex = hello.slice("sha256:".length);
const place = () => join(folder, "payloads", hex.slice(0, 2), hex);

interface Kind {
  readonly make: () => Payloads & {
    damage(address: string): void | Promise<void>;
    lose(address: string): void | Promise<void>;
  };
}

const kinds: Readonly<Record<string, Kind>> = {
  "in memory": { make: memoryPayloads },
  "in files": {
    make: () => ({
      ...filePayloads(join(folder, "payloads")),
      async damage() {
        const bytes = await readFile(place());
        bytes[0] = (bytes[0] ?? 0) ^ 1;
        await writeFile(place(), bytes);
      },
      lose: () => rm(place()),
    }),
  },
};

for (const [name, { make }] of Object.entries(kinds)) {
  describe(`payloads ${name}`, () => {
    verifies("CORE-68", "a payload is stored once under its hash and read back byte for byte", async () => {
      const payloads = make();
      const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 7919) & 0xff);
      expect(await payloads.put("hello")).toBe(hello);
      expect(await payloads.put(Buffer.from("hello"))).toBe(hello);
      expect(await payloads.text(hello)).toBe("hello");
      expect(await payloads.has(hello)).toBe(true);
      const address = await payloads.put(bytes);
      expect(Buffer.compare(await payloads.get(address), bytes)).toBe(0);
      const empty = await payloads.put("");
      expect(await payloads.text(empty)).toBe("");
      const read = await payloads.get(hello);
      read[0] = 0;
      expect(await payloads.text(hello)).toBe("hello");
    });

    verifies(
      "CORE-68",
      "a changed payload is payload_corrupt and a missing one payload_missing, exit 5; both go on when it is back",
      async () => {
        const payloads = make();
        await payloads.put("hello");
        await payloads.damage(hello);
        // One after the other: a promise that nobody awaits yet may reject meanwhile.
        for (const read of [() => payloads.get(hello), () => payloads.text(hello)]) {
          await expect(read()).rejects.toMatchObject({
            code: "payload_corrupt",
            exitCode: 5,
            detail: { address: hello },
          });
        }
        await payloads.put("hello");
        expect(await payloads.text(hello)).toBe("hello");

        await payloads.lose(hello);
        await expect(payloads.get(hello)).rejects.toMatchObject({
          code: "payload_missing",
          exitCode: 5,
          detail: { address: hello },
        });
        expect(await payloads.has(hello)).toBe(false);
        await payloads.put("hello");
        expect(await payloads.text(hello)).toBe("hello");
      },
    );

    verifies("CORE-68", "what is no address leads nowhere", async () => {
      const payloads = make();
      for (const bad of [
        "",
        "hello",
        "sha256:",
        `sha256:${"../".repeat(22)}`.slice(0, 71),
        hello.toUpperCase(),
        `${hello}0`,
        `md5:${hex}`,
      ]) {
        await expect(payloads.get(bad)).rejects.toMatchObject({ code: "payload_missing", exitCode: 5 });
        await expect(payloads.has(bad)).rejects.toMatchObject({ code: "payload_missing" });
      }
    });
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
