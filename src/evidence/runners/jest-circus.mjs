/**
 * Runs one test file with jest's own framework (circus) and keeps facts that jest's results lack: the thrown values
 * themselves, whether a hook threw them, and `.only`. Plain JavaScript, because jest loads it.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { limitFor, takeLongest } from "./test-limit.mjs";

const longest = takeLongest();
const path = process.env.METTLE_JEST_CIRCUS;
delete process.env.METTLE_JEST_CIRCUS; // hidden from the tests
const version = versionOf(path);
const loaded = createRequire(import.meta.url)(path);
const circus = loaded.default ?? loaded; // jest 29 exports the function itself
const most = 16_384;

export default function run(given, config, environment, ...more) {
  const globalConfig = limited(given);
  hideArguments(environment.global.process);
  if (path.includes("jest-jasmine2")) return jasmine(circus, [globalConfig, config, environment, ...more]);
  // Before 29 circus does not count passed assertions.
  const calls = version < 29 ? countCalls(environment.global) : null;
  const watch = watcher(calls);
  const own = environment.handleTestEvent?.bind(environment);
  environment.handleTestEvent = (event, state) => {
    watch.see(event, state);
    return own?.(event, state);
  };
  const seeRejection = (error) => watch.loose(error);
  process.on("unhandledRejection", seeRejection);
  // No `await`: it would add a line of this file to every stack that jest shows.
  return circus(globalConfig, config, environment, ...more)
    .then((result) => nextTurn().then(() => Object.assign(result, { mettle: watch.told() })))
    .finally(() => process.off("unhandledRejection", seeRejection));
}

/** By the configuration's limit, which the options of the command line would replace; jest's own is 5 s. */
function limited(globalConfig) {
  if (longest === null) return globalConfig;
  return { ...globalConfig, testTimeout: limitFor(globalConfig.testTimeout ?? 5000, longest) };
}

/** Code that reads the command line would take a proof's options for its own; a worker of jest has none. */
function hideArguments(process) {
  if (Array.isArray(process?.argv)) process.argv.splice(2);
}

/** An unhandled rejection is reported at the end of the turn; jest does not wait for it. */
function nextTurn() {
  return new Promise((resolve) => setImmediate(resolve));
}

function watcher(calls) {
  let state = null;
  const counted = new Map();
  let before = 0;
  /** The thrown value of each test, before jest formats it; a retried test keeps that of its first attempt. */
  const thrownIn = new Map();
  const beforeAll = new Set();
  const afterAll = new Map();
  const rejected = new Set();
  const add = (test, error, isHook) => {
    if (!thrownIn.has(test)) thrownIn.set(test, { error, isHook });
  };
  const ofTest = (test) => {
    const around = test.errors.map(first).find((error) => beforeAll.has(error));
    if (around !== undefined) return { error: around, isHook: true };
    if (thrownIn.has(test)) return thrownIn.get(test);
    return test.errors.length === 0 ? null : { error: ofCount(first(test.errors[0])), isHook: false };
  };
  return {
    see(event, now) {
      state = now;
      if (event.name === "test_start") before = calls?.() ?? 0;
      if (event.name === "test_done" && calls !== null) counted.set(event.test, calls() - before);
      if (event.name === "test_fn_failure") add(event.test, event.error, false);
      if (event.name !== "hook_failure") return;
      if (event.test) add(event.test, event.error, true);
      else if (event.hook.type === "beforeAll") beforeAll.add(event.error);
      else afterAll.set(event.error, event.describeBlock.name);
    },
    loose(error) {
      rejected.add(error);
    },
    told() {
      const unhandled = new Set([...state.unhandledErrors.map(first), ...rejected]);
      return {
        isFocused: state.hasFocusedTests === true,
        tests: testsIn(state.rootDescribeBlock, []).map((one) => told(one, ofTest(one.test), counted)),
        hooks: [...afterAll].map(([error, suite]) => ({ suite, ...thrown(error) })),
        unhandled: [...unhandled].filter((error) => !afterAll.has(error)).map(thrown),
      };
    },
  };
}

function testsIn(block, path) {
  return block.children.flatMap((child) => {
    const own = [...path, child.name];
    return child.type === "describeBlock" ? testsIn(child, own) : [{ test: child, path: own }];
  });
}

