// Simulates how far the shared store goes, and rewrites the tables of docs/scale.md and the result file. `node bench/scale.mjs` takes the
// stored inputs, `node bench/scale.mjs --measure` measures them on this machine first. Uses the sources; `--measure` needs a build.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { format } from "prettier";
import { simulateTree, tablesOf, trees, treeTable } from "./scale-model.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const results = join(root, "bench/results/scale.json");
const document = join(root, "docs/scale.md");
const [begin, end] = ["<!-- tables: begin -->", "<!-- tables: end -->"];
const titles = [
  "What a database is asked",
  "Waits",
  "One database",
  "By repository",
  "For each 1,000 agents",
  "Trees",
];

/** @returns the tables as Markdown */
export async function run({ measured = false } = {}) {
  const stored = JSON.parse(readFileSync(results, "utf8"));
  const inputs = measured ? await measureInputs() : stored.inputs;
  const code = await codeOfTrees();
  const found = trees.map((size) => simulateTree(size, code));
  const tables = [...tablesOf(inputs), treeTable(found)];
  writeFileSync(
    results,
    await format(JSON.stringify({ inputs, trees: found }), { parser: "json", printWidth: 120 }),
  );
  const text = tables.map((table, index) => `### ${titles[index]}\n\n${markdown(table)}`).join("\n\n");
  const before = readFileSync(document, "utf8");
  const [from, to] = [before.indexOf(begin) + begin.length, before.indexOf(end)];
  if (to < from) throw new Error(`${document} has lost its markers`);
  const after = `${before.slice(0, from)}\n\n${text}\n\n${before.slice(to)}`;
  writeFileSync(document, await format(after, { parser: "markdown" }));
  return text;
}

async function measureInputs() {
  const { measure } = await import("./scale-inputs.mjs");
  const inputs = await measure();
  if (inputs === null) throw new Error("PostgreSQL is not installed");
  return inputs;
}

/** The real kernel and the real schedule of a graph. */
async function codeOfTrees() {
  const folder = join(root, ".mettle-build/scale", String(process.pid));
  const outfile = join(folder, "code.mjs"); // as deep as the sources, which find `protocols` from there
  mkdirSync(folder, { recursive: true });
  const contents = `
    export { randomTree, simulate } from "./src/families/graph/fixtures/makespan.ts";
    export { dice } from "./src/kernel/fixtures/tree/random.ts";
    export { protocolNamed } from "./src/kernel/fixtures/protocols.ts";
    export { sha256 } from "./src/lib/hash.ts";`;
  const stdin = { contents, resolveDir: root, loader: "ts" };
  const how = { bundle: true, platform: "node", format: "esm", packages: "external", logLevel: "error" };
  await build({ stdin, outfile, ...how });
  try {
    const code = await import(pathToFileURL(outfile).href);
    return { ...code, protocol: code.protocolNamed("graph") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function markdown({ head, rows }) {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.log(await run({ measured: process.argv.includes("--measure") }));
