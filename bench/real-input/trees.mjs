// Real input of the graph: public programs, split into trees and run by Mettle. Needs a folder with git directories of their
// repositories, OWNER+NAME/repo; no program is stored here.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { caller, commitAll, reader, root, tableOf, write } from "./drive.mjs";
import {
  allOf,
  contractOf,
  criteriaOf,
  modulesOf,
  storyOf,
  testPathOf,
  testsOf,
  treeCassette,
} from "./trees/cassette.mjs";
import { programs } from "./trees/programs.mjs";
import { firstTest, underFolder, withoutTests } from "./trees/text.mjs";

const [mirror, ...flags] = process.argv.slice(2);
if (!mirror) {
  process.stderr.write(
    "usage: node bench/real-input/trees.mjs FOLDER [--only NAME,NAME] [--variants honest,conflict,drops,breaking,given-back,meddles,cheat] [--out FILE] [--keep]\n",
  );
  process.exit(2);
}
const option = (name, fallback) => (flags.includes(name) ? flags[flags.indexOf(name) + 1] : fallback);
const only = option("--only", programs.map(({ name }) => name).join(",")).split(",");
const variants = option("--variants", "honest,conflict,breaking,cheat")
  .split(",")
  .map((name) => name.replace("-", " "));

const rows = [];
for (const program of programs.filter(({ name }) => only.includes(name)))
  for (const variant of variants) {
    if (!(variant in program) && !["honest", "cheat", "meddles", "drops", "given back"].includes(variant))
      continue;
    const row = inFolder((folder) => runOne(program, variant, folder));
    rows.push([program.name, variant, ...row]);
    process.stderr.write(`${rows.at(-1).join(" | ")}\n`);
  }
const heads = [
  "Program",
  "Variant",
  "Nodes",
  "Result",
  "Merges",
  "Rebases",
  "Rebaser asked",
  "Records",
  "Seconds",
  "What was refused",
];
const table = tableOf(heads, rows);
if (option("--out", null)) writeFileSync(option("--out", null), `${table}\n`);
process.stdout.write(`${table}\n`);

function runOne(program, variant, folder) {
  const source = reader(join(mirror, program.repo, "repo"));
  const read = (path) => {
    if (path === "package.json") return manifest(source.read(path), program.drop ?? []);
    const from = program.moved?.[path] ?? path;
    const text = (program.edited ?? ((same) => same))(eachOnce(source.read(from)));
    const folder = path.slice(0, path.lastIndexOf("/"));
    return withoutTests(underFolder(folder, from, text), program.passing ?? []);
  };
  const titles = titlesOf(program, read, join(folder, "real"));
  const repository = join(folder, program.name);
  const without = storyOf(program, variant)?.without ?? [];
  write(
    repository,
    filesOf(
      program.base.filter((path) => !without.includes(path)),
      read,
    ),
  );
  write(repository, { ".gitignore": "node_modules\n", ...program.made });
  if (!program.python) symlinkSync(join(root, "node_modules"), join(repository, "node_modules"), "dir");
  const limits = variant === "cheat" ? "limits: { attempt: 1 }\n" : "";
  write(repository, { "mettle.yaml": `version: 1\nsandbox: off\n${limits}` });
  mkdirSync(folder, { recursive: true });
  commitAll(repository, folder);
  const [cassette, spec] = ["cassette.yaml", "spec.yaml"].map((name) => join(folder, name));
  writeFileSync(cassette, stringify(treeCassette({ program, variant, read, titles, repository })));
  const { tree } = program;
  const acceptanceCriteria = criteriaOf(tree);
  const about = { id: tree.id, description: `The program ${program.name}`, acceptanceCriteria };
  writeFileSync(
    spec,
    stringify({ ...about, targetPath: tree.target ?? tree.source, testPath: testPathOf(tree) }),
  );
  const call = caller({ repository, folder, timeout: 900_000 });
  const began = Date.now();
  const ended = call("run", "--spec", spec, "--agent", `scripted:${cassette}`, "--protocol", "graph");
  const seconds = ((Date.now() - began) / 1000).toFixed(0);
  const verified = ended.code === 0 ? call("verify", ended.json.run) : null;
  const differs =
    ended.code === 0 ? foreign(repository, ended.json.run, modulesOf({ program, variant, read })) : [];
  const log = call("log", ended.json.run ?? "");
  if (flags.includes("--keep"))
    writeFileSync(join(folder, "ended.json"), JSON.stringify({ ended, verified, differs, log }, null, 1));
  return rowOf({ ended, verified, differs, log, seconds, program });
}

