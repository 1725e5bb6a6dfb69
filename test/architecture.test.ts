import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

/** Lower never imports higher, equals never import each other: the table of docs/architecture.md is the law. */
const layers = readFileSync("docs/architecture.md", "utf8")
  .split("\n")
  .filter((line) => /^\| \d+ +\|/.test(line))
  .map((line) =>
    (line.split("|")[2] ?? "").split(",").map((name) => name.trim().replaceAll("`", "").replace("src/", "")),
  );
/** No node:*, no clock, no random, no I/O. */
const pure = ["protocol", "notation", "kernel", "log", "source", "gates", "views"];

/** Programs and edges: the only places for the environment, the clock, random numbers, the console and exit. */
const edges = [
  "cli/",
  "envoy/",
  "hook/main.ts",
  "config/",
  "lib/clock.ts",
  "lib/ids.ts",
  "agents/scripted/player.ts", // a program of its own, started like any agent
];
const effects =
  /\bprocess\.(env|exit)\b|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bhomedir\b|\bconsole\./;

const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".ts"),
);
const sources = files
  .filter((file) => !file.endsWith(".test.ts") && !file.includes("/fixtures/"))
  .map((file) => ({ file, text: readFileSync(join("src", file), "utf8") }));

test("every folder has its layer", () => {
  const folders = new Set(sources.map(({ file }) => folderOf(file)));
  expect([...folders].filter((folder) => layerOf(folder) < 0)).toEqual([]);
  expect(folders.size).toBeGreaterThan(10);
});

test("imports point down the layer table", () => {
  const upward = imports().filter(({ from, to }) => from !== to && layerOf(to) >= layerOf(from));
  expect(upward).toEqual([]);
});

test("no imports go in a circle, of types either", () => {
  // Files that import nothing that is left are taken away until none can be.
  let left = new Map(sources.map(({ file, text }) => [file, importedBy(file, text)]));
  for (;;) {
    const held = new Map([...left].filter(([, others]) => others.some((other) => left.has(other))));
    if (held.size === left.size) break;
    left = held;
  }
  expect([...left.keys()]).toEqual([]);
});

