/** An environment with only node and git: an empty home, no repository, and no network if this machine can create such a namespace. */
import { spawnSync } from "node:child_process";
import { mkdir, realpath, symlink } from "node:fs/promises";
import { join } from "node:path";
import { packageRoot } from "../../src/config/package-root.ts";
import { newFolder } from "../support/folder.ts";
import { callProgram, type CallResult } from "./stage.ts";

const trap = packageRoot("test/support/trap-connect.mjs");
const placeOf = (name: string) =>
  spawnSync("/bin/sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim();
const withoutNetwork = [placeOf("unshare"), "--user", "--map-root-user", "--net"];

/** Whether a network namespace can be created. If not, only the trap prevents connections. */
export const canUnshare = spawnSync("/bin/sh", ["-c", `${withoutNetwork.join(" ")} true`]).status === 0;

export interface EmptyPlace {
  /** Contains `home`, `temporary` (TMPDIR) and `bin` (PATH). */
  readonly folder: string;
  /** Calls the built program, by default in the empty home. */
  call(
    args: readonly string[],
    options?: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> },
  ): Promise<CallResult>;
}

export async function emptyPlace(): Promise<EmptyPlace> {
  const folder = newFolder();
  for (const name of ["home", "temporary", "bin"]) await mkdir(join(folder, name));
  await symlink(process.execPath, join(folder, "bin", "node"));
  await symlink(await realpath(placeOf("git")), join(folder, "bin", "git"));
  return {
    folder,
    call: (args, { cwd = join(folder, "home"), env = {} } = {}) =>
      callProgram(args, {
        cwd,
        env: {
          PATH: join(folder, "bin"),
          HOME: join(folder, "home"),
          TMPDIR: join(folder, "temporary"),
          ...env,
        },
        node: ["--import", trap],
        ...(canUnshare && { through: withoutNetwork }),
      }),
  };
}
