/** The build and test commands of the current checkout, for prompts outside a run. Needs no project. */
import { environment } from "../../../config/env.ts";
import { loadSettings } from "../../../config/settings.ts";
import { headCommit, openRepository, type Repository } from "../../../git/repository.ts";
import { AppError, type ErrorCode } from "../../../lib/errors.ts";
import type { ProjectWords } from "../../../protocol/graph-types/briefing.ts";
import { withFoundPaths } from "../../../proof/project/found-paths.ts";
import { packageRunners } from "../../../proof/project/packages.ts";
import { projectAt } from "../../../proof/project/project.ts";
import { projectWords, projectWordsAt, type Runners } from "./project-words.ts";

/** No commands outside a repository; only the build command if no runner is found. */
export async function localProjectWords(cwd: string, contractSuite: string | null): Promise<ProjectWords> {
  const at = await nullOn(["not_a_repository", "no_commit"], async () => {
    const repository = await openRepository(cwd, { path: environment()["PATH"] ?? "" });
    return { repository, commit: await headCommit(repository) };
  });
  if (at === null) return projectWords({}, contractSuite);
  const runners = await nullOn(["runner_not_found", "runner_ambiguous"], () => runnersAt(at));
  return projectWordsAt(at, runners ?? {}, contractSuite);
}

async function runnersAt(at: { readonly repository: Repository; readonly commit: string }): Promise<Runners> {
  const project = await projectAt(at.repository, at.commit);
  const settings = await withFoundPaths(await loadSettings(at.repository.root), [project]);
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
}

async function nullOn<Value>(codes: readonly ErrorCode[], look: () => Promise<Value>): Promise<Value | null> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof AppError && codes.includes(error.code)) return null;
    throw error;
  }
}
