// Runs the benchmarks of bench/ and rewrites their figures in docs/benchmarks.md, between the two markers.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { arch, cpus, platform } from "node:os";
import { join } from "node:path";
import { root } from "./setup/root.mjs";

const file = join(root, "docs/benchmarks.md");
const markers = ["<!-- figures: begin -->", "<!-- figures: end -->"];
const benchmarks = {
  start,
  hook,
  journal,
  dispatch,
  green,
  gate,
  preflight,
  workspace,
  memory,
  knowledge,
  page,
  shared,
};

const chosen = process.argv.slice(2);
// With options of their own and a page of their own; they take longer than all benchmarks.
const suites = { cheats: "bench/cheats/run.mjs", scale: "bench/scale.mjs" };
if (Object.hasOwn(suites, chosen[0] ?? "")) {
  const suite = join(root, suites[chosen[0]]);
  process.exit(spawnSync(process.execPath, [suite, ...chosen.slice(1)], { stdio: "inherit" }).status ?? 1);
}
if (!chosen.every((name) => Object.hasOwn(benchmarks, name))) {
  process.stderr.write(
    `usage: npm run bench [-- ${Object.keys(benchmarks).join(" | ")} | ${Object.keys(suites).join(" | ")}]\n`,
  );
  process.exit(2);
}
const tables = [];
for (const [name, bench] of Object.entries(benchmarks)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  process.stderr.write(`bench: ${name}\n`);
  tables.push(await bench());
}
const day = new Date().toISOString().slice(0, 10);
const machine = `Node ${process.versions.node} on ${platform()} ${arch()}, ${cpus().length} processors, ${day}.`;
const figures = [machine, ...tables].join("\n\n");
process.stdout.write(`${figures}\n`);
// Only a complete run rewrites the page.
if (chosen.length === 0) rewrite();

async function start() {
  const { run } = await import("../bench/start.mjs");
  const rows = (await run()).map(({ what, ms, ratio, goal }) => [
    `\`${what}\``,
    inMs(ms),
    ratio.toFixed(2),
    goal ?? "",
  ]);
  return table(["A whole process", "Median", "Against `node -e 0`", "Goal"], rows);
}

async function hook() {
  const { run } = await import("../bench/hook.mjs");
  const rows = (await run()).map(({ what, ms, ratio, goal }) => [
    what,
    inMs(ms),
    ratio.toFixed(2),
    goal ?? "",
  ]);
  return table(["A hook of a session", "Median", "Against `node -e 0`", "Goal"], rows);
}

function journal() {
  const options = { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] };
  const { append, read } = JSON.parse(execFileSync(process.execPath, ["bench/journal.mjs"], options));
  const appends = append.map(({ bytes, medianMs, rawMedianMs, ratio, ratioOfSums, goal }) => [
    `a durable append of ${bytes} bytes`,
    inMs(medianMs),
    `${ratio.toFixed(2)} times a bare write and sync (${inMs(rawMedianMs)}); by the sums ${ratioOfSums.toFixed(2)}`,
    goal,
  ]);
  const reading = [
    `${read.events} events (${read.megabytes} MB) read and folded`,
    inMs(read.totalMs),
    `${Math.round(read.peakMb)} MB at most`,
    `${read.goalMs} ms, ${read.goalMb} MB`,
  ];
  return table(["The journal", "Median", "", "Goal"], [...appends, reading]);
}

async function dispatch() {
  const { run } = await import("../bench/dispatch.mjs");
  const { before, after, byHand, share, goalMs } = await run();
  return table(
    ["A dispatch to a program", "By Mettle", "By hand", "Goal"],
    [
      ["started, until the first byte of its prompt reaches it", inMs(before), inMs(byHand.before), ""],
      ["its end, until that is journaled, or noticed by hand", inMs(after), inMs(byHand.after), ""],
      ["Mettle's own share of both", inMs(share), "", `${goalMs} ms`],
    ],
  );
}

async function green() {
  const { run } = await import("../bench/green.mjs");
  const { gateMs, bareMs, ratio } = await run();
  return table(
    ["GREEN on the demo repository", "Median", "Against the bare runner", "Goal"],
    [
      ["`node --test` by hand", inMs(bareMs), "1.00", ""],
      ["the gate: tests, controls, checks and records", inMs(gateMs), ratio.toFixed(2), "2.5 times and 1 s"],
    ],
  );
}

async function gate() {
  const { run } = await import("../bench/gate.mjs");
  const { bare, green, kept, more, runs, suite, prove, tests } = await run();
  const times = (ms, of) => `${(ms / of).toFixed(2)} times`;
  return table(
    ["Gates of the command line", "Median", "", "Goal"],
    [
      ["`node --test` by hand, 4 files", inMs(bare), "", ""],
      ["`mettle gate green`, GREEN by its record", inMs(green), times(green, bare), "2.5 times and 1 s"],
      ["`mettle prove`, asked again", inMs(kept), "", "150 ms"],
      ["what confinement adds to a test run", inMs(more), `of ${runs} runs`, "100 ms"],
      [`\`node --test\` by hand, ${tests} tests`, inMs(suite), "", ""],
      [`\`mettle prove\`, ${tests} tests`, inMs(prove), times(prove, suite), "3 runs of the suite"],
    ],
  );
}

