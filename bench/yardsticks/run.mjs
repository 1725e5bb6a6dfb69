// Measures Mettle on material that nobody here wrote: a folder that the user names. The folder is only read; repositories are
// made in a scratch folder.
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { leftOut, neverEnds } from "./bare.mjs";
import { judgeCases } from "./batches.mjs";
import { expectedOfBugs, judgeBugs } from "./judge-bugs.mjs";
import { kinds, readBugs, readMaterial } from "./material.mjs";
import { versionOf } from "./repository.mjs";
import { detailTable, summaryTable } from "./table.mjs";

const usage = `usage: node bench/yardsticks/run.mjs ${kinds.join("|")} FOLDER [--limit N] [--only NAME,NAME] [--after NAME] [--every N] [--variant NAME] [--batch N] [--once] [--timeout SECONDS] [--modules FOLDER] [--out FILE] [--log FILE] [--keep]\n`;
const [kind, given, ...flags] = process.argv.slice(2);
if (!kinds.includes(kind) || given === undefined) {
  process.stderr.write(usage);
  process.exit(2);
}
const folder = resolve(given);
const scratch = mkdtempSync(join(tmpdir(), "mettle-yardstick-"));
const log = option("--log", null);
const place = {
  folder: scratch,
  timeoutMs: Number(option("--timeout", "1800")) * 1000,
  isOnce: flags.includes("--once"),
  link: () => {},
  note: (text) => process.stderr.write(`${text}\n`),
  progress(rows) {
    for (const row of rows) {
      process.stderr.write(
        `${row.variant} | ${row.name} | ${row.outcome} | ${row.tests} tests | ${row.passing.length} pass already\n`,
      );
      if (log !== null) appendFileSync(log, `${JSON.stringify(row)}\n`);
    }
  },
};

try {
  const { title, rows } = kind === "bugsjs" ? await measureBugs() : await measureMaterial();
  const text = `${headOf(title)}\n\n${summaryTable(rows)}\n\n${detailTable(rows)}\n`;
  const out = option("--out", null);
  if (out !== null) writeFileSync(out, text);
  process.stdout.write(text);
} finally {
  if (!flags.includes("--keep")) rmSync(scratch, { recursive: true, force: true });
}

async function measureMaterial() {
  const material = readMaterial(kind, folder);
  const modules = modulesFor(material);
  if (modules !== null)
    place.link = (repository) => symlinkSync(modules, join(repository, "node_modules"), "dir");
  const endless = new Map();
  /** What never ends without Mettle stops every batch, and no verdict is expected of it. */
  const isEndless = (one) => {
    if (material.bare === undefined) return false;
    if (!endless.has(one.name)) endless.set(one.name, neverEnds(material, one, scratch));
    return endless.get(one.name);
  };
  const rows = [];
  for (const variant of variantsOf(material.expected)) {
    const some = chosen(material.cases.filter((one) => one.heads[variant] !== undefined));
    const judged = some.filter((one) => {
      const why = leftOut(material, one, { variant, scratch });
      if (why !== null) place.note(`${variant} | ${one.name} | left out: ${why}`);
      return why === null;
    });
    const cases = judged.map((one) =>
      isEndless(one) ? { ...one, isAlone: true, expected: "inconclusive" } : one,
    );
    const batch = Number(option("--batch", "20"));
    rows.push(...(await judgeCases(material, { cases, variant, batch, place })));
  }
  return { ...material, rows };
}

async function measureBugs() {
  const bugs = chosen(readBugs(folder));
  const rows = await judgeBugs({ bugs, variants: variantsOf(expectedOfBugs), folder, place });
  return { title: `BugsJS, ${folder.split("/").at(-1)}`, rows };
}

/** A folder with the dependencies that the material's package.json names; null if it names none. */
function modulesFor({ shared }) {
  const own = option("--modules", null);
  if (own !== null) return resolve(own, existsSync(join(own, "node_modules")) ? "node_modules" : ".");
  const manifest = shared["package.json"];
  if (manifest === undefined) return null;
  const home = join(scratch, "dependencies");
  mkdirSync(home);
  writeFileSync(join(home, "package.json"), manifest);
  const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  execFileSync("npm", ["install", ...quiet], { cwd: home, stdio: ["ignore", "ignore", "inherit"] });
  return join(home, "node_modules");
}

function variantsOf(expected) {
  const only = option("--variant", null);
  return only === null ? Object.keys(expected) : [only];
}

function chosen(cases) {
  const only = option("--only", null)?.split(",");
  const after = option("--after", null);
  const every = Number(option("--every", "1"));
  const some = cases
    .slice(after === null ? 0 : cases.findIndex(({ name }) => name === after) + 1)
    .filter(({ name }, at) => only?.includes(name) ?? at % every === 0);
  return some.slice(0, Number(option("--limit", String(some.length))));
}

function headOf(title) {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const command = [
    "node bench/yardsticks/run.mjs",
    kind,
    "FOLDER",
    ...flags.filter((_flag, at) => isOfCommand(at)),
  ];
  return `${title} (${versionOf(folder)}), Mettle ${version} (${versionOf(join(import.meta.dirname, "../.."))}), Node ${process.versions.node}: \`${command.join(" ")}\`.`;
}

/** Files of this machine say nothing about the measurement. */
function isOfCommand(at) {
  const local = ["--out", "--log", "--modules"];
  return !local.includes(flags[at]) && !local.includes(flags[at - 1]) && flags[at] !== "--keep";
}

function option(name, fallback) {
  return flags.includes(name) ? flags[flags.indexOf(name) + 1] : fallback;
}
