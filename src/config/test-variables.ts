/** What the settings of tests name, read without zod, which takes long to load. */
import type { TestNeeds, Tests } from "./tests-schema.ts";

/** The settings for all packages, and those of each. */
export function allNeeds(tests: Tests | undefined): readonly TestNeeds[] {
  return tests === undefined ? [] : [tests, ...Object.values(tests.packages ?? {})];
}

/** Names of variables that tests take from the user's environment, over all packages. */
export function variablesForTests(tests: Tests | undefined): readonly string[] {
  return allNeeds(tests).flatMap(({ env = {} }) =>
    Object.entries(env).flatMap(([name, value]) => (value === null ? [name] : [])),
  );
}
