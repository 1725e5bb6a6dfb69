/**
 * The file behind `mettle` on PATH: CommonJS, which starts faster than an ES module, and then loads the program. A hook of a
 * session runs at each tool call, and status lines call `status`: this file loads their programs directly.
 */
import { writeSync } from "node:fs";

declare const METTLE_VERSION: string | undefined;
declare const require: (file: string) => unknown;

/** The build puts them beside this file. */
const hook = "./hook.cjs";
const status = "./status.cjs";
const argv = process.argv.slice(2);

if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
  writeSync(1, `${typeof METTLE_VERSION === "string" ? METTLE_VERSION : "0.0.0-source"}\n`);
} else if (argv[0] === "hook" && argv.every((arg) => !/^-(?:h|-help|-json)/u.test(arg))) {
  require(hook);
} else if (argv[0] === "status") {
  require(status);
} else {
  void import("./main.ts");
}
