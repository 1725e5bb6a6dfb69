/** Finds reasons why the base commit's own tests fail in a clean checkout: from the project, its checkout and the output. */
import { environment } from "../../config/env.ts";
import { fields, tryGit } from "../../git/git.ts";
import { atCheckout } from "../../git/repository.ts";
import type { CheckoutCause, CauseSearch, BaseContext } from "./cause.ts";
import { filteredFiles, largeFiles, submodules } from "./absent-content.ts";
import { gitAccess, dependencies, loaders, versions } from "./loading.ts";
import { otherParts } from "./other-parts.ts";
import { otherRunner } from "./other-runner.ts";
import { goToolchain, pins, pythonEnvironment } from "./toolchain.ts";
import { buildOutput, uncommittedFiles } from "./uncommitted.ts";
import { variables } from "./variables.ts";

/** The most likely cause first. */
const searches: readonly CauseSearch[] = [
  otherParts,
  otherRunner,
  submodules,
  largeFiles,
  filteredFiles,
  uncommittedFiles,
  buildOutput,
  variables,
  goToolchain,
  pythonEnvironment,
  versions,
  gitAccess,
  loaders,
  pins,
];

/** Only when nothing else was found: another cause often explains a missing module. */
const otherwise: readonly CauseSearch[] = [dependencies];

const maxCauses = 5;

/** The causes that the runner's output mentions; if it mentions none, those that are present. */
export async function baseCauses(
  given: Omit<BaseContext, "ignored" | "untracked" | "env">,
): Promise<readonly CheckoutCause[]> {
  const { repository } = given;
  const place = atCheckout(repository);
  const others = async (...more: readonly string[]) => {
    const args = ["ls-files", "-z", "--others", "--exclude-standard", ...more];
    const { exitCode, stdout } = await tryGit(place, args, { workTree: repository.checkout });
    return exitCode === 0 ? fields(stdout) : [];
  };
  const [ignored, untracked] = await Promise.all([others("--ignored", "--directory"), others()]);
  const seen: BaseContext = { ...given, ignored, untracked, env: environment() };
  const found = await searchAll(searches, seen);
  const isMentioned = (cause: CheckoutCause) => cause.isMentioned;
  const causes = found.some(isMentioned) ? found : await searchAll(otherwise, seen);
  return (causes.some(isMentioned) ? causes.filter(isMentioned) : found).slice(0, maxCauses);
}

async function searchAll(
  these: readonly CauseSearch[],
  seen: BaseContext,
): Promise<readonly CheckoutCause[]> {
  return (await Promise.all(these.map(async (look) => look(seen)))).flat();
}

/** The causes as one hint. */
export function causesText(causes: readonly CheckoutCause[]): string {
  const how = causes.some(({ isMentioned }) => isMentioned) ? "likely" : "perhaps";
  return `${how}: ${causes.map(({ what, help }) => `${what}: ${help}`).join("; ")}`;
}
