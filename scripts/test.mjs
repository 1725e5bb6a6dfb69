// Runs the suite; arguments go to vitest. A complete green run on an unchanged tree writes the green stamp.
import { spawnSync } from "node:child_process";
import { root } from "./setup/root.mjs";
import { forgetGreen, recordGreen, treeHash } from "./setup/tree.mjs";

const args = process.argv.slice(2);
const before = treeHash();
if (args.length === 0) forgetGreen();
const ran = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...args], {
  cwd: root,
  stdio: "inherit",
});
process.exitCode = ran.status ?? 1;
if (args.length === 0 && ran.status === 0 && before !== null && before === treeHash()) recordGreen(before);