function told({ test, path }, failure, counts) {
  return {
    path,
    status: String(test.status),
    failing: test.failing === true,
    asserts: test.numPassingAsserts ?? counts.get(test) ?? null,
    error: failure === null ? null : { ...thrown(failure.error), isHook: failure.isHook },
  };
}

/** circus keeps pairs: the thrown value, and an error created where the test is defined. */
function first(error) {
  return Array.isArray(error) ? (error[0] ?? error[1]) : error;
}

/** `expect.assertions` throws nothing; jest reports its failure as a plain error. */
function ofCount(error) {
  const isCount = /^expect\.(has)?[aA]ssertions\(/.test(error?.message);
  return isCount ? { ...thrown(error), matcherResult: null } : error;
}

function thrown(error) {
  const isObject = error !== null && typeof error === "object";
  const known = isObject ? error : { message: String(error) };
  return {
    name: isObject && isAssertion(error) ? "AssertionError" : cut(known.name),
    code: cut(known.code),
    message: cut(known.message),
    stack: cut(known.stack),
  };
}

/** Assertion libraries throw an expected and an actual value, or the result of a matcher. */
function isAssertion(error) {
  return ("actual" in error && "expected" in error) || "matcherResult" in error || error.showDiff === true;
}

function cut(value) {
  return value === undefined || value === null ? "" : String(value).slice(0, most);
}

function versionOf(file) {
  for (const folder of [dirname(file), dirname(dirname(file))])
    try {
      return Number.parseInt(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version, 10);
    } catch {
      // one folder up
    }
  return 30;
}

/** The number of `expect` calls so far, which expect stores in an object of the environment; this getter is installed first. */
function countCalls(global) {
  const key = Symbol.for("$$jest-matchers-object");
  if (Object.hasOwn(global, key)) return null;
  let [all, now] = [0, 0];
  const state = {
    expectedAssertionsNumber: null,
    isExpectingAssertions: false,
    suppressedErrors: [],
    get assertionCalls() {
      return now;
    },
    set assertionCalls(value) {
      all += Math.max(0, value - now);
      now = value;
    },
  };
  Object.defineProperty(global, key, { configurable: true, value: { matchers: Object.create(null), state } });
  return () => all;
}

/** jest 26 without circus: its older framework reports the same through its own reporter, except which hook failed. */
async function jasmine(run, given) {
  const { global } = given[2];
  const calls = countCalls(global);
  const tests = [];
  const suites = [];
  const hooks = [];
  let [isFocused, before] = [false, 0];
  const reporter = {
    jasmineStarted() {},
    suiteStarted: ({ description }) => suites.push(description),
    suiteDone({ description, failedExpectations }) {
      suites.pop();
      for (const { error, message } of failedExpectations ?? [])
        hooks.push({ suite: description, ...thrown(error ?? new Error(message)) });
    },
    specStarted: () => (before = calls?.() ?? 0),
    specDone(spec) {
      const [failed] = spec.failedExpectations;
      tests.push({
        path: [...suites, spec.description],
        status:
          { passed: "done", failed: "done", pending: "skip", disabled: "skip", todo: "todo" }[spec.status] ??
          spec.status,
        failing: false,
        asserts: calls === null ? null : calls() - before,
        error:
          failed === undefined
            ? null
            : { ...thrown(ofCount(failed.error ?? new Error(failed.message))), isHook: false },
      });
    },
    jasmineDone() {},
  };
  let lib;
  Object.defineProperty(global, "jasmine", {
    configurable: true,
    enumerable: true,
    get: () => lib,
    set(value) {
      Object.defineProperty(global, "jasmine", {
        configurable: true,
        enumerable: true,
        writable: true,
        value,
      });
      lib = value;
      const env = value.getEnv();
      env.addReporter(reporter);
      for (const name of ["fit", "fdescribe"]) {
        const own = env[name];
        env[name] = function (...words) {
          isFocused = true;
          return own.apply(this, words);
        };
      }
    },
  });
  const rejected = new Set();
  const seeRejection = (error) => rejected.add(error);
  process.on("unhandledRejection", seeRejection);
  try {
    const result = await run(...given);
    await nextTurn();
    return Object.assign(result, {
      mettle: { isFocused, tests, hooks, unhandled: [...rejected].map(thrown) },
    });
  } finally {
    process.off("unhandledRejection", seeRejection);
  }
}
