/**
 * Runs one test file with jest's own framework (circus) and keeps what jest's results leave out: the thrown values
 * themselves, whether a hook threw them, and `.only`. Plain JavaScript, because jest itself loads it.
 */
import { createRequire } from "node:module";

const path = process.env.METTLE_JEST_CIRCUS;
delete process.env.METTLE_JEST_CIRCUS; // it is not the tests' business
const loaded = createRequire(import.meta.url)(path);
const circus = loaded.default ?? loaded; // jest 29 exports the function itself
const most = 16_384;

export default function run(globalConfig, config, environment, ...more) {
  const watch = watcher();
  const own = environment.handleTestEvent?.bind(environment);
  environment.handleTestEvent = (event, state) => {
    watch.see(event, state);
    return own?.(event, state);
  };
  const seeRejection = (error) => watch.loose(error);
  process.on("unhandledRejection", seeRejection);
  // No `await`: it would put a line of this file into every stack that jest shows.
  return circus(globalConfig, config, environment, ...more)
    .then((result) => nextTurn().then(() => Object.assign(result, { mettle: watch.told() })))
    .finally(() => process.off("unhandledRejection", seeRejection));
}

/** A rejection that nobody handles is told when the turn ends; jest does not wait for it. */
function nextTurn() {
  return new Promise((resolve) => setImmediate(resolve));
}

function watcher() {
  let state = null;
  /** What each test threw, before jest puts it into words; a retried test keeps what its first try threw. */
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
    return test.errors.length === 0 ? null : { error: counted(first(test.errors[0])), isHook: false };
  };
  return {
    see(event, now) {
      state = now;
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
        tests: testsIn(state.rootDescribeBlock, []).map((one) => told(one, ofTest(one.test))),
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

function told({ test, path }, failure) {
  return {
    path,
    status: String(test.status),
    failing: test.failing === true,
    asserts: test.numPassingAsserts ?? 0,
    error: failure === null ? null : { ...thrown(failure.error), isHook: failure.isHook },
  };
}

/** circus keeps pairs: what was thrown, and an error of the place where the test stands. */
function first(error) {
  return Array.isArray(error) ? (error[0] ?? error[1]) : error;
}

/** `expect.assertions` throws nothing; what jest adds in its name is a plain error. */
function counted(error) {
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

/** Libraries of assertions throw what was expected beside what was there, or the result of a matcher. */
function isAssertion(error) {
  return ("actual" in error && "expected" in error) || "matcherResult" in error || error.showDiff === true;
}

function cut(value) {
  return value === undefined || value === null ? "" : String(value).slice(0, most);
}
