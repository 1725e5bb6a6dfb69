/** Which test runners the checkout at hand speaks, as settings name them, without a run and without an error. */
import { environment } from "../../config/env.ts";
import { loadSettings, type Settings } from "../../config/settings.ts";
import { headCommit, openRepository } from "../../git/repository.ts";
import { AppError, type ErrorCode } from "../../lib/errors.ts";
import { packageRunners } from "../proof/packages.ts";
import { projectAt } from "../proof/project.ts";

type Runners = Pick<Settings, "runner" | "packages">;

const nothingToTell: readonly ErrorCode[] = [
  "not_a_repository",
  "no_commit",
  "runner_not_found",
  "runner_ambiguous",
];

/** Empty outside a repository, and where nothing tells a runner. */
export async function runnersHere(cwd: string): Promise<Runners> {
  try {
    const repository = await openRepository(cwd, { path: environment()["PATH"] ?? "" });
    const settings = await loadSettings(repository.root);
    const project = await projectAt(repository, await headCommit(repository));
    const isHaskell = [...project.files.keys()].some((path) => /^[^/]+\.cabal$|^cabal\.project$/u.test(path));
    if (isHaskell && settings.runner === undefined) return { runner: "cabal" };
    const found = await packageRunners(project, settings);
    const inner = [...found].flatMap(([prefix, name]) =>
      prefix === "" || name === null ? [] : [[prefix.slice(0, -1), name] as const],
    );
    const root = found.get("");
    return {
      ...(root == null ? {} : { runner: root }),
      ...(inner.length === 0 ? {} : { packages: Object.fromEntries(inner) }),
    };
  } catch (error) {
    if (error instanceof AppError && nothingToTell.includes(error.code)) return {};
    throw error;
  }
}
