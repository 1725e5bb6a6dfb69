/** Whether agents could be confined here. This version confines none, which is said in every case. */
import { readFile } from "node:fs/promises";
import { findProgram } from "../../agents/find-program.ts";
import { run } from "../../process/run.ts";
import { fail, ok, warn, type Check } from "./check.ts";
import { installCommand } from "./install.ts";

const none = "this version confines no agent: records say isolation: none";

export const sandbox: Check = {
  name: "sandbox",
  needed: false,
  async look({ path, platform, settings }) {
    if (settings.sandbox === "required")
      return [fail(`mettle.yaml requires one; ${none}`, "write `sandbox: auto` in mettle.yaml")];
    if (platform !== "linux") return [warn(`none is known for this system; ${none}`, costs)];
    const program = await findProgram("bwrap", path);
    if (program === null)
      return [warn(`bubblewrap is not installed; ${none}`, await installCommand("bubblewrap", path))];
    const why = await whyNot(program, path);
    if (why === null) return [ok(`bubblewrap works here; ${none}`)];
    return [warn(`bubblewrap does not work here (${why}); ${none}`, await remedy(why, path))];
  },
};

const costs = "the README says under `Without a sandbox` what that costs";

const flags = ["--unshare-user", "--uid", "1000", "--cap-drop", "ALL", "--disable-userns"];

/** With the flags under which an agent would run. Null when they all hold. */
async function whyNot(program: string, path: string): Promise<string | null> {
  const argv = [...flags, "--ro-bind", "/", "/", "--", "/bin/sh", "-c", ":"];
  const ran = await run(program, argv, { cwd: "/", env: { PATH: path }, timeoutMs: 10_000, keepBytes: 4096 });
  if (ran.exitCode === 0) return null;
  if (ran.timedOut) return "no end within 10 s";
  const said = ran.stderr.toString("utf8").trim().split("\n").at(-1) ?? "";
  return said === "" ? (ran.failedToStart ?? `exit code ${ran.exitCode}`) : said.replace(/^bwrap: /u, "");
}

/** Switches of Linux that forbid what bubblewrap needs: the file, the value that forbids, the one that allows. */
const switches: readonly (readonly [name: string, forbids: string, allows: string])[] = [
  ["kernel.unprivileged_userns_clone", "0", "1"],
  ["kernel.apparmor_restrict_unprivileged_userns", "1", "0"],
  ["user.max_user_namespaces", "0", "15000"],
];

async function remedy(why: string, path: string): Promise<string> {
  if (/unknown option/iu.test(why)) return `${await installCommand("bubblewrap", path)} (0.8 or newer)`;
  for (const [name, forbids, allows] of switches) {
    const value = await readFile(`/proc/sys/${name.replace(".", "/")}`, "utf8").catch(() => ""); // no such switch here
    if (value.trim() === forbids) return `sudo sysctl -w ${name}=${allows}`;
  }
  return "allow user namespaces; a container needs `--security-opt seccomp=unconfined` for that";
}
