/**
 * What `mettle` on PATH is: a CommonJS file, since that starts faster than a module, before the program itself. A session's
 * hook runs for each of its tool calls, so it goes to its own program at once.
 */
import { writeSync } from "node:fs";

declare const METTLE_VERSION: string | undefined;
declare const require: (file: string) => unknown;

/** Beside this file once both are built. */
const hook = "./hook.cjs";
const argv = process.argv.slice(2);

if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
  writeSync(1, `${typeof METTLE_VERSION === "string" ? METTLE_VERSION : "0.0.0-source"}\n`);
} else if (argv[0] === "hook" && argv.every((arg) => !/^-(?:h|-help|-json)/u.test(arg))) {
  require(hook);
} else {
  void import("./main.ts");
}
