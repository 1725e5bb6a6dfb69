/** Compares the test results of the project's own command with those of a proof. Pure. */
import { fileOfTest } from "../../evidence/test-ids.ts";
import type { TestResult } from "../../evidence/test-result.ts";

type Status = TestResult["status"];
type Results = ReadonlyMap<string, Status>;

export interface Difference {
  /** Id of the test. */
  readonly test: string;
  /** Null if it did not run. */
  readonly own: Status | null;
  readonly proof: Status | null;
  readonly cause: string;
}

export interface OwnRunComparison {
  readonly own: Results;
  readonly proof: Results;
  /** Test files of the proof. */
  readonly files: ReadonlySet<string>;
  /** Files of the commit. */
  readonly committed: ReadonlySet<string>;
  /** Files that do not load in the proof -> error message. */
  readonly unloaded: ReadonlyMap<string, string>;
  /** Failed tests of the proof -> error message. */
  readonly messages: ReadonlyMap<string, string>;
  /** A known difference of the proof's environment, or null. */
  readonly surroundings: string | null;
}

export function differences(compared: OwnRunComparison): readonly Difference[] {
  const { own, proof } = compared;
  const ids = [...new Set([...own.keys(), ...proof.keys()])].toSorted();
  return ids.flatMap((test) => {
    const pair = { test, own: own.get(test) ?? null, proof: proof.get(test) ?? null };
    // A test that was expected to fail and passes: pytest's own report says that it passed.
    const isUnexpected = pair.own === "passed" && pair.proof === "todo";
    return isUnexpected || group(pair.own) === group(pair.proof)
      ? []
      : [{ ...pair, cause: causeOf(pair, compared) }];
  });
}

/** A skipped test and a todo test count as equal. */
function group(status: Status | null): string {
  return status === "todo" ? "skipped" : status === "pending" ? "failed" : (status ?? "absent");
}

function causeOf({ test, own, proof }: Omit<Difference, "cause">, compared: OwnRunComparison): string {
  const { files, committed, unloaded, messages, surroundings } = compared;
  const file = fileOfTest(test);
  const unsaid = "the environment, or the test is flaky: run it again";
  const said = (messages.get(test) ?? "").split("\n").find((line) => line.trim() !== "");
  if (proof !== null && own !== null)
    return surroundings ?? (said === undefined ? unsaid : `the proof says: ${said.trim()}`);
  if (own === null)
    return "your command skips it: by its arguments or configuration, or because it failed earlier";
  const message = unloaded.get(file);
  if (message !== undefined) return surroundings ?? `${file} does not load: ${message.split("\n")[0] ?? ""}`;
  if (!committed.has(file)) return `${file} is not committed, so a clean checkout does not contain it`;
  if (!files.has(file)) return `${file} is not recognised as a test file`;
  return `${file} runs in the proof without this test: an option of your command adds it`;
}
