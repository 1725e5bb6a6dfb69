/**
 * Writes the list of files that `node --test` would run with the given patterns, found by node's own test runner. It gets a
 * missing node program, so no file is loaded; read by node-test.ts. Plain JavaScript, because node loads it.
 */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { run } from "node:test";

const [report, ...patterns] = process.argv.slice(2);
// Before Node 21 the runner reads its patterns here.
process.argv.splice(1, Infinity, ...patterns);
process.execPath = "/dev/null/node";

const files = new Set();
for await (const { type, data } of run({
  concurrency: true,
  ...(patterns.length > 0 ? { globPatterns: patterns } : {}),
})) {
  if (type === "test:enqueue" && data.nesting === 0) files.add(resolve(data.file ?? data.name));
}
writeFileSync(report, JSON.stringify({ files: [...files], patterns }));
// Tests that cannot start are no failure of the list.
process.exitCode = 0;
