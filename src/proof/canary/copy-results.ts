/** Reads the run of control copies: every test must have failed, by its last assertion, with no flip that passed. */
import { stripVTControlCharacters } from "node:util";
import type { TestResult } from "../../evidence/test-result.ts";
import type { Canary } from "../../gates/suite/controls.ts";
import type { Flip, PassedFlip } from "../../gates/suite/flip.ts";
import { answersIn, type Neighbours, type TriedFile } from "../../gates/special-case/answers.ts";
import type { Suite } from "../../gates/suite/suite.ts";
import type { ControlCopy, ControlTest } from "../../source/flip/edit.ts";
import { ranNote } from "../../source/flip/watched-script.ts";

export interface CopiedFile {
  readonly file: string;
  readonly copy: ControlCopy;
}

export interface CopyResults {
  readonly canary: Canary;
  readonly flip: Flip;
  readonly neighbours: Neighbours;
  /** Tests of which no assertion ran. */
  readonly idle: readonly PassedFlip[];
}

export function notMeasured(why: string): CopyResults {
  const state = { state: "not measured", why } as const;
  return { canary: state, flip: state, neighbours: state, idle: [] };
}

/** @param required ids of the tests that should be measured */
export function resultsOf(
  suite: Suite,
  copies: readonly CopiedFile[],
  required: readonly string[],
): CopyResults {
  if (suite.environment !== null || !suite.report.report) return notMeasured("its run gave no report");
  const files = copies.map(({ file, copy }) => ({ file, results: resultsInFile(suite, file, copy) }));
  const all = files.flatMap(({ results }) => results);
  const measured = all.filter(({ test, marks }) => marks !== null && test.flips.length > 0);
  return {
    canary: canaryOf(files),
    idle: all.flatMap(({ id, file, test, marks }) =>
      test.watched !== undefined && marks !== null && !marks.includes(ranNote)
        ? [{ id, file, ...test.watched }]
        : [],
    ),
    flip:
      measured.length === 0
        ? { state: "not measured", why: "no required test compares with a literal" }
        : {
            state: "measured",
            values: new Set(measured.flatMap(({ test }) => test.flips)).size,
            tests: measured.length,
            unmeasured: required.filter((id) => measured.every((one) => one.id !== id)).length,
            passed: measured.flatMap(passedFlips),
          },
    neighbours: neighboursOf(suite, copies),
  };
}

function neighboursOf({ report }: Suite, copies: readonly CopiedFile[]): Neighbours {
  const messages = report.tests.map(({ message }) => stripVTControlCharacters(message));
  const files = copies.flatMap(({ file, copy: { neighbours } }): readonly TriedFile[] => {
    if (neighbours === null) return [];
    const { assertions, marks } = neighbours;
    const own = new Set(assertions.map(({ site }) => site));
    const answers = new Map([...answersIn(messages, marks)].filter(([site]) => own.has(site)));
    return answers.size === 0 ? [] : [{ file, assertions, answers }];
  });
  return files.length === 0
    ? { state: "not measured", why: "no required test calls the code with literals" }
    : { state: "measured", files };
}

interface CopyResult {
  readonly id: string;
  readonly file: string;
  readonly test: ControlTest;
  readonly hasPassed: boolean;
  /** Indices of the flips that passed; null where the test did not reach its end. */
  readonly marks: readonly number[] | null;
}

function resultsInFile(suite: Suite, file: string, { tests }: ControlCopy): readonly CopyResult[] {
  return [...new Set(tests.map(({ name }) => name))].flatMap((name) => {
    const own = tests.filter((test) => test.name === name);
    const isTable = own.some(({ count }) => count === null);
    const found = suite.report.tests.filter(({ id }) => isOf(id, `${file}::${name}`, isTable));
    // More tests of this name than the file shows: another place defines them too.
    if (!isTable && found.length > own.length) return [];
    return found.flatMap((result) => {
      const test = own.find(({ mark }) => result.message.includes(mark)) ?? own[0];
      return test === undefined ? [] : [resultOf(result, file, test)];
    });
  });
}

/** Whether an id is that of a test with a name, as a duplicate or with parameters. */
function isOf(id: string, name: string, isTable: boolean): boolean {
  if (id === name) return true;
  if (!id.startsWith(name)) return false;
  const rest = id.slice(name.length);
  return /^#\d+$/u.test(rest) || (isTable && rest.startsWith("["));
}

function resultOf({ id, status, message }: TestResult, file: string, test: ControlTest): CopyResult {
  const plain = stripVTControlCharacters(message);
  const at = plain.indexOf(`${test.mark}:`);
  const list = /^\[?([-\d, ]*)/u.exec(plain.slice(at + test.mark.length + 1))?.[1] ?? "";
  const isRead = status === "failed" && at !== -1;
  return {
    id,
    file,
    test,
    hasPassed: status === "passed",
    marks: isRead ? [...list.matchAll(/-?\d+/gu)].map(([digits]) => Number(digits)) : null,
  };
}

function passedFlips({ id, file, test, marks }: CopyResult): readonly PassedFlip[] {
  return (marks ?? []).flatMap((index) => {
    const flip = test.flips[index];
    return flip === undefined ? [] : [{ id, file, ...flip }];
  });
}

function canaryOf(files: readonly { readonly file: string; readonly results: readonly CopyResult[] }[]) {
  const passed = files.filter(({ results }) => results.some(({ hasPassed }) => hasPassed));
  if (passed.length > 0) return { state: "passed", files: passed.map(({ file }) => file) } as const;
  const isHeld = files.every(({ results }) => results.some(({ marks }) => marks !== null));
  return isHeld
    ? ({ state: "held" } as const)
    : ({ state: "not measured", why: "it could not run with the tests" } as const);
}