async function preflight() {
  const { run } = await import("../bench/preflight.mjs");
  const { suite, first, more, proved, noTests, goal } = await run();
  return table(
    ["From `mettle run` to its first agent", "Median", "More", "Goal"],
    [
      ["the base's own tests, by the project's own command", inMs(suite), "", ""],
      ["the first time at this base", inMs(first), inMs(more.first), `at most ${inMs(goal.first)} more`],
      ["the base without any test", inMs(noTests), "", ""],
      ["the base was proved before", inMs(proved), inMs(more.proved), `at most ${inMs(goal.proved)} more`],
    ],
  );
}

async function workspace() {
  const { run } = await import("../bench/workspace.mjs");
  const { mettle, git, more, goalMs } = await run();
  const rows = [
    ["Mettle's, dependencies ready", inMs(mettle), `${inMs(more)} more`, `at most ${inMs(goalMs)} more`],
    ["`git worktree add`", inMs(git), "", ""],
  ];
  return table(["A workspace in a repository of 2,000 files", "Median", "Against git", "Goal"], rows);
}

async function memory() {
  const { run } = await import("../bench/memory.mjs");
  const rows = (await run()).rows.map(({ size, what, mettleMs, originalMs, ratio, goal }) => [
    String(size),
    what,
    inMs(mettleMs),
    inMs(originalMs),
    `${ratio.toFixed(1)} times`,
    goal === null ? "" : `${goal} times`,
  ]);
  return table(["Entities", "A call over MCP", "Mettle", "server-memory", "Faster", "Goal"], rows);
}

async function knowledge() {
  const { run } = await import("../bench/knowledge.mjs");
  const { documents, index, query, unchanged, relevance } = await run();
  const { phrases, first, amongFive, amongTen } = relevance;
  return table(
    ["The search over documentation", "", "Goal"],
    [
      [`${documents} documents indexed`, `${Math.round(index.perSecond)} a second`, `${index.goal} a second`],
      ["a phrase, the index in memory", inMs(query.ms), `${query.goal} ms`],
      ["a whole search, nothing changed", inMs(unchanged.ms), ""],
      [
        `right document of ${relevance.documents} for ${phrases} phrases`,
        `${first} first, ${amongFive} among 5, ${amongTen} among 10`,
        "",
      ],
    ],
  );
}

async function page() {
  const { run } = await import("../bench/page.mjs");
  const { first, again, elements, empty, updates, idle, bytes, starts } = await run();
  const percent = (share) => `${(100 * share).toFixed(2)} %`;
  return table(
    ["The page, a run of 10,000 events", "", "Beside it", "Goal"],
    [
      ["first paint; the run's head is not there yet", inMs(first.paint), "", ""],
      ["the whole run, opened first since the server's start", inMs(first.whole), "", "1000 ms"],
      [`the whole run, opened again (${elements} elements)`, inMs(again.whole), "", "1000 ms"],
      [
        "median frame at 60 events a second",
        inMs(updates.median),
        `${inMs(empty.median)} on an empty page`,
        "",
      ],
      [
        "frames dropped at 60 events a second",
        percent(updates.dropped),
        `${percent(empty.dropped)} on an empty page`,
        "",
      ],
      ["the longest that an update blocked the page", inMs(updates.blocked), "", "50 ms"],
      ["the page's own code, compressed", `${Math.round(bytes / 1000)} kB`, "", "250 kB"],
      ["the server while nothing happens, of a core", percent(idle), "", "1 %"],
      ...starts.map(({ word, ms, without, ratio }) => [
        `\`mettle ${word}\``,
        inMs(ms),
        `${inMs(without)} without the files of \`mettle ui\`, ${ratio.toFixed(2)} times`,
        "1.00 times",
      ]),
    ],
  );
}

async function shared() {
  const { run } = await import("../bench/shared.mjs");
  const { run: runMany } = await import("../bench/many-runs.mjs");
  const [found, many] = [await run(), await runMany()];
  if (found === null || many === null)
    return "The shared store was not measured: PostgreSQL is not installed.";
  const times = (ratio) => ratio.toFixed(2);
  const networks = [0, 1].map((delayMs) => {
    const rows = found.appends.filter((one) => one.delayMs === delayMs);
    const [trip] = rows;
    return table(
      [
        `The shared store, ${inMs(trip.ms)} for a round trip`,
        "Median",
        "Against the bare INSERT",
        "By the sums",
        "Goal",
      ],
      rows
        .slice(1)
        .map(({ kind, ms, ratio, ratioOfSums, goal }) => [
          kind,
          inMs(ms),
          times(ratio),
          times(ratioOfSums),
          goal ?? "",
        ]),
    );
  });
  const writers = table(
    ["Writers at once", "Bare INSERTs a second", "Mettle's appends", "Appends with NOTIFY, as before"],
    found.writers.map((one) =>
      [one.count, one.bare, one.append, one.notified].map((n) => n.toLocaleString("en")),
    ),
  );
  const [few, more] = many.counts.map((count) => count.toLocaleString("en"));
  const runs = table(
    ["A whole process", "Store", `${few} ended runs`, `${more} ended runs`, "Ratio", "Goal"],
    many.rows.map((row) => [
      `\`mettle ${row.word}\``,
      row.store,
      inMs(row.few),
      inMs(row.many),
      times(row.ratio),
      many.goal,
    ]),
  );
  return [...networks, writers, runs].join("\n\n");
}

function inMs(ms) {
  return `${ms.toFixed(1)} ms`;
}

function table(head, rows) {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function rewrite() {
  const text = readFileSync(file, "utf8");
  const [begin, end] = markers.map((marker) => text.indexOf(marker));
  if (begin < 0 || end < begin) throw new Error(`${file} has lost its markers`);
  writeFileSync(file, `${text.slice(0, begin + markers[0].length)}\n\n${figures}\n\n${text.slice(end)}`);
}
