/** A repository with its own protocols, in which the test calls `envoy` in its own process. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { envoy } from "../../src/envoy/envoy.ts";
import { createRepository, type TempRepository } from "../support/repository.ts";
import { callHere, type InProcessResult } from "../cli/here.ts";

export interface EnvoyWorld {
  readonly repository: TempRepository;
  call(
    args: readonly string[],
    more?: { readonly cwd?: string; readonly path?: string },
  ): Promise<InProcessResult>;
  /** Calls `envoy protocol NAME` with these files as the only ones of `.claude/protocols/`. */
  print(name: string, files: Readonly<Record<string, string>>): Promise<InProcessResult>;
}

export async function createEnvoyWorld(): Promise<EnvoyWorld> {
  const repository = await createRepository({ files: { "README.md": "x\n", ".gitignore": ".claude/\n" } });
  const world: EnvoyWorld = {
    repository,
    call: (args, { cwd = repository.dir, path = process.env["PATH"] ?? "" } = {}) =>
      callHere(args, { cwd, env: { PATH: path, HOME: repository.dir } }, envoy),
    async print(name, files) {
      await rm(join(repository.dir, ".claude"), { recursive: true, force: true });
      for (const [file, text] of Object.entries(files))
        await repository.write({ [`.claude/protocols/${file}.yaml`]: text });
      return world.call(["protocol", name]);
    },
  };
  return world;
}

/** A protocol file with default fields. */
export function file(name: string, steps: string, more = "extends: null\n"): string {
  return `name: ${name}\ndescription: About ${name}\n${more}steps:\n${steps}`;
}

/** The part below `## Steps`. */
export function stepsOf({ stdout }: InProcessResult): string {
  return stdout.slice(stdout.indexOf("## Steps\n\n") + "## Steps\n\n".length);
}