test("pure folders reach no node:* through what they import, lib apart", () => {
  const impure = sources
    .filter(({ file }) => pure.includes(folderOf(file)))
    .flatMap(({ file }) =>
      [...reached(file)]
        .filter((other) => /from "node:/.test(textOf(other)))
        .map((other) => `${file} > ${other}`),
    );
  expect(impure).toEqual([]);
});

test("what an agent starts opens no store, and the client of the channel loads no schema library", () => {
  // Outside a dispatch the server opens the store, by one import that is made there and nowhere else.
  const outside = "mcp/repository-offer.ts";
  const server = [...reached("mcp/main.ts", new Set([outside]))];
  expect(server).toContain("channel/client.ts");
  expect(server.filter((file) => /^(journal|git)\/|^memory\/.*\/(open|.*-rows)\.ts$/.test(file))).toEqual([]);
  expect(sources.filter(({ text }) => text.includes("/repository-offer.ts")).map(({ file }) => file)).toEqual(
    ["mcp/offer.ts"],
  );
  expect(textOf("mcp/offer.ts")).toMatch(
    /case "none": \{\s+\/\/.*\s+const .* = await import\("\.\/repository-offer\.ts"\)/,
  );
  const client = [...reached("channel/here.ts")];
  expect(client.filter((file) => /^import (?!type).* from "zod/m.test(textOf(file)))).toEqual([]);
});

test("a hook opens no store and loads no schema library, but in the parts that it loads when it needs them", () => {
  const parts = [
    "plan-mode",
    "take-plan",
    "brief",
    "orchestrate",
    "orchestrate-phases",
    "approval",
    "untracked-plan",
  ];
  const hook = [...reached("hook/main.ts", new Set(parts.map((name) => `hook/${name}.ts`)))];
  expect(hook).toContain("hook/writes.ts");
  expect(hook.filter((file) => /^(journal|git|evidence|memory|mcp)\//.test(file))).toEqual([]);
  expect(hook.filter((file) => /^import (?!type).* from "(zod|commander|yaml)/m.test(textOf(file)))).toEqual(
    [],
  );
});

test("effects stay at the edges", () => {
  const found = sources
    .filter(({ file, text }) => !edges.some((edge) => file.startsWith(edge)) && effects.test(code(text)))
    .map(({ file }) => file);
  expect(found).toEqual([]);
});

/** Patterns that are put together of constants, and not at the top of a file. */
const composed = ["protocol/schema.ts", "knowledge/stem.ts"];

test("no text of a project becomes a regular expression: each pattern is a constant (fault R2)", () => {
  const built = sources.flatMap(({ file, text }) =>
    text
      .split("\n")
      .filter((line) => /\bRegExp\(/.test(line) && !/^(?:export )?const \w+ = new RegExp\(/.test(line))
      .map(() => file),
  );
  expect(built.filter((file) => !composed.includes(file))).toEqual([]);
});

test("what programs print goes through one writer, so that no text controls a terminal (fault S6)", () => {
  const raw = sources
    .filter(({ file }) => /^(?:cli|envoy)\//.test(file))
    .flatMap(({ file, text }) => text.split("\n").map((line) => ({ file, line: line.trim() })))
    .filter(
      ({ line }) =>
        /\.write\(|\bwriteSync\(/.test(line) &&
        !/\b(?:printed|drawn|jsonLine|successLine|errorLine)\(/.test(line),
    );
  // A version and a shipped text.
  expect(raw.filter(({ file }) => !["cli/main.ts", "cli/start.ts", "envoy/start.ts"].includes(file))).toEqual(
    [],
  );
});

test("files are kebab-case, under 400 lines, and say what they are", () => {
  // `envoy git diff-base` has its name from the specification.
  const vague = /(^|[/-])(utils?|helpers?|common|manager|service|(?<!diff-)base|types)\.(test\.)?ts$/;
  expect(
    files.filter((file) => !/^([a-z0-9-]+\/)*[a-z0-9-]+(\.test)?\.ts$/.test(file) || vague.test(file)),
  ).toEqual([]);
  const long = files.filter(
    (file) => readFileSync(join("src", file), "utf8").trimEnd().split("\n").length > 400,
  );
  expect(long).toEqual([]);
});

test("no folder has more than thirty files side by side", () => {
  const counts = new Map<string, number>();
  for (const { file } of sources) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > 30)).toEqual([]);
});

test("no file only gathers others but the three index.ts of package.json", () => {
  const gathers = /^export (\*|(type )?\{[^}]*\}) from /m;
  const own = /^export (async |declare |const |function|class|interface|type \w)/m;
  const barrels = sources.filter(({ text }) => gathers.test(text) && !own.test(text)).map(({ file }) => file);
  expect(
    barrels.filter((file) => !["index.ts", "testing/index.ts", "protocol/index.ts"].includes(file)),
  ).toEqual([]);
});

/** A file and all it loads when it runs, so without imports of types and without lib. */
function reached(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file) || folderOf(file) === "lib") return seen;
  seen.add(file);
  const values = textOf(file).replace(/^(import|export) type [^;]*;/gm, "");
  for (const path of importedBy(file, values)) reached(path, seen);
  return seen;
}

function imports(): { file: string; from: string; to: string }[] {
  return sources.flatMap(({ file, text }) =>
    importedBy(file, text).map((path) => ({ file, from: folderOf(file), to: folderOf(path) })),
  );
}

function importedBy(file: string, text: string): readonly string[] {
  const paths = [...text.matchAll(/(?:from|import\() ?"(\.[^"]+)"/g)].map(([, path = ""]) => path);
  return paths.map((path) => relative("src", join("src", dirname(file), path)));
}

function textOf(file: string): string {
  return sources.find((source) => source.file === file)?.text ?? "";
}

function folderOf(file: string): string {
  return file.split("/")[0] ?? file;
}

function layerOf(folder: string): number {
  return layers.findIndex((layer) => layer.includes(folder));
}

/** Without comments and strings. */
function code(text: string): string {
  return text.replace(/"(?:[^"\\\n]|\\.)*"/g, '""').replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "");
}
