import { posix } from "node:path";
import { projectPath } from "../project-path.ts";
import type { Runner, RunnerOutput, RunnerRequest } from "../runner.ts";
import { numberDuplicates, fileOfTest } from "../test-ids.ts";
import type { CompileError, TestProblem, TestReport } from "../test-result.ts";
import { asset } from "./assets.ts";
import { reportValue } from "./report-json.ts";
import { cargoLister } from "./cargo/cargo-list.ts";
import { readCargoOutput, type CargoBinary } from "./cargo/cargo-output.ts";
import { cargoResult, documentedResult, type CargoContext } from "./cargo/cargo-tests.ts";
import { isAtLeast } from "./versions.ts";

const exec = asset("mettle-cargo-exec.mjs");

/**
 * Reads the output of `cargo test` of stable versions (from 1.65; tested: 1.65, 1.95 and a nightly 1.97). Runs targets: for a file below
 * `tests/` its target, for any other file the whole workspace with its doc tests.
 */
export const cargo: Runner = {
  name: "cargo",
  program: "cargo",
  entry: null,
  testFiles: ["**/tests/*.rs", "**/tests/*/main.rs"],
  assets: [exec],
  manifest: "Cargo.toml",
  oldest: "1.65.0",
  // Disables wrappers named in a configuration: only the real compiler runs.
  env: {
    CARGO_TERM_COLOR: "never",
    CARGO_NET_OFFLINE: "true",
    CARGO_INCREMENTAL: "0",
    CARGO_PROFILE_TEST_DEBUG: "line-tables-only",
    RUSTC_WRAPPER: "",
    RUSTC_WORKSPACE_WRAPPER: "",
    RUST_BACKTRACE: "1",
  },
  envIn: ({ cache }) => ({ CARGO_TARGET_DIR: `${cache}/cargo-target` }),
  // Older ones take numbers only.
  at: (version) =>
    isAtLeast(version, "1.71.0") ? cargo : { ...cargo, env: { ...cargo.env, CARGO_PROFILE_TEST_DEBUG: "1" } },
  argv,
  parse,
  list: cargoLister,
};

function argv({
  files,
  node,
  target,
  shuffle,
  seed = 1,
  timeoutMs,
  args = [],
  manifests = new Map(),
}: RunnerRequest): readonly string[] {
  const limit = String(Math.max(1, Math.floor(timeoutMs / 2)));
  const runner = JSON.stringify([node ?? "node", exec, shuffle ? String(seed) : "-", limit]);
  const declared = declaredTests(manifests);
  const names = files.map((file) => declared.get(posix.normalize(file)) ?? usualName(file));
  const targets = names.every((name) => name !== undefined) ? [...new Set(names)] : [];
  return [
    "test",
    ...args,
    "--offline",
    "--workspace",
    "--no-fail-fast",
    "--config",
    `target.${target ?? "unknown"}.runner=${runner}`,
    ...targets.map((name) => `--test=${name}`),
    "--",
    "--test-threads=1",
  ];
}

function usualName(file: string): string | undefined {
  return /(?:^|\/)tests\/([^/]+?)(?:\/main)?\.rs$/.exec(file)?.[1];
}

/** Root file -> name of its target, where a manifest declares both. */
function declaredTests(manifests: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const found = [...manifests].flatMap(([manifest, text]) =>
    tablesOf(text).flatMap(([head, table]): readonly (readonly [string, string])[] => {
      const name = valueOf(table, "name");
      const path = valueOf(table, "path");
      if (head !== "[[test]]" || name === undefined || path === undefined) return [];
      return [[posix.join(posix.dirname(manifest), path), name]];
    }),
  );
  return new Map(found);
}

