/** `init` and the memory bank: created with the other files, removed as far as it is unchanged. */
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { newFolder } from "../../../test/support/folder.ts";
import { optionsIn, snapshot } from "./fixtures/place.ts";
import { initRepository, removeInit, type InitOptions } from "./initialize.ts";
import { inCi } from "../../../test/verifies.ts";

let base = "";
let root = "";
beforeEach(() => {
  base = newFolder();
  root = join(base, "repository");
  put("README.md", "mine\n");
});

const options = (more: Partial<InitOptions> = {}) => optionsIn(base, more);

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function text(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

const bank = ["projectbrief", "systemPatterns", "techContext", "activeContext", "progress"].map(
  (name) => `memory-bank/${name}.md`,
);

test("a protocol with a memory bank gets one, the user's text stays, and the next protocol adds its file", async () => {
  put("memory-bank/projectbrief.md", "mine\r\n");
  const first = await initRepository(options({ bank: { protection: false } }));
  expect(first.written).toEqual(expect.arrayContaining(bank.slice(1)));
  expect(first.kept).toEqual(["memory-bank/projectbrief.md"]);
  expect(text("memory-bank/projectbrief.md")).toBe("mine\r\n");
  expect(text("memory-bank/techContext.md")).toMatch(/^\[↗️σ₂:tech_stack\]\n/u);
  expect(existsSync(join(root, "memory-bank/protection.md"))).toBe(false);
  const second = await initRepository(options({ bank: { protection: true } }));
  expect(second.written).toEqual(["memory-bank/protection.md"]);
});

inCi("remove deletes the unchanged files of the memory bank", async () => {
  const before = snapshot(base);
  await initRepository(options({ bank: { protection: true } }));
  await removeInit(options());
  expect(snapshot(base)).toEqual(before);

  await initRepository(options({ bank: { protection: true } }));
  put("memory-bank/systemPatterns.md", "designed\n");
  const { kept } = await removeInit(options());
  expect(kept).toEqual(["memory-bank/systemPatterns.md"]);
  expect(readdirSync(join(root, "memory-bank"))).toEqual(["systemPatterns.md"]);
});

inCi("in another clone remove deletes an unchanged memory bank too", async () => {
  const before = snapshot(root);
  await initRepository(options({ bank: { protection: false } }));
  await removeInit(options({ state: join(base, "other") }));
  expect(snapshot(root)).toEqual(before);
});
