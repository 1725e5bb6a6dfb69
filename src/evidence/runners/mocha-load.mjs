/**
 * The half of Mettle's reporter for mocha that observes how test files load; mocha-reporter.mjs is the other, and mocha.ts
 * reads the output of both: one JSON event per line, closed by `{"type":"end"}`. Plain JavaScript, because mocha loads it.
 * mocha stops at the first file that does not load; here each file is loaded separately.
 */
import { openSync, realpathSync, writeFileSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { limitFor } from "./test-limit.mjs";

// Saved before a test file can replace them.
const { stringify } = JSON;
const most = 16_384;
let report = null;
let number = 0;
const numbers = new WeakMap();

/** mocha, resolved from the runner's own entry, or from where that is a link to: the sandbox may show no more than the link. */
export const Mocha = mochaOf(requireFrom(process.argv[1]));
/** The file or test that is loading or running: reported when the process ends too early. */
export const now = { file: null, failedToLoad: 0, ended: false };

/** @param path of the report; nothing is written before */
export function openReport(path) {
  report = openSync(path, "a");
  watchProcess();
}

export function write(event) {
  if (report !== null) writeSync(report, `${stringify(event)}\n`);
}

/** The number of a test's announcement; a retried test has that of its first attempt. */
export function numberOf(test) {
  const known = numbers.get(test) ?? numbers.get(test.retriedTest?.() ?? test);
  if (known !== undefined) return known;
  announce(test);
  return number;
}

export function thrown(error) {
  const isObject = error !== null && typeof error === "object";
  const told = isObject ? error : { message: String(error) };
  return {
    name: isAssertion(told) ? "AssertionError" : cut(told.name),
    code: cut(told.code),
    message: cut(told.message),
    stack: cut(told.stack),
  };
}

/** Assertion libraries throw an expected and an actual value, or the result of a matcher. */
function isAssertion(error) {
  return ("actual" in error && "expected" in error) || "matcherResult" in error || error.showDiff === true;
}

function cut(value) {
  return value === undefined || value === null ? "" : String(value).slice(0, most);
}

function requireFrom(entry) {
  try {
    return createRequire(entry)("mocha");
  } catch {
    return createRequire(realpathSync(entry))("mocha");
  }
}

function mochaOf(module) {
  return module.default ?? module;
}

/** mocha does not record that a test was skipped: it keeps the title only, like a test without a function. */
let isSkipping = false;
const skipped = new WeakSet();
const { addTest, markOnly: onlySuite } = Mocha.Suite.prototype;
const { markOnly: onlyTest } = Mocha.Test.prototype;

Mocha.Suite.prototype.addTest = function (test) {
  if (isSkipping) skipped.add(test);
  return addTest.call(this, test);
};
Mocha.Suite.prototype.markOnly = function () {
  write({ type: "only", file: now.file });
  return onlySuite.call(this);
};
Mocha.Test.prototype.markOnly = function () {
  write({ type: "only", file: now.file });
  return onlyTest.call(this);
};

const { loadFilesAsync } = Mocha.prototype;
Mocha.prototype.loadFilesAsync = async function (options) {
  const list = this.options.reporterOption?.list;
  if (list !== undefined) {
    // Only a list is requested: the files are known, and none is loaded yet.
    const patterns = [this.options.spec ?? []].flat().map(String);
    writeFileSync(
      decodeURIComponent(list),
      stringify({ files: this.files.map((file) => resolve(file)), patterns }),
    );
    // A list starts none of the project's set-up.
    this.run = (done) => done(0);
    this.files = [];
    return;
  }
  openReport(decodeURIComponent(this.options.reporterOption.report));
  const limit = limitFor(this.suite.timeout(), Number(this.options.reporterOption.longest));
  this.suite.enableTimeouts?.(true); // before 8, a limit of 0 switches them off
  this.suite.timeout(limit);
  const all = this.files;
  await loadEach(this, wanted(all, this.options), (file) => {
    this.files = [file];
    return loadFilesAsync.call(this, options);
  });
  this.files = all;
};

/** @param load loads one file */
export async function loadEach(mocha, files, load) {
  mocha.suite.on("pre-require", markSkips);
  for (const file of files) {
    now.file = file;
    const before = snapshot(mocha.suite);
    try {
      await load(file);
      write({ type: "file", file });
      announceNew(mocha.suite, before);
    } catch (error) {
      now.failedToLoad += 1;
      write({ type: "unloaded", file, error: thrown(error) });
      putBack(mocha.suite, before);
      // The interface is still inside the suite that threw; a new one starts at the top.
      mocha.ui(mocha.options.ui);
      mocha.suite.on("pre-require", markSkips);
    }
  }
  now.file = null;
}

/** A configuration may name more files than requested; its helpers (`file`) come first, as in mocha. */
function wanted(files, options) {
  const helpers = (options.file ?? []).map((file) => resolve(file));
  const asked = process.argv.filter((word) => files.includes(word));
  return [...files.filter((file) => helpers.includes(file) && !asked.includes(file)), ...asked];
}

function markSkips(context) {
  const skipping = (holder, name) => {
    const original = holder?.[name];
    if (typeof original !== "function") return;
    holder[name] = function (...given) {
      isSkipping = true;
      try {
        return original.apply(this, given);
      } finally {
        isSkipping = false;
      }
    };
  };
  for (const holder of [context.it, context.test, context.specify]) skipping(holder, "skip");
  for (const name of ["xit", "xspecify"]) skipping(context, name);
}

const lists = [
  "suites",
  "tests",
  "_beforeAll",
  "_beforeEach",
  "_afterAll",
  "_afterEach",
  "_onlyTests",
  "_onlySuites",
];

function snapshot(suite) {
  return lists.map((name) => suite[name]?.length ?? 0);
}

function putBack(suite, lengths) {
  for (const [at, name] of lists.entries()) suite[name]?.splice(lengths[at]);
}

function announceNew(suite, lengths) {
  const added = lists.map((name, at) => (suite[name] ?? []).slice(lengths[at]));
  for (const one of added.flat()) belongsTo(now.file, one);
  const [suites, tests] = added;
  for (const test of tests) announce(test);
  for (const inner of suites) inner.eachTest(announce);
}

/** mocha names the file whose functions define a test or hook: where a helper keeps those of the first file, this is the wrong one. */
function belongsTo(file, one) {
  one.file = file;
  for (const inner of lists.flatMap((name) => one[name] ?? [])) belongsTo(file, inner);
}

function announce(test) {
  number += 1;
  numbers.set(test, number);
  const file = test.file ?? now.file;
  write({ type: "test", test: number, file, path: pathOf(test), state: stateOf(test) });
}

/** The titles of a test or suite and of all around it; before 3, mocha takes any value as a title. */
export function pathOf(one) {
  return one.titlePath().map(String);
}

export function stateOf(test) {
  if (!test.isPending()) return "run";
  return test.fn === undefined && !skipped.has(test) ? "todo" : "skip";
}

/** mocha swallows unhandled rejections and does not report a process that ends before its tests. */
function watchProcess() {
  const seen = new WeakSet();
  process.on("unhandledRejection", (reason, promise) => {
    if (seen.has(promise)) return;
    seen.add(promise);
    write({ type: "unhandled", file: now.file, error: thrown(reason) });
  });
  process.on("exit", () => {
    if (!now.ended) write({ type: "exit", file: now.file });
  });
}