/** The tables of a TOML file: the header line, and the lines below it. */
function tablesOf(text: string): readonly (readonly [string, string])[] {
  return text.split(/^(?=\[)/m).map((part) => {
    const [head = ""] = part.split("\n", 1);
    return [head.replace(/#.*/, "").replaceAll(/\s/g, ""), part.slice(head.length)];
  });
}

function valueOf(table: string, key: string): string | undefined {
  const lines = [...table.matchAll(/^\s*([\w-]+)\s*=\s*(?:("(?:[^"\\\n]|\\.)*")|'([^'\n]*)')/gm)];
  const line = lines.find(([, name]) => name === key);
  const basic = line?.[2] === undefined ? null : reportValue(line[2]);
  return typeof basic === "string" ? basic : line?.[3];
}

function parse(output: RunnerOutput): TestReport {
  const { stdout, stderr, exitCode, project } = output;
  const files = output.files.map((file) => posix.normalize(file));
  const texts = new Map([...(output.texts ?? [])].map(([file, text]) => [posix.normalize(file), text]));
  const loadErrors = compileErrors(stderr, project, files);
  if (loadErrors.length > 0)
    return {
      report: exitCode !== null,
      tests: [],
      loadErrors,
      problems: [],
      compileErrors: allCompileErrors(stderr, project),
    };
  const { binaries, documentation } = readCargoOutput(stdout);
  const announced = [...stderr.matchAll(/^\s+Running (?:unittests )?(.+?\.rs) \((.+)\)$/gm)].map(
    ([, source = "", binary = ""]) => ({ source, name: posix.basename(binary) }),
  );
  const places = binaries.map((one) => placeOf(one, announced, { project, texts }));
  const documented = { project, folder: "", root: "src/lib.rs", texts };
  const tests = numberDuplicates([
    ...binaries.flatMap((one, at) => testsOf(one, places[at] ?? documented)),
    ...documentation.map((test) => documentedResult(test, documented)),
  ]);
  const seen = new Set(binaries.map(({ binary }) => posix.basename(binary)));
  const unseen = announced.filter(({ name }) => !seen.has(name)).map(({ source }) => source);
  return {
    report: exitCode !== null && announced.length > 0 && binaries.every(({ ended }) => ended),
    tests,
    loadErrors: [],
    problems: [
      ...early(tests),
      ...unseen.map((file): TestProblem => ({
        code: "interrupted",
        file,
        message: "another program ran this target: a `runner` in .cargo/config.toml prevents a proof",
      })),
      ...silent(files, texts, tests),
    ],
  };
}

function testsOf({ tests, listed }: CargoBinary, place: CargoContext) {
  const reported = new Set(tests.map(({ name }) => name));
  const lost = listed.filter((name) => !reported.has(name));
  // The binary cannot run a test that it does not list.
  const known = tests.filter(({ name }) => listed.includes(name));
  const never = lost.map((name) => ({ name, outcome: null, output: "" }));
  return [...known, ...never].map((test) => cargoResult(test, place));
}

function placeOf(
  { binary, folder }: CargoBinary,
  announced: readonly { readonly source: string; readonly name: string }[],
  { project, texts }: Pick<CargoContext, "project" | "texts">,
): CargoContext {
  const name = posix.basename(binary);
  const source = announced.find((one) => one.name === name)?.source ?? name;
  const inside = projectPath(folder, project) ?? "";
  return { project, folder: inside, root: posix.join(inside, source), texts };
}

function early(tests: TestReport["tests"]): readonly TestProblem[] {
  const files = new Set(tests.filter(({ kind }) => kind === "crash").map(({ id }) => fileOfTest(id)));
  return [...files].map((file) => ({
    code: "early_exit",
    file,
    message: "its process ended with unfinished tests",
  }));
}

/** A target without tests exits with 0, so a file without tests is reported here, and a source file only where it holds some. */
function silent(
  files: readonly string[],
  texts: ReadonlyMap<string, string>,
  tests: TestReport["tests"],
): readonly TestProblem[] {
  return files
    .filter((file) => !tests.some(({ id }) => id.startsWith(`${file}::`)))
    .filter((file) => /(^|\/)tests\//.test(file) || /#\[(?:\w+::)*test\b/.test(texts.get(file) ?? ""))
    .map((file) => ({ code: "no_tests", file, message: "no test of this file ran" }));
}

/** Each error extends to the start of the next one. */
function allCompileErrors(stderr: string, project: string): readonly CompileError[] {
  return stderr.split(/^(?=(?:error|warning)(?:\[E\d+\])?: )/m).flatMap((words) => {
    const [, message = "", path = "", line] =
      /^error(?:\[E\d+\])?: (.*)\n +--> (.+?):(\d+):\d+$/m.exec(words) ?? [];
    const file = path === "" ? null : projectPath(path, project);
    return file === null ? [] : [{ file, line: Number(line), message, words: words.slice(0, 4000) }];
  });
}

/** The compiler names one file per error; none of the other requested files ran either. */
function compileErrors(stderr: string, project: string, files: readonly string[]): TestReport["loadErrors"] {
  if (!/^error: could not compile /m.test(stderr)) return [];
  const errors = [...stderr.matchAll(/^error(?:\[E\d+\])?: (.*)\n +--> (.+?):(\d+):\d+$/gm)].flatMap(
    ([, message = "", path = "", line]) => {
      const file = projectPath(path, project);
      return file === null ? [] : [{ file, message: `${message} (${file}:${line})` }];
    },
  );
  const first = errors.filter(({ file }, index) => errors.findIndex((one) => one.file === file) === index);
  const [file = "Cargo.toml"] = files;
  return first.length > 0 ? first : [{ file, message: "the project could not be compiled" }];
}
