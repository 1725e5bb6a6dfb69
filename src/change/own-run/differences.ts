/** What the project's own command and a proof say of the same tests, and where they differ. Pure. */
import { fileOfTest } from "../../evidence/test-ids.ts";
import type { TestResult } from "../../evidence/test-result.ts";

type Status = TestResult["status"];
type Results = ReadonlyMap<string, Status>;

export interface Difference {
  /** Id of the test. */
  readonly test: string;
  /** Null where it was not run. */
  readonly own: Status | null;
  readonly proof: Status | null;
  readonly cause: string;
}

export interface OwnRunComparison {
  readonly own: Results;
  readonly proof: Results;
  /** Files that the proof asked for. */
  readonly files: ReadonlySet<string>;
  /** Files of the commit. */
  readonly committed: ReadonlySet<string>;
  /** Files that do not load in the proof, with what they say. */
  readonly unloaded: ReadonlyMap<string, string>;
  /** What failed in the proof, with what it says. */
  readonly messages: ReadonlyMap<string, string>;
  /** What is known to be different there; null where nothing is. */
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

/** A test that is skipped and one that is to do say the same: nothing. */
function group(status: Status | null): string {
  return status === "todo" ? "skipped" : status === "pending" ? "failed" : (status ?? "absent");
}

function causeOf({ test, own, proof }: Omit<Difference, "cause">, compared: OwnRunComparison): string {
  const { files, committed, unloaded, messages, surroundings } = compared;
  const file = fileOfTest(test);
  const unsaid = "something that only one of both has: run it again to see whether it wavers";
  const said = (messages.get(test) ?? "").split("\n").find((line) => line.trim() !== "");
  if (proof !== null && own !== null)
    return surroundings ?? (said === undefined ? unsaid : `the proof says: ${said.trim()}`);
  if (own === null)
    return "your command leaves it out: by its arguments, its configuration, or since it failed before it came to it";
  const message = unloaded.get(file);
  if (message !== undefined) return surroundings ?? `${file} does not load: ${message.split("\n")[0] ?? ""}`;
  if (!committed.has(file)) return `${file} is not committed, so a clean checkout does not hold it`;
  if (!files.has(file)) return `${file} is not taken for a file of tests`;
  return `${file} is run by the proof without this test: an option of your command adds it`;
}
