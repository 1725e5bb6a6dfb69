import { readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { environment } from "../src/config/env.ts";
import { openRepository, type Repository } from "../src/git/repository.ts";
import { baselineOf, type Baseline } from "../src/proof/base/baseline.ts";
import { packagesOf, type RunnerSettings } from "../src/proof/project/packages.ts";
import { projectAt } from "../src/proof/project/project.ts";
import { proofSetting } from "../src/proof/setting.ts";
import type { BaselineCache, ProofPorts } from "../src/proof/ports.ts";
import { proveFinal, type FinalRequest } from "../src/proof/final-proof.ts";
import { proveGreen, type GreenRequest } from "../src/proof/green-proof.ts";
import type { GateProof } from "../src/proof/proof.ts";
import { proveRed, type RedProof, type RedRequest } from "../src/proof/red-proof.ts";
import { memoryPayloads, type MemoryPayloads } from "../src/testing/memory-payloads.ts";
import { newFolder } from "./support/folder.ts";
import { createRepository, type TempRepository } from "./support/repository.ts";

type Files = Readonly<Record<string, string | null>>;

/** A small project in a real repository, with the ports that proofs need. */
export interface ProofProject {
  readonly repository: Repository;
  readonly repo: TempRepository;
  readonly base: string;
  readonly ports: ProofPorts;
  readonly payloads: MemoryPayloads;
  /** The cache of base runs. */
  readonly cached: Map<string, string>;
  /** Commits files on top of a commit and restores the checkout. */
  commitOn(parent: string, files: Files): Promise<string>;
  red(head: string, options?: Partial<RedRequest>): Promise<RedProof>;
  green(options: Pick<GreenRequest, "red" | "head" | "required"> & Partial<GreenRequest>): Promise<GateProof>;
  /** Runs the base again, without the cache. */
  final(options: Pick<FinalRequest, "head" | "required"> & Partial<FinalRequest>): Promise<GateProof>;
  /** Runs the base commit's own tests, or those of another commit, without the cache. */
  own(options?: {
    readonly commit?: string;
    readonly settings?: Partial<RunnerSettings>;
    readonly ports?: Partial<ProofPorts>;
  }): Promise<Baseline>;
  /** Folders of checkouts that were not removed. */
  leftovers(): Promise<readonly string[]>;
}

export const rules = { tests: ["tests/"], source: ["src/"] };

/** A run of the suite that confines the programs of all proofs: see CONTRIBUTING.md. */
const isConfinedRun = process.env["METTLE_SANDBOX"] === "required";

export async function proofProject(
  files: Files,
  options: { readonly modules?: boolean; readonly isConfined?: boolean } = {},
): Promise<ProofProject> {
  const repo = await createRepository({ files: { ".gitignore": "node_modules\n", ...withoutNull(files) } });
  if (options.modules === true)
    await symlink(join(import.meta.dirname, "../node_modules"), join(repo.dir, "node_modules"));
  const repository = await openRepository(repo.dir, { path: process.env["PATH"] ?? "" });
  const home = newFolder();
  const sandbox = { least: "whole" as const, stateRoot: home, folders: [] };
  const payloads = memoryPayloads();
  const cached = new Map<string, string>();
  const cache: BaselineCache = {
    get: async (key) => cached.get(key) ?? null,
    put: async (key, value) => void cached.set(key, value),
  };
  const ports: ProofPorts = {
    repository,
    payloads,
    worktrees: join(home, "worktrees"),
    secrets: [],
    node: process.execPath,
    timeoutMs: 60_000,
    controls: { mutation: { budget: 0 } },
    ...((options.isConfined ?? isConfinedRun) ? { sandbox, env: environment() } : {}),
  };
  const base = await repo.git("rev-parse", "HEAD");
  const common = { ports, cache, settings: { paths: rules }, base };
  return {
    repository,
    repo,
    base,
    ports,
    payloads,
    cached,
    commitOn: async (parent, changes) => {
      await repo.git("checkout", "--quiet", "--detach", parent);
      await repo.write(changes);
      const commit = await repo.commit();
      await repo.git("checkout", "--quiet", "main");
      return commit;
    },
    red: (head, more = {}) => proveRed({ ...common, head, criteria: null, plan: {}, planned: [], ...more }),
    green: (more) =>
      proveGreen({ ...common, frozen: null, previous: null, oneFilePerIteration: false, ...more }),
    final: (more) => proveFinal({ ...common, cache: forgetful, approved: more.head, ...more }),
    own: async (more = {}) => {
      const at = await projectAt(repository, more.commit ?? base);
      const settings = { paths: rules, ...more.settings };
      const packages = await packagesOf(more.ports?.repository ?? repository, at, settings);
      const given = { ports: { ...ports, ...more.ports }, cache: forgetful, rules: settings.paths, base: at };
      return baselineOf(await proofSetting({ ...given, packages }));
    },
    leftovers: () => readdir(ports.worktrees).catch(() => []),
  };
}

const forgetful: BaselineCache = { get: async () => null, put: async () => undefined };

function withoutNull(files: Files): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(files).flatMap(([path, text]) => (text === null ? [] : [[path, text]])),
  );
}
