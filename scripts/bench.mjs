// Runs the benchmarks of bench/ and rewrites their figures in docs/benchmarks.md, between the two markers.
import { readFileSync, writeFileSync } from "node:fs";
import { arch, cpus, platform } from "node:os";
import { join } from "node:path";
import { root } from "./setup/root.mjs";

const file = join(root, "docs/benchmarks.md");
const markers = ["<!-- figures: begin -->", "<!-- figures: end -->"];
const benchmarks = ["start"];

const known = process.argv.slice(2);
if (!known.every((name) => benchmarks.includes(name))) {
  process.stderr.write(`usage: npm run bench [-- ${benchmarks.join(" | ")}]\n`);
  process.exit(2);
}
const rows = [];
for (const name of known.length === 0 ? benchmarks : known) {
  process.stderr.write(`bench: ${name}\n`);
  const { run } = await import(new URL(`../bench/${name}.mjs`, import.meta.url).href);
  rows.push(...(await run()));
}
const table = [
  `Node ${process.versions.node} on ${platform()} ${arch()}, ${cpus().length} processors, ${new Date().toISOString().slice(0, 10)}.`,
  "",
  "| What | Median | Against `node -e 0` | Goal |",
  "| --- | --- | --- | --- |",
  ...rows.map(
    ({ what, ms, ratio, goal }) =>
      `| \`${what}\` | ${ms.toFixed(1)} ms | ${ratio.toFixed(2)} | ${goal ?? ""} |`,
  ),
].join("\n");
process.stdout.write(`${table}\n`);

const text = readFileSync(file, "utf8");
const [begin, end] = markers.map((marker) => text.indexOf(marker));
if (begin < 0 || end < begin) throw new Error(`${file} has lost its markers`);
writeFileSync(file, `${text.slice(0, begin + markers[0].length)}\n\n${table}\n\n${text.slice(end)}`);
