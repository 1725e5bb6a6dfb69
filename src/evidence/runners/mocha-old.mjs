/**
 * Starts mocha before 7.1, which loads all files at once and cannot be observed while it does: uses its library as its own
 * program does, with the options of the project. Arguments: mocha's entry, options of Mettle as JSON, the test files.
 */
import { existsSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { limitFor } from "./test-limit.mjs";

const short = {
  r: "require",
  u: "ui",
  t: "timeout",
  R: "reporter",
  O: "reporter-options",
  g: "grep",
  s: "slow",
};
const valued = new Set([...Object.values(short), "fgrep", "globals", "compilers", "opts", "retries"]);
const lists = new Set(["require", "compilers"]);

const [node, , entry, given, ...files] = process.argv;
const { report, list, longest, args } = JSON.parse(given);
// As tests of the project see it, and as mocha-load.mjs finds the library.
process.argv = [node, entry, ...args, ...files];
const folder = process.cwd();
const require = createRequire(join(folder, "index.js"));
const { loadEach, Mocha, now, openReport, write } = await import("./mocha-load.mjs");
const options = optionsOf(args);

if (list !== undefined) {
  const found = options.spec.flatMap((spec) => filesAt(resolve(spec), options));
  const own = [...options.file.map((file) => resolve(file)), ...found];
  writeFileSync(list, JSON.stringify({ files: own, patterns: options.spec }));
} else await run();

async function run() {
  addAbsentMethods();
  openReport(report);
  for (const name of options.require) require(existsSync(resolve(name)) ? resolve(name) : modulePath(name));
  const timeout = limitFor(options.timeout, longest);
  const mocha = new Mocha({ ui: options.ui, timeout });
  mocha.options.ui = options.ui;
  mocha.ui(options.ui);
  mocha.suite.timeout(timeout);
  if (options.checkLeaks) mocha.checkLeaks();
  else mocha.ignoreLeaks?.(true);
  mocha.globals(options.globals);
  if (options.asyncOnly) mocha.asyncOnly();
  if (options.grep !== null) mocha.grep(new RegExp(options.grep));
  mocha.reporter((await import("./mocha-reporter.mjs")).default);
  mocha.suite.on("pre-require", markOnly);
  await loadEach(mocha, [...options.file.map((file) => resolve(file)), ...files], (file) => {
    mocha.suite.emit("pre-require", globalThis, file, mocha);
    mocha.suite.emit("require", require(file), file, mocha);
    mocha.suite.emit("post-require", globalThis, file, mocha);
  });
  mocha.files = [];
  // As its own program does, it does not wait for what tests left open.
  mocha.run((failures) => process.exit(failures === 0 ? 0 : 1));
}

/** `it.only` of mocha before 4 selects tests by a pattern and marks nothing. */
function markOnly(context) {
  for (const holder of [context.it, context.describe, context.test, context.suite, context.context]) {
    const own = holder?.only;
    if (typeof own !== "function") continue;
    holder.only = function (...words) {
      write({ type: "only", file: now.file });
      return own.apply(this, words);
    };
  }
}

/** What mocha-load.mjs and mocha-reporter.mjs use of newer versions. */
function addAbsentMethods() {
  const { Runnable, Suite } = Mocha;
  const titles = function () {
    const above = this.parent === undefined || this.parent === null ? [] : this.parent.titlePath();
    return this.root === true || (this.title === "" && above.length === 0) ? above : [...above, this.title];
  };
  Runnable.prototype.titlePath ??= titles;
  Suite.prototype.titlePath ??= titles;
  Runnable.prototype.isPending ??= function () {
    return this.pending === true || this.parent?.isPending() === true;
  };
  Suite.prototype.isPending ??= function () {
    return this.pending === true || this.parent?.isPending() === true;
  };
}

/** Options of the project that affect which tests run and how they load; from 6 on mocha reads them itself. */
function optionsOf(words) {
  const library = optionsOfLibrary();
  const read = library === null ? wordsIn([...wordsOfFile(words), ...words]) : library(words);
  const many = (value) => [value ?? []].flat().map(String);
  const named = many(read.spec ?? read._).filter((spec) => !files.includes(spec));
  return {
    require: many(read.require),
    file: many(read.file),
    spec: named.length === 0 ? ["./test"] : named,
    ui: read.ui ?? "bdd",
    checkLeaks: read["check-leaks"] === true,
    asyncOnly: read["async-only"] === true,
    globals: many(read.globals ?? read.global).flatMap((names) => names.split(",")),
    grep: read.grep ?? null,
    timeout: read.timeout ?? 2000,
    recursive: read.recursive === true,
    extensions: ["js", ...many(read.extension)],
  };
}

function optionsOfLibrary() {
  try {
    return createRequire(realpathSync(entry))("mocha/lib/cli/options").loadOptions;
  } catch {
    return null;
  }
}

/** As `test/mocha.opts` and the command line have them. */
function wordsIn(words) {
  const read = { _: [] };
  for (let at = 0; at < words.length; at += 1) {
    const [flag, joined] = words[at].split(/=(.*)/s);
    if (!flag.startsWith("-")) {
      read._.push(words[at]);
      continue;
    }
    const name = flag.startsWith("--") ? flag.slice(2) : (short[flag[1]] ?? flag.slice(1));
    if (!valued.has(name)) read[name] = true;
    else {
      const value = joined ?? words[(at += 1)];
      read[name] = lists.has(name) ? [...(read[name] ?? []), value] : value;
    }
  }
  // `--compilers js:babel-register` requires the module.
  const compilers = (read.compilers ?? []).flatMap((all) => all.split(","));
  read.require = [...(read.require ?? []), ...compilers.map((one) => one.slice(one.indexOf(":") + 1))];
  read.extension = compilers.map((one) => one.slice(0, one.indexOf(":")));
  return read;
}

function wordsOfFile(words) {
  const at = words.indexOf("--opts");
  const path = resolve(at === -1 ? "test/mocha.opts" : words[at + 1]);
  return existsSync(path) ? readFileSync(path, "utf8").split(/\s+/).filter(Boolean) : [];
}

function modulePath(name) {
  return existsSync(resolve(`${name}.js`)) ? resolve(`${name}.js`) : name;
}

/** Test files of a folder or a file, as mocha finds them. */
function filesAt(path, { recursive, extensions }) {
  if (!existsSync(path))
    return existsSync(`${path}.js`) ? [`${path}.js`] : createRequire(realpathSync(entry))("glob").sync(path);
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { withFileTypes: true }).flatMap((found) => {
    const inner = join(path, found.name);
    if (found.name.startsWith(".")) return [];
    if (found.isDirectory())
      return recursive && found.name !== "node_modules" ? filesAt(inner, { recursive, extensions }) : [];
    return extensions.includes(found.name.split(".").at(-1)) ? [inner] : [];
  });
}
