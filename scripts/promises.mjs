// Lists the proved promises: every test that cites one must have run and passed; a skipped test proves nothing.
// Tests cite promises in their titles, `… [ORC-12 ORC-13]` (test/verifies.ts).
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { parse } from "yaml";
import { installedAgents } from "./setup/real-agents.mjs";
import { root } from "./setup/root.mjs";
import { citationsOf } from "./setup/variants.mjs";

const usage = `usage: npm run promises [-- [--json] [--from REPORT]]

  --json          one JSON object on stdout and nothing else
  --from REPORT   read this report of vitest's JSON reporter instead of running the suite
`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main(process.argv.slice(2));

/** All promises: `[{id, file, area}]`. */
export function readPromises(folder = join(root, "promises")) {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".yaml"))
    .sort()
    .flatMap((file) =>
      parse(readFileSync(join(folder, file), "utf8")).map(({ id, area }) => ({ id, area, file })),
    );
}

/** The status of each promise by a vitest JSON report, and cited ids that no file has. */
export function judge(promises, report) {
  const cited = new Map();
  for (const test of report.testResults.flatMap((file) => file.assertionResults)) {
    for (const id of citedIn(test.title)) cited.set(id, [...(cited.get(id) ?? []), test.status]);
  }
  const known = new Map(promises.map(({ id }) => [id, citationsOf(id)]));
  const statuses = new Map(
    [...known].map(([id, citations]) => [id, statusOfAll(citations.map((one) => cited.get(one) ?? []))]),
  );
  const citable = new Set([...known.values()].flat());
  return { statuses, unknown: [...cited.keys()].filter((id) => !citable.has(id)) };
}

/** proved: all passed. skipped: none failed, but some did not run. unproved: a test failed, or no test cites it. */
function statusOf(statuses) {
  if (statuses.length === 0 || statuses.includes("failed")) return "unproved";
  return statuses.every((status) => status === "passed") ? "proved" : "skipped";
}

/** A promise about each protocol or runner needs a proof for all of them. */
function statusOfAll(lists) {
  const each = lists.map(statusOf);
  if (each.includes("unproved")) return "unproved";
  return each.includes("skipped") ? "skipped" : "proved";
}

function citedIn(title) {
  const citation = "[A-Z][A-Z0-9]*-\\d+(?:@[a-z:]+)?";
  const [, ids] = new RegExp(`\\[(${citation}(?: ${citation})*)\\]$`).exec(title) ?? [];
  return ids === undefined ? [] : ids.split(" ");
}

/** The object of `--json`. */
export function summary(promises, statuses) {
  const byPrefix = {};
  for (const { id } of promises) {
    const prefix = id.slice(0, id.indexOf("-"));
    byPrefix[prefix] ??= { total: 0, proved: 0, skipped: [], unproved: [] };
    byPrefix[prefix].total += 1;
    if (statuses.get(id) === "proved") byPrefix[prefix].proved += 1;
    else byPrefix[prefix][statuses.get(id)].push(id);
  }
  const proved = Object.values(byPrefix).reduce((sum, part) => sum + part.proved, 0);
  return { total: promises.length, proved, byPrefix };
}

/** The table for people: by file, then by area. */
export function table(promises, statuses) {
  const lines = [];
  for (const file of new Set(promises.map((promise) => promise.file))) {
    const inFile = promises.filter((promise) => promise.file === file);
    lines.push(`${file}: ${count(inFile, statuses, "proved")} of ${inFile.length} proved`);
    for (const area of new Set(inFile.map((promise) => promise.area))) {
      const inArea = inFile.filter((promise) => promise.area === area);
      lines.push(`  ${area}: ${count(inArea, statuses, "proved")} of ${inArea.length}`);
      for (const kind of ["proved", "skipped", "unproved"]) {
        const ids = inArea.filter(({ id }) => statuses.get(id) === kind).map(({ id }) => id);
        if (ids.length > 0) lines.push(`    ${`${kind}:`.padEnd(10)}${ids.join(" ")}`);
      }
    }
  }
  lines.push(`all: ${count(promises, statuses, "proved")} of ${promises.length} proved`);
  return `${lines.join("\n")}\n`;
}

function count(promises, statuses, kind) {
  return promises.filter(({ id }) => statuses.get(id) === kind).length;
}

function main(argv) {
  let options;
  try {
    options = parseArgs({
      args: argv,
      options: { json: { type: "boolean" }, from: { type: "string" } },
    }).values;
  } catch (error) {
    return refuse(`${error.message}\n\n${usage}`);
  }
  // npm starts scripts in the package folder; a relative path is relative to the folder of the call.
  const from =
    options.from === undefined ? null : resolve(process.env.INIT_CWD ?? process.cwd(), options.from);
  if (from !== null && !existsSync(from)) return refuse(`no such report: ${options.from}\n\n${usage}`);
  const report = from === null ? runSuite() : JSON.parse(readFileSync(from, "utf8"));
  const promises = readPromises();
  const { statuses, unknown } = judge(promises, report);
  const result = summary(promises, statuses);
  process.stdout.write(options.json ? `${JSON.stringify(result)}\n` : table(promises, statuses));
  for (const id of unknown) process.stderr.write(`a test cites the unknown promise ${id}\n`);
  if (!report.success) process.stderr.write("some tests failed\n");
  process.exitCode = unknown.length > 0 || !report.success ? 1 : 0;
}

function refuse(text) {
  process.stderr.write(text);
  process.exitCode = 2;
}

/** The output of vitest goes to stderr, so that stdout has only the result. */
function runSuite() {
  const folder = mkdtempSync(join(tmpdir(), "mettle-promises-"));
  try {
    const file = join(folder, "report.json");
    const argv = [
      "node_modules/vitest/vitest.mjs",
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${file}`,
    ];
    // A proof includes the tests that test/wide.ts leaves out of `npm test`.
    const env = { ...process.env, METTLE_WIDE: "1", ...installedAgents() };
    spawnSync(process.execPath, argv, { cwd: root, env, stdio: ["ignore", 2, 2] });
    if (!existsSync(file)) throw new Error("vitest ended without a report; its output is above");
    return JSON.parse(readFileSync(file, "utf8"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
