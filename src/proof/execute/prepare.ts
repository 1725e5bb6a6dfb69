/**
 * Runs the settings' commands that create files which tests need and no commit contains: a build, a generated client. Each
 * clean checkout is prepared before its first test, and again after the check changes its files. The commands have no
 * network unless the settings allow it.
 */
import { mkdir, readdir, stat } from "node:fs/promises";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { AppError } from "../../lib/errors.ts";
import type { Suite } from "../../gates/suite/suite.ts";
import { isExecutable } from "../../lib/files.ts";
import { mask } from "../../lib/mask.ts";
import { sha256, sha256OfFile } from "../../lib/hash.ts";
import { committedOnce, type Checkout } from "../checkout/checkout.ts";
import { childPaths } from "./child-processes.ts";
import { draftOfRun, type RecordDraft } from "../draft.ts";
import { abortedBy, systemPath } from "./execute-command.ts";
import type { ProofPackage, ProofSetting } from "../proof-package.ts";
import type { Project } from "../project/project.ts";
import { readsOf } from "./reads.ts";
import { isConfined, startProgram } from "./start-program.ts";
import { needsOf } from "./test-setup.ts";

export interface PrepareRequest {
  readonly checkout: Checkout;
  readonly of: Pick<Project, "commit" | "tree">;
  /** Purpose of the run that needs it. */
  readonly purpose: string;
}

/** Why a checkout is not ready: the failed command and its last output. */
export interface PrepareFailure {
  readonly command: string;
  readonly exitCode: number | null;
  readonly words: string;
}

const done = new WeakMap<Checkout, Promise<PrepareFailure | null>>();

/** Null where the checkout is ready. The first caller receives the records. */
export function prepareOnce(
  setting: ProofSetting,
  preparing: PrepareRequest,
  made: RecordDraft[],
): Promise<PrepareFailure | null> {
  const known = done.get(preparing.checkout);
  if (known !== undefined) return known;
  const answer = prepareAll(setting, preparing, made);
  done.set(preparing.checkout, answer);
  return answer;
}

/** Call after the files of a checkout changed: it is prepared again before the next run. */
export function prepareAgain(checkout: Checkout): void {
  done.delete(checkout);
}

/** The failure as a suite result: nothing loads in an unprepared checkout. */
export function unpreparedSuite(
  { command, exitCode, words }: PrepareFailure,
  { isOfMachine, files }: { readonly isOfMachine: boolean; readonly files: readonly string[] },
): Suite {
  const message = `\`${command}\` failed in the clean checkout (exit code ${exitCode ?? "none"}): ${words}`;
  const isEnvironment = isOfMachine || exitCode === null;
  return {
    report: {
      report: !isEnvironment,
      tests: [],
      loadErrors: isEnvironment ? [] : files.map((file) => ({ file, message })),
      problems: [],
    },
    exitCode,
    timedOut: false,
    environment: isEnvironment ? message : null,
  };
}

async function prepareAll(setting: ProofSetting, preparing: PrepareRequest, made: RecordDraft[]) {
  const { ports, packages, base } = setting;
  await committedOnce(preparing.checkout, ports.repository, base.commit);
  const [first] = packages;
  const all = [
    ...(ports.tests?.prepare ?? []).map((command) => ({ command, one: first, prefix: "" })),
    ...packages.flatMap((one) =>
      (needsOf(ports.tests, one.prefix).prepare ?? []).map((command) => ({
        command,
        one,
        prefix: one.prefix,
      })),
    ),
  ];
  for (const { command, one, prefix } of all) {
    ports.progress?.(`preparing with ${command}`);
    const failure = await prepareWith(setting, { ...preparing, command, one, prefix }, made);
    if (failure !== null) return failure;
  }
  return null;
}

interface CommandRun extends PrepareRequest {
  readonly command: string;
  /** The package that provides variables and programs. */
  readonly one: ProofPackage | undefined;
  readonly prefix: string;
}

