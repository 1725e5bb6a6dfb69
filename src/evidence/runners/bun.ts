import type { Runner, RunnerOutput, RunnerRequest } from "../runner.ts";
import type { TestReport } from "../test-result.ts";
import { junit } from "./junit.ts";

/** Bun's own test runner (from 1.1.35, which has the report), the one on the project's PATH. Its report is XML of JUnit. */
export const bun: Runner = {
  ...junit,
  name: "bun",
  isPackage: true,
  oldest: "1.1.35",
  testFiles: ["**/*.{test,spec}.{js,jsx,ts,tsx}", "**/*_{test,spec}.{js,jsx,ts,tsx}"],
  env: { DO_NOT_TRACK: "1" },
  argv: ({ args = [], files, ...request }: RunnerRequest) =>
    junit.argv({
      ...request,
      // Bun takes a name without `./` as a pattern for all files.
      files: [...args, ...files.map((file) => `./${file}`)],
      junit: { command: 'exec bun test --reporter=junit --reporter-outfile={report} "$@"' },
    }),
  parse,
};

function parse(output: RunnerOutput): TestReport {
  const report = junit.parse(output);
  const loadErrors = output.files.flatMap((file) => {
    const message = loadError(output.stderr, file);
    return message === null ? [] : [{ file, message }];
  });
  const failed = new Set(loadErrors.map(({ file }) => file));
  return {
    ...report,
    loadErrors,
    problems: report.problems.filter(
      ({ code, file }) =>
        !(code === "no_tests" && failed.has(file ?? "")) &&
        // Bun counts calls of its own `expect` only.
        !(code === "no_assertion" && assertsOtherwise(output, file)),
    ),
  };
}

/** What stands below the file's name, before any of its tests. */
function loadError(stderr: string, file: string): string | null {
  const lines = stderr.split("\n");
  const at = lines.indexOf(`${file}:`);
  if (at === -1) return null;
  const part = lines.slice(at + 1).join("\n");
  const [, message] =
    /^\s*# Unhandled error between tests\n-+\n(?:[^\n]*\n)*?error: ([^\n]*)/.exec(part) ?? [];
  return message ?? null;
}

function assertsOtherwise({ texts }: RunnerOutput, file: string | null): boolean {
  return file === null || /\bassert\b/.test(texts?.get(file) ?? "");
}