/** Modules of the result that differ from what their node, or the Rebaser, wrote. */
function foreign(repository, run, modules) {
  const at = (path) =>
    execFileSync("git", ["show", `mettle/${run}/result:${path}`], { cwd: repository, encoding: "utf8" });
  return Object.entries(modules).flatMap(([path, text]) => (at(path) === text ? [] : [path]));
}

/** Counts in the timeline that `mettle log` prints. */
function rowOf({ ended, verified, differs, log, seconds, program }) {
  const texts = log.json.events.map(({ text }) => text);
  const count = (pattern) => texts.filter((text) => pattern.test(text)).length;
  const refused = texts.flatMap(
    (text) => /^\S+ +([\w ]+ (?:refused|rejected))\b[^]*?- ([^\n]*)/.exec(text)?.slice(1).join(": ") ?? [],
  );
  const why =
    ended.code === 0
      ? ""
      : (ended.json.waiting?.[0]?.text ?? ended.json.waiting?.text ?? ended.json.error?.message ?? "");
  const result =
    ended.code === 0
      ? `proven, \`mettle verify\` ${verified.code}${differs.map((path) => `, other text: ${path}`).join("")}`
      : `not proven, exit ${ended.code}`;
  return [
    allOf(program.tree).length,
    result,
    count(/^\S+ +merged into /),
    count(/^\S+ +rebased onto /),
    count(/ Rebaser starts/),
    count(/^\S+ +record /),
    seconds,
    [...refused, why]
      .filter(Boolean)
      .map((text) => text.replaceAll("|", "\\|").slice(0, 110))
      .join("; "),
  ];
}

function filesOf(paths, read) {
  return Object.fromEntries(paths.map((path) => [path, read(path)]));
}

function manifest(text, drop) {
  const json = JSON.parse(text);
  for (const name of drop) delete json.scripts[name];
  return `${JSON.stringify(json, null, 2)}\n`;
}

/** Tests with the same title in one file are ambiguous, so the later ones get a number. */
function eachOnce(text) {
  const seen = new Map();
  return text.replaceAll(/^((?:it|test)\(")((?:\\.|[^"\\])*)"/gm, (_whole, start, title) => {
    const count = (seen.get(title) ?? 0) + 1;
    seen.set(title, count);
    return `${start}${title}${count > 1 ? ` (${count})` : ""}"`;
  });
}

/** Lists the tests with the program's own runner, in the whole program, where all must pass. */
function titlesOf(program, read, folder) {
  const nodes = allOf(program.tree);
  const tests = Object.assign({}, ...nodes.map((node) => testsOf(node, read)));
  for (const node of nodes) tests[contractOf(node)] = firstTest(node.test, read(node.test));
  const sources = nodes.flatMap(({ source, also = [] }) => [source, ...also]);
  write(folder, {
    ...filesOf([...program.base, program.interfaceFile, ...sources], read),
    ...program.made,
    ...tests,
  });
  const env = { PATH: process.env.PATH, HOME: folder, PYTHONPATH: join(folder, "src") };
  const run = (file, args) =>
    execFileSync(file, args, { cwd: folder, env, encoding: "utf8", maxBuffer: 64 << 20 });
  if (program.python) {
    run("python3", ["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]);
    const lines = run("python3", [
      "-m",
      "pytest",
      "--collect-only",
      "-q",
      "-p",
      "no:cacheprovider",
      "tests",
    ]).split("\n");
    return (file) =>
      lines.filter((line) => line.startsWith(`${file}::`)).map((line) => line.slice(file.length + 2));
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  const files = Object.keys(tests);
  if (read("package.json").includes('"mocha"')) {
    run(process.execPath, [join(root, "node_modules/mocha/bin/mocha.js"), ...files]);
    return (file) => [...tests[file].matchAll(/^it\("((?:\\.|[^"])*)"/gm)].map(([, title]) => title);
  }
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  run(process.execPath, [vitest, "run", ...files]);
  const list = JSON.parse(run(process.execPath, [vitest, "list", ...files, "--json"]));
  return (file) => list.filter((one) => one.file.endsWith(`/${file}`)).map(({ name }) => name);
}

function inFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), "mettle-tree-"));
  if (flags.includes("--keep")) process.stderr.write(`${folder}\n`);
  try {
    return use(folder);
  } finally {
    if (!flags.includes("--keep")) rmSync(folder, { recursive: true, force: true });
  }
}
