/** That no adapter is left out of the contract. */
import { readdir, readFile } from "node:fs/promises";
import { expect } from "vitest";
import { verifies } from "../verifies.ts";

const adapters = new URL("../../src/agents/", import.meta.url);
const tests = new URL(".", import.meta.url);

verifies("CORE-50", "each adapter goes through the one contract", async () => {
  const folders = (await readdir(adapters, { withFileTypes: true })).filter((each) => each.isDirectory());
  const names = folders.map(({ name }) => name);
  for (const name of ["claude", "codex", "gemini", "opencode", "acp", "command", "scripted"])
    expect(names).toContain(name);
  const files = (await readdir(tests)).filter((name) => name.endsWith(".test.ts"));
  const texts = await Promise.all(files.map((name) => readFile(new URL(name, tests), "utf8")));
  const tested = texts.flatMap((text) =>
    [...text.matchAll(/agentContract\("([a-z]+)/gu)].map(([, name]) => name),
  );
  // A tool of a server only answers: it has no shell, no files and no conversation, and tests of its own.
  const expected = names.filter((name) => name !== "mcp-tool");
  expect([...new Set(tested)].sort()).toEqual([...expected].sort());
});
