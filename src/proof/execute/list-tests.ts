/**
 * Lists the files that hold tests with the runner itself, under the project's own configuration, in a clean checkout
 * (PRV-04). If a runner gives no list, files with its usual names run anyway, so that failures are visible; the doubt
 * prevents a pass.
 */
import * as z from "zod";
import { allNeeds } from "../../config/test-variables.ts";
import { canonicalJson } from "../../lib/hash.ts";
import { listWithRunner } from "./list-with-runner.ts";
import type { Checkout } from "../checkout/checkout.ts";
import type { RecordDraft } from "../draft.ts";
import { otherTests } from "./other-commands.ts";
import { prepareOnce } from "./prepare.ts";
import { projectIn, type Project } from "../project/project.ts";
import type { ProofPackage, ProofSetting } from "../proof-package.ts";
import { owns } from "../setting.ts";
import { testFilesOf } from "../project/test-files.ts";
import { symlinkMode } from "../../git/objects/tree.ts";

export interface TestList {
  /** Relative to the repository. */
  readonly files: readonly string[];
  /** Patterns of the configurations, for display. */
  readonly patterns: readonly string[];
  /** Why the list may be incomplete; null where every runner gave its own. */
  readonly doubt: string | null;
}

interface ListContext {
  /** The commit in the checkout; its file names are used where a runner gives no list. */
  readonly project: Project;
  readonly checkout: Checkout;
}

export interface ListingRequest extends ListContext {
  /** Purpose of the run that needs the list. */
  readonly purpose: string;
}

/** @param made receives the records of commands that prepare the checkout */
export async function listTests(
  setting: ProofSetting,
  { project, checkout, purpose }: ListingRequest,
  made: RecordDraft[],
): Promise<TestList> {
  // If preparing fails, the run reports it.
  await prepareOnce(setting, { checkout, of: project, purpose }, made);
  const lists: TestList[] = [];
  for (const one of setting.packages) lists.push(await listPackage(setting, one, { project, checkout }));
  const doubts = lists.flatMap(({ doubt }) => doubt ?? []);
  return {
    files: lists.flatMap(({ files }) => files),
    patterns: [...new Set(lists.flatMap(({ patterns }) => patterns))],
    doubt: doubts.length === 0 ? null : doubts.join("; "),
  };
}

/** Lists the files of a package's whole test command: a later part may add files, or tests that this proof does not run. */
async function listPackage(setting: ProofSetting, one: ProofPackage, where: ListContext): Promise<TestList> {
  const first = await listOne(setting, one, where);
  const others = await otherTests(one, {
    known: new Set(first.files),
    list: (other) => listOne(setting, other, where),
    setting,
  });
  const doubts = [first.doubt, ...others.doubts].filter((doubt) => doubt !== null);
  return {
    files: [...first.files, ...others.files].toSorted(),
    patterns: first.patterns,
    doubt: doubts.length === 0 ? null : doubts.join("; "),
  };
}

/** What of the checkout decides the list. Loaders and commands that prepare a checkout may read any file. */
function listedContent(
  { ports, one }: { readonly ports: ProofSetting["ports"]; readonly one: ProofPackage },
  { project, checkout }: ListContext,
): unknown {
  const { list } = one.found.runner;
  const prepares = allNeeds(ports.tests).some(({ prepare = [] }) => prepare.length > 0);
  const readsAny = one.setup.loaders.length > 0 || prepares;
  if (list?.listsByName === undefined || readsAny) return checkout.content;
  return checkout.files.flatMap((path) => {
    const file = project.files.get(path);
    // The target of a link may be a folder with tests.
    if (file?.mode === symlinkMode) return [`${path}\0${file.blob}`];
    return list.listsByName?.(path) === true ? [path] : [];
  });
}

const Stored = z.object({ files: z.array(z.string()), patterns: z.array(z.string()) });

async function listOne(
  { ports, cache, rules }: ProofSetting,
  one: ProofPackage,
  { project, checkout }: ListContext,
): Promise<TestList> {
  const { prefix, inner, found, config, setup } = one;
  const key = canonicalJson({
    listing: 1,
    content: listedContent({ ports, one }, { project, checkout }),
    package: prefix,
    runner: found.name,
    version: found.version,
    node: ports.node,
    config,
    env: setup.env,
    args: setup.listArgs,
    loaders: setup.loaders,
    prepare: ports.tests ?? null,
  });
  const known = Stored.safeParse(JSON.parse((await cache.get(key)) ?? "null"));
  const lister = found.runner.list;
  const listed = known.success
    ? known.data
    : lister === undefined
      ? null
      : await listWithRunner({ ports, one, checkout, lister });
  const hasList = listed !== null && typeof listed !== "string";
  if (hasList && !known.success) await cache.put(key, canonicalJson(listed));
  // Without a test command, a runner that finds no tests is not how the project starts them.
  const isAnswer = hasList && (listed.files.length > 0 || config !== null || setup.hasCommand);
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
