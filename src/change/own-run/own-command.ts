/** The project's own test command as its user types it, plus our reporter if the runner accepts one. */
import { join } from "node:path";
import { asset } from "../../evidence/runners/assets.ts";
import { withoutOptions } from "../../evidence/runners/options.ts";
import type { FoundRunner } from "../../proof/project/locate-runner.ts";
import { expandGlobs } from "../../proof/execute/shell-globs.ts";
import { testCommands, type TestCommand } from "../../proof/project/test-command.ts";

export interface OwnCommand {
  readonly program: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The command as a person knows it. */
  readonly displayName: string;
  /** Where its report is written. */
  readonly report: string;
  /** Format of the report: the runner's own, JUnit XML, or the list of our unittest script. */
  readonly reportFormat: "report" | "junit" | "list";
}

export interface OwnPlace {
  /** Where reports are written. */
  readonly folder: string;
  readonly node: string;
  /** Text of the package's `package.json`, if it has one. */
  readonly packageJson: string | null;
  /** Files of the package in the user's checkout, for shell globs. */
  readonly paths: readonly string[];
  /** Deadline of the whole command. */
  readonly timeoutMs: number;
}

/** One command for each part of the test script that starts this runner; by default the runner's plain command. */
export function ownCommands(found: FoundRunner, place: OwnPlace): readonly OwnCommand[] {
  const text = place.packageJson ?? "{}";
  const parts = ["pretest", "test", "posttest"]
    .flatMap((script) => testCommands(text, script))
    .filter(({ runner }) => runner === found.name);
  const all: readonly (TestCommand | null)[] = parts.length === 0 ? [null] : parts;
  return all.map((script, at) =>
    ownCommand(found, script, { ...place, report: join(place.folder, `report-${at}`) }),
  );
}

type Place = OwnPlace & { readonly report: string };

function ownCommand(found: FoundRunner, script: TestCommand | null, place: Place): OwnCommand {
  const { report, node, paths } = place;
  const given = withoutReporting(found.name, script?.args ?? []);
  const args = found.runner.list?.takesPatterns === true ? given : expandGlobs(given, paths);
  const common = {
    env: script?.env ?? {},
    displayName: script === null ? (plainNames[found.name] ?? found.name) : "npm test",
    report,
  };
  const reporting = (argv: readonly string[]): OwnCommand => ({
    ...common,
    program: node,
    argv: [...(script?.loaders ?? []), ...argv],
    reportFormat: "report",
  });
  const reporter = found.runner.assets.find((path) => path.endsWith("reporter.mjs")) ?? "";
  const config = script?.config == null ? [] : [`--config=${script.config}`];
  const entry = found.entry ?? "";
  switch (found.name) {
    case "node:test":
      return reporting([
        "--test",
        "--test-reporter=spec",
        "--test-reporter-destination=stdout",
        `--test-reporter=${reporter}`,
        `--test-reporter-destination=${report}`,
        ...args,
      ]);
    case "vitest":
      return reporting([
        entry,
        "run",
        "--reporter=default",
        `--reporter=${reporter}`,
        `--outputFile=${report}`,
        ...config,
        ...args,
      ]);
    case "jest":
      return reporting([
        ...(takesModules(found) ? ["--experimental-vm-modules"] : []),
        entry,
        "--ci",
        "--watchAll=false",
        "--reporters=default",
        `--reporters=${reporter}`,
        `--outputFile=${report}`,
        ...config,
        ...args,
        // Wraps jest's own test runner, to keep what its results leave out.
        `--testRunner=${found.runner.assets.find((path) => path.endsWith("circus.mjs")) ?? ""}`,
      ]);
    case "mocha":
      return reporting([
        entry,
        `--reporter=${reporter}`,
        `--reporter-option=report=${encodeURIComponent(report)}`,
        ...config,
        ...args,
      ]);
    default:
      return programCommand(found, { ...common, script, args, place });
  }
}

function takesModules({ runner, entry }: FoundRunner): boolean {
  const [first] = runner.argv({ entry, project: "/", files: [], report: "", shuffle: false, timeoutMs: 1 });
  return first === "--experimental-vm-modules";
}

const plainNames: Readonly<Record<string, string>> = {
  "node:test": "node --test",
  mocha: "npx mocha",
  unittest: "python3 -m unittest",
  go: "go test ./...",
  cargo: "cargo test",
};

interface ProgramOptions extends Pick<OwnCommand, "env" | "displayName" | "report"> {
  readonly script: TestCommand | null;
  readonly args: readonly string[];
  readonly place: Place;
}

function programCommand(
  found: FoundRunner,
  { env, displayName, report, script, args, place: { node, timeoutMs } }: ProgramOptions,
): OwnCommand {
  const program = found.program?.path ?? found.name;
  const plain = { program, displayName, report, env: { ...found.program?.env, ...env } };
  switch (found.name) {
    case "pytest": {
      const config = script?.config == null ? [] : ["-c", script.config];
      const junit = ["-o", "junit_family=xunit1", `--junitxml=${report}`];
      // Paths in the report are relative to the root directory.
      const argv = ["-m", "pytest", ...junit, ...config, ...args, "--rootdir=."];
      return { ...plain, argv, reportFormat: "junit" };
    }
    case "unittest":
      return { ...plain, argv: [asset("mettle_own_unittest.py"), report, ...args], reportFormat: "list" };
    case "go":
      return {
        ...plain,
        argv: ["test", "-json", ...(script === null ? ["./..."] : args)],
        reportFormat: "report",
      };
    default: {
      const end = args.includes("--") ? args.indexOf("--") : args.length;
      const limit = String(Math.max(1, Math.floor(timeoutMs / 2)));
      const runner = JSON.stringify([node, ...found.runner.assets, "-", limit]);
      return {
        ...plain,
        // cargo's output is parsed; the file names come from our runner of the test programs.
        env: { ...plain.env, CARGO_TERM_COLOR: "never" },
        argv: [
          "test",
          ...args.slice(0, end),
          "--no-fail-fast",
          "--config",
          `target.${found.program?.target ?? "unknown"}.runner=${runner}`,
          "--",
          ...args.slice(end + 1),
          "--test-threads=1",
        ],
        reportFormat: "report",
      };
    }
  }
}

/** Arguments that start a watch mode or redirect the results. */
const reporting: Readonly<Record<string, { readonly words: RegExp; readonly options: readonly string[] }>> = {
  "node:test": { words: /^--watch\b/, options: ["--test-reporter", "--test-reporter-destination"] },
  vitest: {
    words: /^(run|watch|dev|-w|--(watch|run|ui)\b)/,
    options: ["--reporter", "--outputFile"],
  },
  jest: { words: /^--(watch|json)/, options: ["--reporters", "--outputFile"] },
  mocha: {
    words: /^(-w$|--watch\b)/,
    options: ["--reporter", "-R", "--reporter-option", "--reporter-options", "-O"],
  },
  go: { words: /^-{1,2}(json|v)$/, options: [] },
  cargo: {
    words: /^(-q|--quiet|--no-fail-fast|--nocapture|--test-threads=.*)$/,
    options: ["--test-threads"],
  },
};

function withoutReporting(runner: string, words: readonly string[]): readonly string[] {
  const { words: left, options } = reporting[runner] ?? { words: /^$/, options: [] };
  return withoutOptions(words, options).filter((word) => !left.test(word));
}

/** Working directory of a package's own command. */
export function ownFolder(checkout: string, prefix: string): string {
  return join(checkout, prefix.slice(0, -1));
}
