// All of CI, fast steps first. Every step before the suite runs even if another fails, so that one call reports all errors.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root, work } from "./setup/root.mjs";
import { greenSince } from "./setup/tree.mjs";

const bin = (name) => join(root, "node_modules", ".bin", name);
const steps = [
  [
    "format",
    bin("prettier"),
    ["--check", "--log-level=warn", "--cache", "--cache-location", join(work, "prettier"), "."],
  ],
  ["lint and layers", bin("oxlint"), ["--type-aware", "--quiet"]],
  ["types", bin("tsc"), ["-p", "."]],
  ["dead code", bin("knip"), ["--no-progress"]],
  ["package", bin("publint"), ["--strict"]],
];

if (process.argv.length > 2) {
  process.stderr.write("usage: npm run check (no arguments)\n");
  process.exit(2);
}
const failed = steps.filter((step) => !passes(step)).map(([name]) => name);
if (failed.length === 0 && !testsPass()) failed.push("tests");
process.stdout.write(failed.length === 0 ? "check: all green\n" : `check: failed: ${failed.join(", ")}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;

function passes([name, file, argv]) {
  const began = Date.now();
  const ran = spawnSync(file, argv, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  const green = ran.status === 0;
  process.stdout.write(
    `check: ${name}: ${green ? "ok" : "FAILED"} (${((Date.now() - began) / 1000).toFixed(1)} s)\n`,
  );
  if (!green) process.stdout.write(`${ran.error?.message ?? ""}${ran.stdout ?? ""}${ran.stderr ?? ""}\n`);
  return green;
}

function testsPass() {
  const since = greenSince();
  if (since !== null) {
    process.stdout.write(
      `check: tests: ok (they passed on exactly this tree at ${since.toISOString()}; not repeated)\n`,
    );
    return true;
  }
  process.stdout.write("check: tests\n");
  return (
    spawnSync(process.execPath, [join(root, "scripts/test.mjs")], { cwd: root, stdio: "inherit" }).status ===
    0
  );
}
