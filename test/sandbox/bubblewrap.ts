/** Whether bubblewrap works on this machine; if not, tests that need it are skipped with a note. */
import { spawnSync } from "node:child_process";
import { realpathSync } from "node:fs";

const flags = ["--unshare-user", "--uid", "1000", "--gid", "1000", "--cap-drop", "ALL", "--disable-userns"];

/** Ids of the user to test; missing: the current user. */
export function confinesHere(user?: { readonly uid: number; readonly gid: number }): boolean {
  return spawnSync("bwrap", [...flags, "--ro-bind", "/", "/", "--", "true"], { ...user }).status === 0;
}

/** Path of a program on this machine. */
export function programHere(name: string): string {
  return realpathSync(spawnSync("/bin/sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim());
}
