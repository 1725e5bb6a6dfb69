// Runs the suite on other versions of Node from the npm package `node`. Default: 22 and 24.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { cleanEnvironment } from "./setup/environment.mjs";
import { installPackage } from "./setup/install-package.mjs";
import { root, work } from "./setup/root.mjs";

const args = process.argv.slice(2);
const named = args.filter((arg) => /^\d+$/.test(arg));
const majors = named.length === 0 ? ["22", "24"] : named;
/** Names of test files; none means the whole suite. */
const files = args.filter((arg) => !named.includes(arg));
if (files.some((arg) => arg.startsWith("-"))) {
  process.stderr.write("usage: npm run test:node [-- MAJOR… FILE…]\n");
  process.exit(2);
}

const results = [];
for (const major of majors) results.push(await suiteOn(major));
process.stdout.write(`${results.map(({ text }) => `test:node: ${text}\n`).join("")}`);
process.exitCode = Math.max(...results.map(({ exit }) => exit));

async function suiteOn(major) {
  const node = await installed(major);
  if (node === null) return { exit: 5, text: `Node ${major}: could not be installed` };
  const version = spawnSync(node, ["--version"], { encoding: "utf8" }).stdout.trim();
  process.stdout.write(
    `test:node: ${files.length === 0 ? "the suite" : files.join(" ")} on Node ${version}\n`,
  );
  const env = cleanEnvironment();
  // Tests that start `node` use this version too.
  env.PATH = `${dirname(node)}:${env.PATH}`;
  const ran = spawnSync(node, ["node_modules/vitest/vitest.mjs", "run", ...files], {
    cwd: root,
    stdio: "inherit",
    env,
  });
  return {
    exit: ran.status ?? 1,
    text: `Node ${version}: ${ran.status === 0 ? "green" : `exit ${ran.status}`}`,
  };
}

/** Installs a version of Node. @returns the path of its executable, or null after a reported failure */
async function installed(major) {
  const folder = join(work, "node", major);
  const node = join(folder, "node_modules", "node", "bin", "node");
  if (spawnSync(node, ["--version"], { encoding: "utf8" }).stdout?.startsWith(`v${major}.`)) return node;
  const failed = await installPackage(`node@${major}`, folder);
  return failed === 0 ? node : null;
}
