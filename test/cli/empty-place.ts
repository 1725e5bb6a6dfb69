/** Where there is nothing but node and git: an empty home, no repository, and no network where this machine can do without. */
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageRoot } from "../../src/config/package-root.ts";
import { callProgram, type Called } from "./stage.ts";

const trap = packageRoot("test/support/trap-connect.mjs");
const placeOf = (name: string) =>
  spawnSync("/bin/sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim();
const withoutNetwork = [placeOf("unshare"), "--user", "--map-root-user", "--net"];

/** Whether a network namespace can be made here. Else the trap alone keeps the program from connecting to anything. */
export const canUnshare = spawnSync("/bin/sh", ["-c", `${withoutNetwork.join(" ")} true`]).status === 0;

export interface EmptyPlace {
  /** Holds `home`, `temporary` (TMPDIR) and `bin` (PATH). */
  readonly folder: string;
  /** The built program, in the empty home where nothing else is said. */
  call(
    args: readonly string[],
    options?: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> },
  ): Promise<Called>;
  remove(): Promise<void>;
}

export async function emptyPlace(): Promise<EmptyPlace> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "mettle-nothing-")));
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
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
