import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { inCi } from "./verifies.ts";

/**
 * Checks the code against the drawing of docs/architecture.md: a box is a layer, a room imports only rooms in lower boxes, and a
 * dotted arrow is an exception.
 */
const drawing = (
  /^```mermaid\n([\s\S]*?)^```$/mu.exec(readFileSync("docs/architecture.md", "utf8"))?.[1] ?? ""
)
  .split("\n")
  .map((line) => line.trim());
const layers = layersOf(drawing);
/** No node:*, no clock, no random, no I/O. */
const pure = ["protocol", "notation", "kernel", "log", "source", "gates", "views"];

/** Programs and edges: only these may use the environment, the clock, random numbers, the console and exit. */
const edges = [
  "cli/",
  "envoy/",
  "hook/main.ts",
  "config/",
  "lib/clock.ts",
  "lib/ids.ts",
  "process/network/bridge.ts", // the first program in the sandbox of an agent
  "agents/scripted/player.ts", // a program of its own, started like any agent
];
const effects =
  /\bprocess\.(env|exit)\b|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bhomedir\b|\bconsole\./;

const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) =>
  /\.tsx?$/u.test(file),
);
const sources = files
  .filter((file) => !file.endsWith(".test.ts") && !file.includes("/fixtures/"))
  .map((file) => ({ file, text: readFileSync(join("src", file), "utf8") }));

test("every room is drawn in its layer, and every drawn room exists", () => {
  const rooms = new Set(sources.map(({ file }) => roomOf(file)));
  expect([...layers.keys()].toSorted()).toEqual([...rooms].toSorted());
  expect(rooms.size).toBeGreaterThan(20);
});

test("imports point down the layers, except the dotted arrows", () => {
  expect(arrows("-.->")).toEqual([...between((from, to) => layerOf(to) >= layerOf(from))].toSorted());
});

inCi("each import has an arrow or a path of arrows, and each arrow is an import", () => {
  const down = between((from, to) => layerOf(to) < layerOf(from));
  const below = (room: string): readonly string[] =>
    [...layers.keys()].filter((other) => down.has(arrow(room, other)));
  const leads = (room: string, to: string): boolean =>
    below(room).some((next) => next === to || leads(next, to));
  const worthDrawing = [...layers.keys()].flatMap((from) =>
    below(from)
      .filter((to) => !below(from).some((next) => leads(next, to)))
      .map((to) => arrow(from, to)),
  );
  expect(arrows("-->")).toEqual(worthDrawing.toSorted());
});

test("no imports are circular, type imports included", () => {
  // Removes files without remaining imports until nothing changes; the rest is circular.
  let left = new Map(sources.map(({ file, text }) => [file, importedBy(file, text)]));
  for (;;) {
    const circular = new Map([...left].filter(([, others]) => others.some((other) => left.has(other))));
    if (circular.size === left.size) break;
    left = circular;
  }
  expect([...left.keys()]).toEqual([]);
});

