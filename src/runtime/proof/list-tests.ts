/**
 * Which files hold tests, asked of the runner itself under the project's own configuration, in a clean checkout (PRV-04).
 * Where a runner gives no list, files of its usual names are run all the same, so that what fails can be seen; the doubt
 * forbids a pass.
 */
import { join } from "node:path";
import { z } from "zod";
import type { Listed, Lister } from "../../evidence/runner.ts";
import { canonicalJson } from "../../lib/hash.ts";
import { mask } from "../../lib/mask.ts";
import type { Checkout } from "./checkout.ts";
import type { RecordDraft } from "./draft.ts";
import { prepared } from "./prepare.ts";
import { projectIn, type Project } from "./project.ts";
import { owns, type ProofPackage, type ProofSetting } from "./setting.ts";
import { expandGlobs } from "./shell-globs.ts";
import { clear, makePlace, reportAt, shortened, startRunner, textsOf } from "./start-runner.ts";
import { testFilesOf } from "./test-files.ts";

export interface TestList {
  /** From the repository's root. */
  readonly files: readonly string[];
  /** What the configurations name, for people. */
  readonly patterns: readonly string[];
  /** Why the list may not be whole; null where each runner gave its own. */
  readonly doubt: string | null;
}

interface Where {
  /** What the checkout is about; its names count where a runner gives no list. */
  readonly project: Project;
  readonly checkout: Checkout;
}

export interface Listing extends Where {
  /** Of the run that the list is for. */
  readonly purpose: string;
}

/** @param made takes the records of what prepares the checkout */
export async function listTests(
  setting: ProofSetting,
  { project, checkout, purpose }: Listing,
  made: RecordDraft[],
): Promise<TestList> {
  // Where that fails, the run says so.
  await prepared(setting, { checkout, of: project, purpose }, made);
  const lists: TestList[] = [];
  for (const one of setting.packages) lists.push(await listPackage(setting, one, { project, checkout }));
  const doubts = lists.flatMap(({ doubt }) => doubt ?? []);
  return {
    files: lists.flatMap(({ files }) => files),
    patterns: [...new Set(lists.flatMap(({ patterns }) => patterns))],
    doubt: doubts.length === 0 ? null : doubts.join("; "),
  };
}

const Stored = z.object({ files: z.array(z.string()), patterns: z.array(z.string()) });

async function listPackage(
  { ports, cache, rules }: ProofSetting,
  one: ProofPackage,
  { project, checkout }: Where,
): Promise<TestList> {
  const { prefix, inner, found, config, surroundings } = one;
  const key = canonicalJson({
    listing: 1,
    content: checkout.content,
    package: prefix,
    runner: found.name,
    version: found.version,
    node: ports.node,
    config,
    env: surroundings.env,
    args: surroundings.listArgs,
    loaders: surroundings.loaders,
    prepare: ports.tests ?? null,
  });
  const known = Stored.safeParse(JSON.parse((await cache.get(key)) ?? "null"));
  const lister = found.runner.list;
  const listed = known.success
    ? known.data
    : lister === undefined
      ? null
      : await askRunner({ ports, one, checkout, lister });
  const hasList = listed !== null && typeof listed !== "string";
  if (hasList && !known.success) await cache.put(key, canonicalJson(listed));
  // Where nobody says how tests are started, a runner that finds none by itself is not how they are.
  const isAnswer = hasList && (listed.files.length > 0 || config !== null || surroundings.hasCommand);
  if (isAnswer) {
    const files = listed.files.map((file) => `${prefix}${file}`).filter((file) => owns(one, file));
    return { files: [...new Set(files)].toSorted(), patterns: listed.patterns, doubt: null };
  }
  const usual = await testFilesOf(projectIn(project, prefix, inner), rules, found.runner);
  return {
    files: usual.map((file) => `${prefix}${file}`),
    patterns: [],
    doubt: typeof listed === "string" ? listed : null,
  };
}

interface Asking extends Pick<ProofSetting, "ports"> {
  readonly one: ProofPackage;
  readonly checkout: Checkout;
  readonly lister: Lister;
}

/** The list, or why there is none, in the runner's own words. */
async function askRunner({ ports, one, checkout, lister }: Asking): Promise<Listed | string> {
  const { found, prefix, config, surroundings } = one;
  const project = join(checkout.path, prefix.slice(0, -1));
  const place = await makePlace(checkout);
  const paths = checkout.files.filter((path) => owns(one, path)).map((path) => path.slice(prefix.length));
  const read = paths.filter((path) => lister.reads?.(path) === true);
  const texts = await textsOf(project, read);
  const argv = (pythonPath: string) =>
    lister.argv({
      pythonPath,
      entry: found.entry,
      project,
      ...(config === null ? {} : { config: join(project, config) }),
      args: lister.takesPatterns === true ? surroundings.listArgs : expandGlobs(surroundings.listArgs, paths),
      report: place.report,
    });
  ports.progress?.(`asking ${found.name} which files hold tests`);
  const { ran, output } = await startRunner({ ports, checkout, found, surroundings, project, place, argv });
  const listed = lister.parse({
    exitCode: ran.exitCode,
    stdout: ran.stdout.toString("utf8"),
    stderr: ran.stderr.toString("utf8"),
    report: await reportAt(place.report),
    project,
    texts,
  });
  await clear(place, null);
  if (listed !== null) return listed;
  const secrets = [...ports.secrets, ...surroundings.secrets];
  const lines = mask(shortened(output, checkout), secrets).trim().split("\n");
  const words = lines.filter((line) => line.trim() !== "" && !/^\s+at /.test(line)).slice(-5);
  const end =
    ran.failedToStart ?? (ran.timedOut ? "it did not end in time" : `exit code ${ran.exitCode ?? "none"}`);
  return `${found.name} does not say which files hold tests (${end}): ${words.join("\n")}`;
}
