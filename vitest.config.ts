import { BaseSequencer, type TestSpecification } from "vitest/node";
import { defineConfig } from "vitest/config";

/**
 * Starting a process copies the memory map of the one that starts it, so files that start many run while the workers are
 * small: whole runs first, then what runs git and test runners, then the rest.
 */
class SmallWorkersFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rank(a.moduleId) - rank(b.moduleId));
  }
}

function rank(file: string): number {
  if (/[/]test[/]/u.test(file)) return 0;
  return /[/]src[/](git|proof|evidence[/]runners|process|journal)[/]/u.test(file) ? 1 : 2;
}

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/fixtures/**"],
    globalSetup: ["test/support/suite.mjs"],
    setupFiles: ["test/support/trap-connect.mjs", "test/support/remove-after-file.ts"],
    // Bounds for a busy machine; only a test that is longer by itself has a bound of its own.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What fails by a busy machine passes the second time, and is told as such; a fault fails twice.
    retry: process.env["CI"] === undefined ? 0 : 1,
    pool: "forks",
    maxWorkers: 3,
    // What confines agents is looked at in test/sandbox and by the demos; elsewhere many write where none may, on purpose.
    // The settings of whoever runs the suite are none of a test.
    // METTLE_TESTS_SANDBOX=required confines the programs of proofs. Tests of mutants set their own budget.
    env: {
      METTLE_SANDBOX: process.env["METTLE_TESTS_SANDBOX"] ?? "off",
      METTLE_MUTATION_BUDGET: "0",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
    },
    // Workers keep their modules from file to file.
    isolate: false,
    sequence: { sequencer: SmallWorkersFirst },
    expect: { requireAssertions: true },
    tags: [{ name: "ci", description: "left out by `npm test`, which proves the same once, in less time" }],
  },
});
