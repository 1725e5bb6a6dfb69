/** Results of the new tests on units that do no work (CORE-26); judged by `null-stubs.ts`. */
import type { NullStub } from "./reach-script.ts";

export type NullStubs =
  | {
      readonly state: "measured";
      /** Ids of new tests with a result for each stub. */
      readonly tests: readonly string[];
      /** Ids of the tests that passed, for each stub. */
      readonly passing: Readonly<Record<NullStub, readonly string[]>>;
      /** Test files that can reach the unit by a process, a file or a server, where no stub replaces it. */
      readonly unsure: readonly string[];
    }
  | { readonly state: "not measured"; readonly why: string };

export const nullStubs: readonly NullStub[] = ["undefined", "identity", "throw"];

/** Tests that expect an error and got it from the stub of a missing unit: they fail on every unit that returns. */
export function expectsError(stubs: NullStubs | undefined, id: string): boolean {
  if (stubs?.state !== "measured" || !stubs.tests.includes(id)) return false;
  return nullStubs.every((stub) => stubs.passing[stub].includes(id) === (stub === "throw"));
}

/** Whether a test file can reach the unit where no stub replaces it. */
export function reachesOtherwise(text: string): boolean {
  return /\bchild_process\b|\bworker_threads\b|["'](?:node:)?(?:fs|https?|net|vm|module)(?:\/promises)?["']|\b(?:execa|cross-spawn|zx|supertest|playwright|puppeteer|nock|msw)\b|\bfetch\s*\(|\bimport\s*\((?!\s*["'])|\b(?:subprocess|multiprocessing|urllib|requests|httpx|importlib|runpy|socket|ctypes|pathlib|pytester|capfd)\b|(?<![\w.])(?:open|exec|eval|__import__)\s*\(|\bos\s*\.\s*(?:system|popen|spawn)/.test(
    text,
  );
}
