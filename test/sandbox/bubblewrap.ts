/** Whether bubblewrap confines on this machine; where not, what needs it is skipped and says so. */
import { spawnSync } from "node:child_process";
import { realpathSync } from "node:fs";

const flags = ["--unshare-user", "--uid", "1000", "--gid", "1000", "--cap-drop", "ALL", "--disable-userns"];

/** Ids of the user who tries; missing: this one. */
export function confinesHere(user?: { readonly uid: number; readonly gid: number }): boolean {
  return spawnSync("bwrap", [...flags, "--ro-bind", "/", "/", "--", "true"], { ...user }).status === 0;
}

/** Where a program of this machine lies. */
export function programHere(name: string): string {
  return realpathSync(spawnSync("/bin/sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim());
}