test("pure folders do not reach node:* by their imports, except in lib", () => {
  const impure = sources
    .filter(({ file }) => pure.includes(roomOf(file)))
    .flatMap(({ file }) =>
      [...reached(file)]
        .filter((other) => /from "node:/.test(textOf(other)))
        .map((other) => `${file} > ${other}`),
    );
  expect(impure).toEqual([]);
});

test("programs that an agent starts open no store, and the client of the channel loads no schema library", () => {
  // Outside a dispatch the server opens the store by a single dynamic import.
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
  const client = [...reached("channel/current-dispatch.ts")];
  expect(client.filter((file) => /^import (?!type).* from "zod/m.test(textOf(file)))).toEqual([]);
});

test("a hook opens no store and loads no schema library, except in parts that it loads on demand", () => {
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
  expect(hook.filter((file) => /^import (?!type).* from "(zod|yaml)/m.test(textOf(file)))).toEqual([]);
});

test("a store is opened by its state home alone, which knows whether it is shared", () => {
  const openers =
    /^(?:journal\/(?:open|sqlite|store|file-payloads|postgres\/\w.*)|memory\/graph\/(?:open|postgres\/\w.*))\.ts$/u;
  const found = sources.flatMap(({ file, text }) => {
    if (/^(?:journal|memory\/graph|testing)\//u.test(file)) return [];
    const isOpener = importedBy(file, text).some((path) => openers.test(path));
    return isOpener || /\bopenObservations\b/u.test(text) ? [file] : [];
  });
  expect(found.toSorted()).toEqual([
    "change/place.ts", // of gates, which belong to no run
    "cli/doctor/shared-store.ts", // changes nothing in it
    "cli/doctor/store.ts", // the same
    "metrics/count-events.ts", // only a type
    "metrics/watch-store.ts", // only reads, and all repositories
    "plans/lock.ts", // a lock is no part of a store's rows
    "ui/stores/stamps.ts", // only listens
    "worker/job-client.ts", // takes only a lock
  ]);
});

test("effects stay at the edges", () => {
  const found = sources
    .filter(({ file, text }) => !edges.some((edge) => file.startsWith(edge)) && effects.test(code(text)))
    .map(({ file }) => file);
  expect(found).toEqual([]);
});

/** Files that build patterns from constants inside functions. */
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

test("all output of programs is escaped by one writer, so that no text controls a terminal (fault S6)", () => {
  const raw = sources
    .filter(({ file }) => /^(?:cli|envoy)\//.test(file))
    .flatMap(({ file, text }) => text.split("\n").map((line) => ({ file, line: line.trim() })))
    .filter(
      ({ line }) =>
        /\.write\(|\bwriteSync\(/.test(line) &&
        !/\b(?:printableText|personText|withTones|withCursorMoves|jsonLine|successLine|errorLine)\(/.test(
          line,
        ),
    );
  // A version and a shipped text.
  expect(raw.filter(({ file }) => !["cli/main.ts", "cli/start.ts", "envoy/start.ts"].includes(file))).toEqual(
    [],
  );
});

test("file names are kebab-case and not vague, and files have at most 400 lines", () => {
  // The specification names `envoy git diff-base`.
  const vague = /(^|[/-])(utils?|helpers?|common|manager|service|(?<!diff-)base|types)\.(test\.)?tsx?$/;
  expect(
    files.filter((file) => !/^([a-z0-9-]+\/)*[a-z0-9-]+(\.test)?\.tsx?$/.test(file) || vague.test(file)),
  ).toEqual([]);
  const long = files.filter(
    (file) => readFileSync(join("src", file), "utf8").trimEnd().split("\n").length > 400,
  );
  expect(long).toEqual([]);
});

test("no folder has more than thirty files", () => {
  const counts = new Map<string, number>();
  for (const { file } of sources) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > 30)).toEqual([]);
});

test("no folder of src has more than 16 % of the lines", () => {
  const counts = new Map<string, number>();
  for (const { file, text } of sources) {
    const [folder = ""] = file.split("/");
    counts.set(folder, (counts.get(folder) ?? 0) + text.split("\n").length - 1);
  }
  const all = [...counts.values()].reduce((sum, lines) => sum + lines, 0);
  expect([...counts].filter(([, lines]) => lines > 0.16 * all)).toEqual([]);
});

/** Without `steps`, which is also a kind of protocol file. */
const familyName = /(?<!\[)"(?:graph|cycles|orchestrate|riper|dptr)"/u;

test("a family imports no other family, and the engine names none", () => {
  const isFamily = (room: string) => room.startsWith("families/");
  expect([...between((from, to) => isFamily(from) && isFamily(to))]).toEqual([]);
  const engine = sources.filter(({ file }) =>
    ["engine", "dispatch", "verify", "family", "run"].includes(roomOf(file)),
  );
  expect(engine.filter(({ text }) => familyName.test(text)).map(({ file }) => file)).toEqual([]);
});

test("only the three index.ts of package.json are barrels", () => {
  const gathers = /^export (\*|(type )?\{[^}]*\}) from /m;
  const own = /^export (async |declare |const |function|class|interface|type \w)/m;
  const barrels = sources.filter(({ text }) => gathers.test(text) && !own.test(text)).map(({ file }) => file);
  expect(
    barrels.filter((file) => !["index.ts", "testing/index.ts", "protocol/index.ts"].includes(file)),
  ).toEqual([]);
});

/** A file and all files it loads at run time: without type imports and without lib. */
function reached(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file) || roomOf(file) === "lib") return seen;
  seen.add(file);
  const values = textOf(file).replace(/^(import|export) type [^;]*;/gm, "");
  for (const path of importedBy(file, values)) reached(path, seen);
  return seen;
}

/** The distinct imports between rooms, as arrows. */
function between(wanted: (from: string, to: string) => boolean): ReadonlySet<string> {
  return new Set(
    sources.flatMap(({ file, text }) => {
      const from = roomOf(file);
      const others = importedBy(file, text).map(roomOf);
      return others.filter((to) => to !== from && wanted(from, to)).map((to) => arrow(from, to));
    }),
  );
}

/** The drawn arrows of one kind; `a & b --> c & d` gives four. */
function arrows(kind: "-->" | "-.->"): readonly string[] {
  const ends = drawing.map((line) => line.split(` ${kind} `).map((side) => side.split(" & ")));
  return ends
    .flatMap(([froms = [], tos = []]) => froms.flatMap((from) => tos.map((to) => arrow(from, to))))
    .toSorted();
}

function arrow(from: string, to: string): string {
  return `${from} > ${to}`;
}

/** The layer of each room: the number of the box that its line is in. */
function layersOf(lines: readonly string[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  let layer = -1;
  for (const line of lines) {
    layer = Number(/^subgraph layer(\d+)\[/u.exec(line)?.[1] ?? layer);
    const room = /^([\w./]+)\["/u.exec(line)?.[1];
    if (room !== undefined) found.set(room, layer);
  }
  return found;
}

function importedBy(file: string, text: string): readonly string[] {
  const paths = [...text.matchAll(/(?:from|import\() ?"(\.[^"]+)"/g)].map(([, path = ""]) => path);
  return paths.map((path) => relative("src", join("src", dirname(file), path)));
}

function textOf(file: string): string {
  return sources.find((source) => source.file === file)?.text ?? "";
}

/** A folder of src, or a family. */
function roomOf(file: string): string {
  return /^families\/[^/]+(?=\/)/u.exec(file)?.[0] ?? file.split("/")[0] ?? file;
}

/** -1 if the room is not drawn. */
function layerOf(room: string): number {
  return layers.get(room) ?? -1;
}

/** Without comments and strings. */
function code(text: string): string {
  return text.replace(/"(?:[^"\\\n]|\\.)*"/g, '""').replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "");
}
