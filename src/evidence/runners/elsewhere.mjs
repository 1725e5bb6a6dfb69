/**
 * Loaded before the tests of a second run: changes the clock, the variables of test runners, the names of host and user, the
 * number of processors or the call stack, as its own address asks (`?clock&variables&stack`), so that code which decides by
 * them gives another answer (PRV-17). Plain JavaScript, because node loads it.
 */
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import vm from "node:vm";

const kinds = new URL(import.meta.url).searchParams;
const later = 437 * 86_400_000 + 5 * 3_600_000;
if (kinds.has("clock")) shiftClock(later);
if (kinds.has("variables"))
  hideVariables([
    "VITEST",
    "VITEST_MODE",
    "VITEST_WORKER_ID",
    "VITEST_POOL_ID",
    "JEST_WORKER_ID",
    "NODE_TEST_CONTEXT",
  ]);
if (kinds.has("stack")) Error.stackTraceLimit = 0;
if (kinds.has("host")) os.hostname = () => "build-7";
if (kinds.has("user")) changeUser("mira");
if (kinds.has("workers")) changeProcessors();
if (kinds.has("clock") || kinds.has("variables") || kinds.has("stack")) changeContexts();
syncBuiltinESMExports();

function changeUser(username) {
  const plain = os.userInfo;
  os.userInfo = (options) => ({ ...plain(options), username });
}

function changeProcessors() {
  const plain = os.cpus;
  os.cpus = () => [...plain(), ...plain()].slice(0, plain().length + 1);
  os.availableParallelism = () => plain().length + 1;
}

/** jest runs the tests of a file in a context of its own, with its own clock and a copy of the variables. */
function changeContexts() {
  const plain = vm.createContext;
  vm.createContext = (...given) => {
    const context = plain(...given);
    if (kinds.has("clock")) vm.runInContext(`(${shiftClock.toString()})`, context)(later);
    if (kinds.has("stack")) vm.runInContext("Error.stackTraceLimit = 0", context);
    if (kinds.has("variables")) delete process.env.JEST_WORKER_ID;
    return context;
  };
}

/** Later, and at another time of the day. Dates that are computed from given parts stay the same. */
function shiftClock(by) {
  const Plain = Date;
  function Shifted(...parts) {
    if (new.target === undefined) return new Plain(Plain.now() + by).toString();
    const given = parts.length === 0 ? [Plain.now() + by] : parts;
    return Reflect.construct(Plain, given, new.target === Shifted ? Plain : new.target);
  }
  Object.defineProperties(Shifted, Object.getOwnPropertyDescriptors(Plain));
  Shifted.now = () => Plain.now() + by;
  Plain.prototype.constructor = Shifted;
  globalThis.Date = Shifted;
}

/** Hides them from the project's own code only: the runner needs them. */
function hideVariables(names) {
  const hidden = new Set(names);
  const plain = process.env;
  const env = new Proxy(plain, {
    // Without the proxy as receiver: `process.env` takes no property that is set in parts.
    set: (target, name, value) => Reflect.set(target, name, value),
    get: (target, name) => (hidden.has(name) && isAskedByProject() ? undefined : target[name]),
    has: (target, name) => name in target && !(hidden.has(name) && isAskedByProject()),
  });
  Object.defineProperty(process, "env", { value: env, writable: true, enumerable: true, configurable: true });
}

function isAskedByProject() {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 3;
  const [, , , asker = ""] = String(new Error("").stack).split("\n");
  Error.stackTraceLimit = limit;
  return /[/\\]/.test(asker) && !/node_modules|node:|[/\\]elsewhere\.mjs/.test(asker);
}
