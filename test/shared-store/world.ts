/** Hosts that share a store: each has a clone of one repository and a state home of its own, and all have one name for it. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { storeVariable } from "../../src/config/env.ts";
import { newFolder } from "../support/folder.ts";
import { runMettle } from "../support/mettle.ts";
import { createRepository, type TempRepository } from "../support/repository.ts";
import type { CliResult } from "../orchestrate/world.ts";

const sharedName = "acme/shop";

export interface SharedHost {
  readonly dir: string;
  /** METTLE_HOME. */
  readonly home: string;
  /** Of its programs. */
  readonly env: Readonly<Record<string, string>>;
  git(...args: readonly string[]): Promise<string>;
  /** Calls the built program as this host's person. @param url null: the variable is not set @param input its standard input @param more variables */
  cli(
    args: readonly string[],
    url?: string | null,
    input?: string,
    more?: Readonly<Record<string, string>>,
  ): Promise<CliResult>;
}

export async function sharedRepository(
  files: Readonly<Record<string, string>>,
  settings = "",
  name = sharedName,
): Promise<TempRepository> {
  const text = `version: 1\nstore: { kind: postgres, repository: ${name} }\n${settings}`;
  return createRepository({ files: { ...files, "mettle.yaml": text } });
}

export async function cloneOf(repository: TempRepository): Promise<string> {
  const dir = join(newFolder(), "clone");
  await repository.git("clone", "-q", repository.dir, dir);
  return dir;
}

/** Lets the keys of all these hosts sign. The first one has to be the first of the store. */
export async function enrolAll([first, ...others]: readonly SharedHost[]): Promise<void> {
  const enrol = async (name: string, args: readonly string[], pem?: string) => {
    const { code, stderr } = (await first?.cli(["keys", "enrol", name, ...args], undefined, pem)) ?? {};
    if (code !== 0) throw new Error(stderr);
  };
  await enrol("host-0", []);
  for (const [index, host] of others.entries())
    await enrol(`host-${index + 1}`, ["-"], (await host.cli(["keys", "show"])).stdout);
}

/** @param more variables of its environment */
export function sharedHost(
  dir: string,
  url: string | null,
  more: Readonly<Record<string, string>> = {},
): SharedHost {
  const home = newFolder();
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: newFolder(),
    METTLE_HOME: home,
    METTLE_SANDBOX: "off",
    METTLE_MUTATION_BUDGET: "0",
    ...more,
  };
  return {
    dir,
    home,
    env: { ...env, ...(url === null ? {} : { [storeVariable]: url }) },
    git: async (...args) => (await promisify(execFile)("git", ["-C", dir, ...args])).stdout,
    cli(args, given = url, input = "", variables = {}) {
      return runMettle(args, {
        cwd: dir,
        env: { ...env, ...(given === null ? {} : { [storeVariable]: given }), ...variables },
        input,
        timeoutMs: 240_000,
      });
    },
  };
}
