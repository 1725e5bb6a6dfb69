/** Text edits that turn a test file into its control copy, in which every test must fail. */
import type { NeighbourRuntime, Neighbours } from "../neighbours/assertion.ts";
import type { TextFile } from "../test-marks-javascript.ts";

/** Random choices, which make each control copy different. */
export interface Draw {
  pick<Value>(from: readonly Value[]): Value;
  /** A name in the style of the test file that is not in it, with `_` between its words. */
  name(): string;
  /** A title in the same style. */
  title(joiner: " " | "_"): string;
  /** A short text that is not in the file. */
  mark(): string;
}

/** The copy of one test file. */
export interface ControlCopy {
  readonly text: string;
  readonly tests: readonly ControlTest[];
  /** Tests of the file that could not be changed, as `suite::title`. */
  readonly unchanged: readonly string[];
  /** Null where no neighbouring inputs are tried. */
  readonly neighbours: Neighbours | null;
}

/** What to change in one test file. */
export interface CopyRequest {
  readonly file: TextFile;
  readonly draw: Draw;
  /** Whether an import, as written, leads to source. */
  isSource(from: string): boolean;
  /** Whether a test with this name, `suite::title`, has to fail in the copy. */
  isWanted(name: string): boolean;
  /** Missing: no neighbouring inputs are tried. */
  readonly neighbours?: NeighbourRuntime | undefined;
}

/** A test of a control copy. It fails with a message that contains `mark:` and the indices of the flips that passed. */
export interface ControlTest {
  /** Suites and title, joined as in a test id. */
  readonly name: string;
  /** Number of tests of this name in the file, all of them changed; null for a table, whose ids add the parameters. */
  readonly count: number | null;
  /** Line of the test in the original file, from 1. */
  readonly line: number;
  readonly mark: string;
  /** Changed expected values, by index. */
  readonly flips: readonly Flip[];
  /** The first assertion of a test in which all depend on loops, conditions or callbacks; the test notes -1 if one ran. */
  readonly watched?: Flip | undefined;
}

export interface Flip {
  /** Line in the original file, from 1. */
  readonly line: number;
  /** The assertion as written, shortened. */
  readonly was: string;
}

const maxShown = 80;

export function shortCode(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, " ");
  return line.length > maxShown ? `${line.slice(0, maxShown)}…` : line;
}
