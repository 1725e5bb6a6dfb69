/** Leaves only the last of a file's tests, so that code which counts its calls gives another answer (PRV-17). */
import { applyEdits, type Edit } from "./text-edits.ts";
import { pythonTests, readPython } from "./flip/python-lines.ts";
import { scriptTests } from "./flip/script-tests.ts";
import { isNode, rangeOf, type Parse } from "./syntax.ts";
import type { TextFile } from "./test-marks-javascript.ts";

export interface LastTest {
  /** The file's text, in which the other tests do nothing. */
  readonly text: string;
  /** Suites and title of the test that is left. */
  readonly name: string;
}

/** @returns null where fewer than two tests have certain names */
export function lastTest(parse: Parse, file: TextFile): LastTest | null {
  const tests = file.path.endsWith(".py") ? pythonBodies(file.text) : scriptBodies(parse, file);
  const last = tests.at(-1);
  if (last === undefined || tests.length < 2) return null;
  const edits = tests.slice(0, -1).map(({ edit }) => edit);
  return { text: applyEdits(file.text, edits), name: last.name };
}

interface Body {
  readonly name: string;
  /** Empties the test. */
  readonly edit: Edit;
}

function scriptBodies(parse: Parse, file: TextFile): readonly Body[] {
  const program = parse(file.path, file.text);
  if (program === null) return [];
  return scriptTests(program).tests.flatMap(({ path, body }) => {
    const inner = body["body"];
    if (!isNode(inner)) return [];
    const edit = { ...rangeOf(inner), text: "{}" };
    return [{ name: path.join("::"), edit }];
  });
}

function pythonBodies(text: string): readonly Body[] {
  return pythonTests(readPython(text)).tests.flatMap(({ name, lines }) => {
    const [first, last] = [lines.at(0), lines.at(-1)];
    return first === undefined || last === undefined
      ? []
      : [{ name, edit: { start: first.start, end: last.end, text: "pass" } }];
  });
}
