import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { newFolder } from "../../test/support/folder.ts";
import { canonicalJson, sha256 } from "../lib/hash.ts";
import { filePayloads } from "./file-payloads.ts";
import { putJson, readJson, readPointer } from "./payload-parts.ts";
import type { Payloads } from "./payloads.ts";
import { inCi } from "../../test/verifies.ts";

let folder: string;
/** Addresses in the order in which they were read. */
let read: string[];
let payloads: Payloads;
beforeEach(() => {
  folder = newFolder();
  read = [];
  const files = filePayloads(folder);
  payloads = {
    ...files,
    async text(address) {
      read.push(address);
      return files.text(address);
    },
  };
});

async function stored(): Promise<readonly string[]> {
  return (await readdir(folder, { recursive: true })).filter((name) => name.length > 64);
}

const coverage = { criteriaWithTests: [["AC-1", "adds"]], criteriaMissing: ["AC-2"] };

test("a payload is stored once, under the hash of its canonical JSON, whatever the order of its keys", async () => {
  const address = await putJson(payloads, coverage);
  const { criteriaMissing, criteriaWithTests } = coverage;
  expect(await putJson(payloads, { criteriaMissing, criteriaWithTests })).toBe(address);
  expect(address).toBe(sha256('{"criteriaMissing":["AC-2"],"criteriaWithTests":[["AC-1","adds"]]}'));
  expect(await stored()).toHaveLength(1);
  expect(await readJson(payloads, address)).toEqual(coverage);
});

inCi(
  "a field over 16 KiB is a part of its own, and a pointer opens what lies on its path alone",
  async () => {
    const many = Array.from({ length: 2_000 }, (_, at) => [`AC-${at}`, `test ${at}`]);
    const value = {
      diff: "é".repeat(5 << 19),
      coverageReport: { criteriaWithTests: many, criteriaMissing: ["AC-2"] },
      "a/b~c": [{ deep: 1 }],
      small: "x".repeat(16_000),
    };
    const address = await putJson(payloads, value);
    // The whole, the diff, the report, and the report's long list.
    expect(await stored()).toHaveLength(4);
    const at = (pointer: string) => readPointer(payloads, { ref: address, pointer });
    expect(await at("/coverageReport/criteriaMissing")).toEqual(["AC-2"]);
    expect(read).toHaveLength(2);
    expect(read).not.toContain(sha256(canonicalJson(value.diff)));
    expect(await at("/coverageReport/criteriaWithTests/1999/1")).toBe("test 1999");
    expect(await at("/a~1b~0c/0/deep")).toBe(1);
    expect(await at("")).toEqual(value);
    expect(await readJson(payloads, address)).toEqual(value);
    for (const pointer of [
      "/coverageReport/none",
      "/diff/0",
      "/a~1b~0c/1",
      "/a~1b~0c/length",
      "small",
      "/toString",
    ])
      await expect(at(pointer)).rejects.toMatchObject({ code: "pointer_not_found" });
  },
);

test("what looks like a part is none, and leads to nothing of others", async () => {
  const secret = await putJson(payloads, { secret: true });
  const value = { a: { $part: secret }, b: [{ $$part: secret, $part: 1 }], $part: secret };
  const address = await putJson(payloads, value);
  expect(await readJson(payloads, address)).toEqual(value);
  expect(await readPointer(payloads, { ref: address, pointer: "/a/$part" })).toBe(secret);
  await expect(readPointer(payloads, { ref: address, pointer: "/a/secret" })).rejects.toMatchObject({
    code: "pointer_not_found",
  });
});

test("a part that was changed or is gone is named, and never used", async () => {
  const address = await putJson(payloads, { diff: "x".repeat(20_000), small: 1 });
  const part = sha256(canonicalJson("x".repeat(20_000)));
  const file = join(folder, part.slice(7, 9), part.slice(7));
  expect(await readPointer(payloads, { ref: address, pointer: "/small" })).toBe(1);
  await writeFile(file, `"${"y".repeat(20_000)}"`);
  await expect(readJson(payloads, address)).rejects.toMatchObject({
    code: "payload_corrupt",
    message: expect.stringContaining(part),
  });
  await rm(file);
  await expect(readPointer(payloads, { ref: address, pointer: "/diff" })).rejects.toMatchObject({
    code: "payload_missing",
    message: expect.stringContaining(part),
  });
  expect(await readPointer(payloads, { ref: address, pointer: "/small" })).toBe(1);
});
