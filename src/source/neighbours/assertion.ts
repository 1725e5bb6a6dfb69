/** An assertion of a test on what the code gives for literals of the test. */
export interface Assertion {
  /** Number among the assertions of its process. */
  readonly site: number;
  /** Suites and title, joined as in a test id. */
  readonly test: string;
  /** What is called: the last name of the actual value; empty without a call. */
  readonly subject: string;
  /** Texts of the literals that the call gets, as in found-literal.ts; a list of lists counts as each of its parts. */
  readonly inputs: readonly string[];
  /** Text of the literal that is expected; null for any other expectation. */
  readonly expected: string | null;
}

/** The tests of one file, made ready to run once more with neighbouring inputs. */
export interface Neighbours {
  readonly assertions: readonly Assertion[];
  /** The results follow one of these marks in a message. */
  readonly marks: readonly string[];
}

/** What the copies contain to try neighbouring inputs. */
export interface NeighbourRuntime {
  readonly script: string;
  readonly python: string;
  readonly limits: { readonly runMs: number; readonly totalMs: number; readonly neighbours: number };
  /** What collects the bodies of one process. */
  readonly list: BodyList;
}

export interface BodyList {
  readonly name: string;
  /** The results of all its bodies follow this mark. */
  readonly mark: string;
  /** The first number for assertions of this file; above 0 after other files. */
  readonly firstSite: number;
  /** Whether no other file adds bodies after this one. */
  readonly isLast: boolean;
}
