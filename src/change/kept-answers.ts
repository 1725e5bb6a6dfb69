/**
 * Passing answers of gates, kept below the state root. The same question is answered from there at once while nothing
 * that the answer depends on has changed. Only confined runs are kept: nothing else of the machine reached them.
 */
import { readdir, readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isOwnVariable, variable, type Env } from "../config/env.ts";
import { sharedFolder, stateRoot } from "../config/home.ts";
import { settingsFile } from "../config/settings-file.ts";
import { allNeeds } from "../config/test-variables.ts";
import { resolveCommit } from "../git/repository.ts";
import type { Clock } from "../lib/clock.ts";
import { fileStamp } from "../lib/files.ts";
import { canonicalJson } from "../lib/hash.ts";
import type { GateAnswer } from "./answer.ts";
import type { ChangeRequest, ChangeVerdict } from "./judge.ts";
import type { OpenedRepository } from "./open-for-gate.ts";
import { resultFiles } from "./result-files.ts";

export interface KeptAnswer {
  /** The answer of an earlier execution; null if there is none, or if something has changed. */
  find(): Promise<GateAnswer | null>;
  /** Keeps the answer, if it may be given again. */
  keep(judged: ChangeVerdict, answer: GateAnswer): Promise<void>;
}

/** What is not seen, such as an upgraded library of the system, may be old by this much: one day. */
const oldestMs = 24 * 60 * 60 * 1000;

/**
 * @param version of this program
 * @param clock the time now
 */
export async function keptAnswer(
  opened: OpenedRepository,
  change: ChangeRequest,
  { version, clock }: { readonly version: string; readonly clock: Clock },
): Promise<KeptAnswer> {
  const files = resultFiles(sharedFolder(stateRoot(opened), "answers"));
  // Judging explains what is wrong with a name.
  const key = await questionOf(opened, change, version).catch(() => null);
  return {
    async find() {
      const text = key === null ? null : await files.get(key);
      if (text === null) return null;
      const { GateAnswer: schema } = await import("./answer.ts");
      const found = schema.safeParse(JSON.parse(text));
      if (!found.success) return null; // of an older version
      const age = clock.now() - Date.parse(found.data.ended);
      return age >= 0 && age <= oldestMs ? { ...found.data, is_kept: true } : null;
    },
    async keep(judged, answer) {
      if (key !== null && mayBeKept(judged)) await files.put(key, JSON.stringify(answer));
    },
  };
}

/** A person who asks a failing gate again doubts it, and wants another execution. */
function mayBeKept({ verdict, records, settings }: ChangeVerdict): boolean {
  const isReached = allNeeds(settings.tests).some(
    ({ prepare = [], envFile = [] }) => prepare.length + envFile.length > 0,
  );
  return verdict.verdict === "pass" && !isReached && records.every(({ isolation }) => isolation !== "none");
}

async function questionOf(
  { repository, env, path }: OpenedRepository,
  change: ChangeRequest,
  version: string,
): Promise<string> {
  const { gate, red, criteria, planned, accepted, characterize = false } = change;
  const [base, head, redCommit, settings, criteriaText, installed] = await Promise.all([
    resolveCommit(repository, change.base),
    resolveCommit(repository, change.head),
    red === null ? null : resolveCommit(repository, red),
    readFile(join(repository.checkout, settingsFile), "utf8").catch(() => null), // there need be none
    criteria === null ? null : readFile(criteria, "utf8"),
    installedIn(repository.checkout, env, path),
  ]);
  const program = fileStamp(fileURLToPath(import.meta.url));
  const variables = Object.entries(env).filter(
    ([name]) => isOwnVariable(name) || settings?.includes(name) === true,
  );
  return canonicalJson({
    answer: 1,
    program: [version, program],
    question: { gate, base, head, red: redCommit, planned, accepted, characterize },
    criteria: criteriaText,
    checkout: repository.checkout,
    settings,
    variables: Object.fromEntries(variables),
    node: process.version,
    platform: process.platform,
    installed,
  });
}

/** What changes with an installation: marks of package managers, and the folders of programs. */
async function installedIn(checkout: string, env: Env, path: string): Promise<readonly string[]> {
  const modules = ["", ".package-lock.json", ".modules.yaml", ".yarn-state.yml", ".yarn-integrity"];
  const venvs = [join(checkout, ".venv"), variable("VIRTUAL_ENV", env)].filter((place) => place !== null);
  const libraries = await Promise.all(
    venvs.map(async (venv) => {
      const versions = await readdir(join(venv, "lib")).catch(() => []); // no such environment
      return versions.map((name) => join(venv, "lib", name, "site-packages"));
    }),
  );
  const places = [
    ...modules.map((name) => join(checkout, "node_modules", name)),
    ...libraries.flat(),
    ...path.split(delimiter).filter((folder) => folder !== ""),
  ];
  return places.map(fileStamp);
}
