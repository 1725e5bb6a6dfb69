/** Finds reasons why the base commit's own tests fail in a clean checkout: from the project, its checkout and the output. */
import { environment, type Env } from "../../config/env.ts";
import { fields, tryGit } from "../../git/git.ts";
import { atCheckout } from "../../git/repository.ts";
import type { Cause, Look, Seen } from "./cause.ts";
import { filteredFiles, largeFiles, submodules } from "./left-out.ts";
import { askingGit, dependencies, loaders, versions } from "./loading.ts";
import { otherParts } from "./other-parts.ts";
import { goToolchain, pins, pythonEnvironment } from "./toolchain.ts";
import { buildOutput, uncommittedFiles } from "./uncommitted.ts";
import { variables } from "./variables.ts";

/** The most likely cause first. */
const looks: readonly Look[] = [
  otherParts,
  submodules,
  largeFiles,
  filteredFiles,
  uncommittedFiles,
  buildOutput,
  variables,
  goToolchain,
  pythonEnvironment,
  versions,
  askingGit,
  loaders,
  pins,
];

/** Only when nothing else was found: another cause often explains a missing module. */
const otherwise: readonly Look[] = [dependencies];

const most = 5;

/** The causes that the runner's output mentions; if it mentions none, those that are present. */
export async function baseCauses(
  given: Omit<Seen, "ignored" | "untracked" | "env">,
  env: Env = environment(),
): Promise<readonly Cause[]> {
  const { repository } = given;
  const place = atCheckout(repository);
  const others = async (...more: readonly string[]) => {
    const args = ["ls-files", "-z", "--others", "--exclude-standard", ...more];
    const { exitCode, stdout } = await tryGit(place, args, { workTree: repository.checkout });
    return exitCode === 0 ? fields(stdout) : [];
  };
  const [ignored, untracked] = await Promise.all([others("--ignored", "--directory"), others()]);
  const seen: Seen = { ...given, ignored, untracked, env };
  const found = await all(looks, seen);
  const isSaid = (cause: Cause) => cause.isSaid;
  const said = found.some(isSaid) ? found : await all(otherwise, seen);
  return (said.some(isSaid) ? said.filter(isSaid) : found).slice(0, most);
}

async function all(these: readonly Look[], seen: Seen): Promise<readonly Cause[]> {
  return (await Promise.all(these.map(async (look) => look(seen)))).flat();
}

/** The causes as one hint. */
export function causesText(causes: readonly Cause[]): string {
  const how = causes.some(({ isSaid }) => isSaid) ? "likely" : "perhaps";
  return `${how}: ${causes.map(({ what, help }) => `${what}: ${help}`).join("; ")}`;
}