async function prepareWith({ ports }: ProofSetting, given: CommandRun, made: RecordDraft[]) {
  const { checkout, of, purpose, command, one, prefix } = given;
  const cwd = join(checkout.path, prefix.slice(0, -1));
  const place = { home: join(checkout.scratch, "prepare-home"), cache: join(checkout.scratch, "cache") };
  for (const folder of Object.values(place)) await mkdir(folder, { recursive: true });
  const children = await childPaths({ ...ports, folder: place.home, root: checkout.path, project: cwd });
  const program = one?.found.program?.path ?? ports.node;
  const env = {
    ...one?.setup.env,
    PATH: [dirname(program), dirname(ports.node), ...children.programs, systemPath].join(delimiter),
    HOME: place.home,
    TMPDIR: place.home,
    LANG: "C.UTF-8",
    CI: "1",
    PYTHONPATH: children.python,
    ...one?.found.program?.env,
    ...one?.found.runner.envIn?.(place),
  };
  const before = await filesIn(checkout.path);
  const shell = ["/bin/sh", "-c", command];
  const hasNetwork = ports.tests?.network === true;
  const isPlain = hasNetwork || (await isConfined(ports));
  const [file = "", ...argv] = isPlain ? shell : await withoutNetwork(ports.repository.path, shell);
  const {
    ran,
    output: raw,
    isolation,
  } = await startProgram(ports, {
    file,
    argv,
    options: { cwd, env, timeoutMs: ports.timeoutMs, ...abortedBy(ports) },
    checkout: checkout.path,
    place: place.home,
    cache: place.cache,
    reads: await readsOf(ports, checkout, one?.found),
    hasNetwork,
  });
  const output = mask(raw.replaceAll(`${checkout.path}/`, ""), [
    ...ports.secrets,
    ...(one?.setup.secrets ?? []),
  ]);
  const started = {
    purpose: `${purpose.split(".")[0]}.prepare`,
    argv: [file, ...argv],
    cwd,
    env,
    isolation,
    ...of,
  };
  const draft = await draftOfRun(ports, started, ran, output);
  const outputs = await newFiles(checkout.path, before);
  made.push({ ...draft, title: command, controls: { prepared: outputs.hash, files: String(outputs.count) } });
  if (draft.verdict === "pass") return null;
  return { command, exitCode: ran.exitCode, words: lastWords(output) };
}

const shownLines = 12;

/** Without the empty lines, and those of npm that are empty but for its name. */
function lastWords(output: string): string {
  const said = output.split("\n").filter((line) => !/^\s*(?:npm (?:error|ERR!))?\s*$/u.test(line));
  return said.slice(-shownLines).join(" / ");
}

/** Wraps the command in a network namespace with only the loopback interface. */
async function withoutNetwork(path: string, argv: readonly string[]): Promise<readonly string[]> {
  for (const folder of [...path.split(delimiter), "/usr/bin"].filter((one) => isAbsolute(one))) {
    const bubblewrap = join(folder, "bwrap");
    if (await isExecutable(bubblewrap))
      return [bubblewrap, "--dev-bind", "/", "/", "--unshare-net", "--die-with-parent", "--", ...argv];
  }
  throw new AppError(
    "test_setup_missing",
    "`tests.prepare` is run without the network, for which bubblewrap is missing",
    {
      hint: "install bubblewrap, or allow the network with `tests: { network: true }` in mettle.yaml",
    },
  );
}

type Sizes = ReadonlyMap<string, string>;

/** Path -> size and modification time. Installed packages are not output. */
async function filesIn(root: string): Promise<Sizes> {
  const found = new Map<string, string>();
  const look = async (folder: string): Promise<void> => {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      if (entry.name === "node_modules" || entry.name === ".git") continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await look(path);
      else if (entry.isFile()) {
        const { size, mtimeMs } = await stat(join(root, path));
        found.set(path, `${size} ${mtimeMs}`);
      }
    }
  };
  await look("");
  return found;
}

async function newFiles(
  root: string,
  before: Sizes,
): Promise<{ readonly hash: string; readonly count: number }> {
  const after = await filesIn(root);
  const changed = [...after].filter(([path, mark]) => before.get(path) !== mark).map(([path]) => path);
  const lines: string[] = [];
  for (const path of changed.toSorted()) lines.push(`${await sha256OfFile(join(root, path))} ${path}\n`);
  return { hash: sha256(lines.join("")), count: changed.length };
}
