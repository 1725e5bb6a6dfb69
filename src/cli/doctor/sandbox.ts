/** Checks whether agents are confined here, by trying to escape as an agent could. */
import { readFile } from "node:fs/promises";
import { findProgram } from "../../process/find-program.ts";
import { isolationOf, blocksAll } from "../../sandbox/isolation.ts";
import { sandboxHere } from "../../sandbox/setting.ts";
import { probeAgents } from "../../sandbox/probe-agents.ts";
import { secretValues } from "../../config/env.ts";
import { fail, ok, warn, type DoctorCheck, type DoctorFinding, type DoctorContext } from "./check.ts";
import { installCommand } from "./install.ts";

const none = "no agent is confined: records say isolation: none";

export const sandbox: DoctorCheck = {
  name: "sandbox",
  needed: false,
  async examine(context) {
    const wanted = sandboxHere(context.settings.sandbox, context.env);
    if (wanted === "off") return [warn(`disabled, so ${none}`, costs)];
    const found = await examineSandbox(context);
    if (wanted !== "required" || found.state === "ok") return [found];
    return [fail(`required; ${found.seen}`, found.help ?? costs)];
  },
};

const costs = "see `The sandbox` in the README for the risks";

async function examineSandbox(context: DoctorContext): Promise<Omit<DoctorFinding, "name">> {
  const { path, platform, env, repository, stateRoot } = context;
  if (platform !== "linux") return warn(`not supported on this system; ${none}`, costs);
  if ((await findProgram("bwrap", path)) === null)
    return warn(`bubblewrap is not installed; ${none}`, await installCommand("bubblewrap", path));
  const host = { path, env, secrets: secretValues(env), node: process.execPath };
  const probed = await probeAgents({ host, stateRoot, repository }, context.settings);
  if (probed.type === "absent")
    return warn(`bubblewrap does not work here (${probed.why}); ${none}`, await remedy(probed.why, path));
  if (probed.unlimited !== null)
    return warn(
      `${isolationOf(probed)}: agents get no network of their own here (${probed.unlimited})`,
      await remedy(probed.unlimited, path),
    );
  return blocksAll(probed) ? ok(isolationOf(probed)) : warn(isolationOf(probed), costs);
}

/** Settings of Linux that can forbid what bubblewrap needs: the name, the value that forbids, the value that allows. */
const kernelSettings: readonly (readonly [name: string, forbids: string, allows: string])[] = [
  ["kernel.unprivileged_userns_clone", "0", "1"],
  ["kernel.apparmor_restrict_unprivileged_userns", "1", "0"],
  ["user.max_user_namespaces", "0", "15000"],
];

async function remedy(why: string, path: string): Promise<string> {
  if (/unknown option/iu.test(why)) return `${await installCommand("bubblewrap", path)} (0.8 or newer)`;
  for (const [name, forbids, allows] of kernelSettings) {
    const value = await readFile(`/proc/sys/${name.replace(".", "/")}`, "utf8").catch(() => ""); // no such setting here
    if (value.trim() === forbids) return `sudo sysctl -w ${name}=${allows}`;
  }
  return "allow user namespaces; a container needs `--security-opt seccomp=unconfined` for that";
}
