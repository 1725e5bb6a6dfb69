/** Checks that every adapter is tested by the contract. */
import { readdir, readFile } from "node:fs/promises";
import { expect } from "vitest";
import { verifies } from "../verifies.ts";

const adapters = new URL("../../src/agents/", import.meta.url);
const tests = new URL(".", import.meta.url);

verifies("CORE-50", "each adapter is tested by the same contract", async () => {
  const folders = (await readdir(adapters, { withFileTypes: true })).filter((each) => each.isDirectory());
  const names = folders.map(({ name }) => name);
  for (const name of ["claude", "codex", "gemini", "opencode", "acp", "command", "scripted"])
    expect(names).toContain(name);
  const files = (await readdir(tests)).filter((name) => name.endsWith(".test.ts"));
  const texts = await Promise.all(files.map((name) => readFile(new URL(name, tests), "utf8")));
  const tested = texts.flatMap((text) =>
    [...text.matchAll(/agentContract\("([a-z]+)/gu)].map(([, name]) => name),
  );
  // A server tool only answers: it has no shell, files or conversation. It has its own tests.
  const expected = names.filter((name) => name !== "mcp-tool");
  expect([...new Set(tested)].sort()).toEqual([...expected].sort());
});
