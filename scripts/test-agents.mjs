// Installs missing real coding agents and runs the tests that drive them: against scripted models on loopback, with an empty
// environment, and in a separate network namespace if the user may create one.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installPackage } from "./setup/install-package.mjs";
import { folderOf, installedAgents, realAgents } from "./setup/real-agents.mjs";
import { root } from "./setup/root.mjs";

const files = process.argv.slice(2);
process.exitCode = (await install()) || test();

async function install() {
  const present = installedAgents();
  for (const [variable, agent] of Object.entries(realAgents)) {
    if (present[variable] !== undefined) continue;
    const failed = await installPackage(`${agent.package}@${agent.version}`, folderOf(agent));
    if (failed !== 0) return failed;
  }
  return 0;
}

function test() {
  const home = mkdtempSync(join(tmpdir(), "mettle-test-agents-"));
  try {
    const env = { PATH: process.env.PATH, HOME: home, LANG: "C.UTF-8", ...installedAgents() };
    const chosen = files.length > 0 ? files : ["test/agents"];
    const suite = [process.execPath, "node_modules/vitest/vitest.mjs", "run", ...chosen];
    const unshared = ["unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"];
    const canUnshare = spawnSync(unshared[0], [...alone.slice(1), "true"], { env }).status === 0;
    process.stderr.write(
      canUnshare
        ? "test:agents: in a network namespace with loopback only\n"
        : "test:agents: in the network of this machine\n",
    );
    const [file, ...argv] = canUnshare ? [...alone, ...suite] : suite;
    return spawnSync(file, argv, { cwd: root, env, stdio: "inherit" }).status ?? 1;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
