/** The project's own test command as its user types it, with a reporter beside its own where the runner takes one. */
import { join } from "node:path";
import type { FoundRunner } from "../proof/located-runner.ts";
import { commandOf, testCommands } from "../proof/test-command.ts";

export interface OwnCommand {
  readonly program: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** As a person knows it. */
  readonly shown: string;
  /** How its results are read: by the runner's parser, as JUnit's XML, from what it prints, or not at all. */
  readonly reads: "report" | "junit" | "cargo" | "nothing";
}

export interface OwnPlace {
  /** Where the report is written. */
  readonly report: string;
  readonly node: string;
  /** `package.json` of the package, where it has one. */
  readonly packageJson: string | null;
}

export function ownCommand(found: FoundRunner, { report, node, packageJson }: OwnPlace): OwnCommand {
  const script = commandOf(packageJson === null ? [] : testCommands(packageJson), found.name);
  const args = script?.args ?? [];
  const env = script?.env ?? {};
  const shown = script === null ? plainNames[found.name] : "npm test";
  const reporting = (argv: readonly string[]): OwnCommand => ({
    program: node,
    argv: [...(script?.loaders ?? []), ...argv],
    env,
    shown: shown ?? found.name,
    reads: "report",
  });
  const asset = (name: string) => found.runner.assets.find((path) => path.endsWith(name)) ?? "";
  const config = script?.config == null ? [] : [`--config=${script.config}`];
  const entry = found.entry ?? "";
  switch (found.name) {
    case "node:test":
      return reporting([
        "--test",
        "--test-reporter=spec",
        "--test-reporter-destination=stdout",
        `--test-reporter=${asset("reporter.mjs")}`,
        `--test-reporter-destination=${report}`,
        ...args,
      ]);
    case "vitest":
      return reporting([
        entry,
        "run",
        "--reporter=default",
        `--reporter=${asset("reporter.mjs")}`,
        `--outputFile=${report}`,
        ...config,
        ...args,
      ]);
    case "jest":
      return reporting([
        ...(found.runner.argv({ entry, project: "/", files: [], report, shuffle: false, timeoutMs: 1 })[0] ===
        "--experimental-vm-modules"
          ? ["--experimental-vm-modules"]
          : []),
        entry,
        "--ci",
        "--watchAll=false",
        "--reporters=default",
        `--reporters=${asset("reporter.mjs")}`,
        `--outputFile=${report}`,
        ...config,
        ...args,
      ]);
    case "mocha":
      return reporting([
        entry,
        `--reporter=${asset("reporter.mjs")}`,
        `--reporter-option=report=${encodeURIComponent(report)}`,
        ...config,
        ...args,
      ]);
    default:
      return ofProgram(found, { report, args, env });
  }
}

const plainNames: Readonly<Record<string, string>> = { "node:test": "node --test", mocha: "npx mocha" };

function ofProgram(
  found: FoundRunner,
  {
    report,
    args,
    env,
  }: Pick<OwnCommand, "env"> & { readonly report: string; readonly args: readonly string[] },
): OwnCommand {
  const program = found.program?.path ?? found.name;
  const plain = { program, env: { ...found.program?.env, ...env } };
  switch (found.name) {
    case "pytest":
      return {
        ...plain,
        argv: ["-m", "pytest", "-o", "junit_family=xunit1", `--junitxml=${report}`, ...args],
        shown: "pytest",
        reads: "junit",
      };
    case "unittest":
      return { ...plain, argv: ["-m", "unittest", ...args], shown: "python3 -m unittest", reads: "nothing" };
    case "go":
      return { ...plain, argv: ["test", "-json", "./...", ...args], shown: "go test ./...", reads: "report" };
    default:
      return { ...plain, argv: ["test", "--no-fail-fast", ...args], shown: "cargo test", reads: "cargo" };
  }
}

/** Where a package's own command is started. */
export function ownFolder(checkout: string, prefix: string): string {
  return join(checkout, prefix.slice(0, -1));
}
