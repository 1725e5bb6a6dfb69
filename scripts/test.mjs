// Runs the suite; arguments go to vitest. A complete green run on an unchanged tree writes the green stamp.
// Without a file or name to select tests, `npm test` leaves out the tests with the tag "ci"; `npm run test:ci` does not.
import { spawnSync } from "node:child_process";
import { root } from "./setup/root.mjs";
import { forgetGreen, recordGreen, treeHash } from "./setup/tree.mjs";

const args = process.argv.slice(2);
const selects = args.some((arg) => !arg.startsWith("--") || arg.startsWith("--tags-filter"));
const isWhole = ["METTLE_CI", "METTLE_WIDE", "METTLE_DEEP"].some((name) => process.env[name] !== undefined);
const filter = selects || isWhole ? [] : ["--tags-filter=!ci"];
const before = treeHash();
if (args.length === 0) forgetGreen();
const ran = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...filter, ...args], {
  cwd: root,
  stdio: "inherit",
});
process.exitCode = ran.status ?? 1;
if (args.length === 0 && ran.status === 0 && before !== null && before === treeHash()) recordGreen(before);
