import { posix } from "node:path";
import * as z from "zod";
import type { Runner, RunnerOutput, RunnerRequest } from "../runner.ts";
import { numberDuplicates } from "../test-ids.ts";
import { projectPath } from "../project-path.ts";
import type { CompileError, TestProblem, TestReport } from "../test-result.ts";
import { asset } from "./assets.ts";
import { readGoEvents, type GoPackage } from "./go-events.ts";
import { isChosenByBuild, readGoPackage } from "./go-tests.ts";
import { filesIn } from "./test-file-list.ts";
import { splitOptions, type OptionTable } from "./options.ts";
import { reportValue } from "./report-json.ts";

const exec = asset("mettle-go-exec.mjs");

/**
 * Runs `go test -json` (tested: Go 1.19; written for newer versions too). Runs packages: for a requested file, all tests of
 * its folder.
 */
export const go: Runner = {
  name: "go",
  program: "go",
  entry: null,
  testFiles: ["**/*_test.go"],
  assets: [exec],
  oldest: "1.19.0",
  // Downloads nothing, starts no other version of go, and ignores the user's go settings.
  env: {
    GOENV: "off",
    GOFLAGS: "",
    GOPROXY: "off",
    GOSUMDB: "off",
    GOTOOLCHAIN: "local",
    GOTELEMETRY: "off",
  },
  envIn: ({ home, cache }) => ({ GOCACHE: `${cache}/go-build`, GOPATH: `${home}/go` }),
  argv,
  parse,
  list: {
    argv: ({ args }) => {
      const { options, rest } = splitOptions(args, buildOptions);
      const packages = rest.filter((word) => /^\.|\/|\.\.\./.test(word));
      return ["list", "-e", "-json", ...options, ...(packages.length > 0 ? packages : ["./..."])];
    },
    parse({ stdout, exitCode, project }) {
      const packages = exitCode === 0 ? readGoList(stdout) : null;
      if (packages === null) return null;
      const files = packages.flatMap(({ Dir, TestGoFiles = [], XTestGoFiles = [] }) =>
        [...TestGoFiles, ...XTestGoFiles].map((file) => posix.join(Dir, file)),
      );
      return { files: filesIn(project, files), patterns: [] };
    },
  },
};

/** Options of go that select the files of a package -> whether the next word may be the value. */
const buildOptions: OptionTable = { "-tags": true, "-mod": true, "-modfile": true, "-C": true };

const GoListed = z.array(
  z.object({
    Dir: z.string(),
    TestGoFiles: z.array(z.string()).optional(),
    XTestGoFiles: z.array(z.string()).optional(),
  }),
);

/** go prints one object after another; each begins and ends at the start of a line. */
function readGoList(stdout: string): z.infer<typeof GoListed> | null {
  const parsed = GoListed.safeParse(reportValue(`[${stdout.trim().replaceAll("\n}\n{", "\n},\n{")}]`));
  return parsed.success ? parsed.data : null;
}

function argv({
  files,
  texts,
  node,
  shuffle,
  seed = 1,
  timeoutMs,
  args = [],
}: RunnerRequest): readonly string[] {
  return [
    "test",
    ...args,
    "-json",
    "-count=1",
    "-vet=off",
    // Report all compile errors, not only the first ten.
    "-gcflags=-e",
    `-exec=${quoted(node ?? "node")} ${quoted(exec)}`,
    `-timeout=${Math.max(1, Math.floor(timeoutMs / 2))}ms`,
    `-shuffle=${shuffle ? seed : "off"}`,
    ...foldersOf(files).map((folder) => {
      const path = folder === "." ? "." : `./${folder}`;
      // go stops when a named package has no file for this system, but accepts a pattern without matches.
      const own = files.filter((file) => posix.dirname(posix.normalize(file)) === folder);
      return own.every((file) => isChosenByBuild(file, texts ?? new Map())) ? `${path}/...` : path;
    }),
  ];
}

function quoted(word: string): string {
  return `"${word}"`;
}

function foldersOf(files: readonly string[]): readonly string[] {
  return [...new Set(files.map((file) => posix.dirname(posix.normalize(file.split("\\").join("/")))))];
}

function parse({ stdout, stderr, exitCode, project, files, texts }: RunnerOutput): TestReport {
  const packages = readGoEvents(stdout, stderr);
  if (packages === null) return { report: false, tests: [], loadErrors: [], problems: [] };
  const folders = foldersOf(files);
  const root = moduleOf(packages, folders);
  const seen = new Set<string>();
  const read = packages.map((found) => {
    const folder = folderOf(found.path, root);
    seen.add(folder);
    const own = files.filter((file) => posix.dirname(posix.normalize(file)) === folder);
    if (found.unbuilt !== null) return { tests: [], problems: [], loadErrors: unloaded(own, found.unbuilt) };
    const ownTexts = new Map(own.map((file) => [posix.normalize(file), texts?.get(file) ?? ""]));
    return { ...readGoPackage(found, { project, folder, texts: ownTexts }), loadErrors: [] };
  });
  const lost = files.filter((file) => !seen.has(posix.dirname(posix.normalize(file))));
  return {
    report: exitCode !== null && packages.every(({ outcome }) => outcome !== null),
    tests: numberDuplicates(read.flatMap(({ tests }) => tests)),
    loadErrors: read.flatMap(({ loadErrors }) => loadErrors),
    problems: [
      ...read.flatMap(({ problems }) => problems),
      ...lost.map((file): TestProblem => ({
        code: "tests_not_executed",
        file,
        message: "go did not report the package of this file",
      })),
    ],
    compileErrors: packages.flatMap(({ errors }) => errors.flatMap((error) => located(error, project))),
  };
}

/** go prints paths relative to its working folder. */
function located(error: CompileError, project: string): readonly CompileError[] {
  const file = projectPath(posix.join(project, error.file), project);
  return file === null ? [] : [{ ...error, file }];
}

/** The compiler names one file; the tests of the package's other files are unknown too. */
function unloaded(files: readonly string[], message: string): TestReport["loadErrors"] {
  return files.map((file) => ({ file, message }));
}

/** The module's path: the only prefix for which every package is a requested folder. */
function moduleOf(packages: readonly GoPackage[], folders: readonly string[]): string | null {
  const beginnings = packages.flatMap(({ path }) =>
    folders.flatMap((folder) => {
      if (folder === ".") return [path];
      return path.endsWith(`/${folder}`) ? [path.slice(0, -folder.length - 1)] : [];
    }),
  );
  const fits = (root: string) => packages.every(({ path }) => path === root || path.startsWith(`${root}/`));
  const known = (root: string) =>
    packages.filter(({ path }) => folders.includes(folderOf(path, root))).length;
  return beginnings.filter(fits).toSorted((a, b) => known(b) - known(a))[0] ?? null;
}

function folderOf(path: string, root: string | null): string {
  if (root === null) return path;
  return path === root ? "." : path.slice(root.length + 1);
}
