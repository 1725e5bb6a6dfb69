/**
 * Texts for a run that notes which tests execute which changed statements: calls in the source, and in each test file what
 * tells them the file and the test. Names are random, so that a test cannot know them.
 */
import { loadFileParser, nodesIn, type SyntaxNode } from "../../source/syntax.ts";
import { markedText, type MutableFile } from "../../source/mutants/mutant.ts";

export interface NoteNames {
  /** Name of the function, and of its state in the process. */
  readonly call: string;
  /** Absolute path of the file of notes. */
  readonly file: string;
  /** Absolute path of the checkout. */
  readonly root: string;
}

/** @param firstMark number of the file's first mark among those of all files */
export function notingScript(file: MutableFile, names: NoteNames, firstMark: number): string {
  const marked = markedText(file, (index) => `${names.call}(${firstMark + index})`);
  const any = anyIn(file.path);
  return `${marked}\nfunction ${names.call}(mark${any}) { ${stateIn(file.path, names)}.note(mark); }\n`;
}

/** The state of one global object; records notes made before the test file is known, and again when it is. */
function stateIn(path: string, { call, file }: NoteNames): string {
  const any = anyIn(path);
  const global = any === "" ? "globalThis" : "(globalThis as any)";
  return `(${global}["${call}"] ??= (() => {
    const fs${any} = ${global}.process.getBuiltinModule("node:fs");
    const id = ${global}.process.hrtime().join(".");
    const seen${any} = new Set();
    const state${any} = {
      file: null, test: null, early: [],
      write(mark${any}) {
        const line = JSON.stringify([mark, state.file, state.test, id]);
        if (seen.has(line)) return;
        seen.add(line);
        fs.appendFileSync(${JSON.stringify(file)}, line + "\\n");
      },
      note(mark${any}) { if (state.file === null) state.early.push(mark); state.write(mark); },
      at(file${any}) { state.file = file; for (const mark of state.early.splice(0)) state.write(mark); },
    };
    return state;
  })())`.replaceAll(/\n\s*/g, " ");
}

/** Types are checked in some projects. */
function anyIn(path: string): string {
  return /\.[cm]?tsx?$/.test(path) ? ": any" : "";
}

/** The test file with a start that names it and its tests; null for a file that does not parse. */
export type NameTests = (path: string, text: string, runner: string) => string | null;

export async function loadTestNamer(names: NoteNames): Promise<NameTests> {
  const parse = await loadFileParser();
  return (path, text, runner) => {
    const file = parse(path, text);
    if (file === null) return null;
    const [first] = [...nodesIn(file.program["directives"]), ...nodesIn(file.program["body"])];
    const at = startOf(first);
    const state = stateIn(path, names);
    const start = runner === "mocha" ? mochaStart(path, state, names) : ownGlobal(path, state, runner, names);
    return `${text.slice(0, at)}${start.replaceAll(/\n\s*/g, " ")}${text.slice(at)}`;
  };
}

function startOf(node: SyntaxNode | undefined): number {
  return typeof node?.["start"] === "number" ? node["start"] : 0;
}

/** Runners that give each test file a global object of its own. */
function ownGlobal(path: string, state: string, runner: string, { call }: NoteNames): string {
  const any = anyIn(path);
  const test =
    runner === "vitest"
      ? "vitestName(context)"
      : runner === "jest"
        ? "jestName()"
        : "context.fullName ?? context.name";
  const hooks =
    runner === "vitest"
      ? ""
      : runner === "jest"
        ? `const ${call}Before = beforeEach, ${call}After = afterEach;`
        : `const { beforeEach: ${call}Before, afterEach: ${call}After }${any} = ${any === "" ? "" : "(globalThis as any)."}process.getBuiltinModule("node:test");`;
  const imported =
    runner === "vitest"
      ? `import { beforeEach as ${call}Before, afterEach as ${call}After } from "vitest";`
      : "";
  return `${imported} { ${hooks}
    const state${any} = ${state}; state.at(${JSON.stringify(path)});
    ${runner === "vitest" ? `const vitestName = (context${any}) => { const words = []; for (let one${any} = context.task; one; one = one.suite) words.unshift(one.name); return words.join(" "); };` : ""}
    ${runner === "jest" ? `const jestName = () => ${any === "" ? "expect" : "(expect as any)"}.getState().currentTestName;` : ""}
    ${call}Before((${runner === "jest" ? "" : `context${any}`}) => { state.test = ${test}; });
    ${call}After(() => { state.test = null; }); }; `;
}

/** All files share one global object: before a test runs, its file is unknown. */
function mochaStart(path: string, state: string, { call, root }: NoteNames): string {
  const any = anyIn(path);
  const global = any === "" ? "globalThis" : "(globalThis as any)";
  return `{ const state${any} = ${state};
    const before${any} = ${global}.beforeEach ?? ${global}.setup, after${any} = ${global}.afterEach ?? ${global}.teardown;
    if (state.hooked !== true && before) { state.hooked = "${call}" !== "";
    before(function (${any === "" ? "" : "this: any"}) { state.file = this.currentTest.file.slice(${root.length + 1}); state.test = this.currentTest.fullTitle(); });
    after(() => { state.file = null; state.test = null; }); } }; `;
}

/** @param tests paths of the test files in the repository */
export function notingPython(
  file: MutableFile,
  {
    names,
    firstMark,
    tests,
  }: { readonly names: NoteNames; readonly firstMark: number; readonly tests: readonly string[] },
): string {
  const { call, file: notes, root } = names;
  const { at, isLine } = file.definition ?? { at: 0, isLine: true };
  const code = pythonNote
    .replaceAll("NOTE", call)
    .replace("PLACE", () => JSON.stringify(notes))
    .replace("TESTS", () =>
      JSON.stringify(Object.fromEntries(tests.map((path) => [`${root}/${path}`, path]))),
    );
  const definition = `exec(${JSON.stringify(code)})${isLine ? "\n" : "; "}`;
  const shifted = { ...file, text: `${file.text.slice(0, at)}${definition}${file.text.slice(at)}` };
  const move = (offset: number) => (offset >= at ? offset + definition.length : offset);
  const marks = file.marks.map((mark) => ({
    ...mark,
    start: move(mark.start),
    end: move(mark.end),
    first: move(mark.first),
    last: move(mark.last),
  }));
  return markedText({ ...shifted, marks }, (index) => `${call}(${firstMark + index})`);
}

/** The test is found in the calls that led here; a fixture belongs to a test file, not to the test that it runs for. */
const pythonNote = `
def NOTE(mark):
    import json, os, sys
    tests = TESTS
    frame, file, test = sys._getframe(1), None, None
    while frame is not None:
        code = frame.f_code
        found = tests.get(code.co_filename) or tests.get(os.path.abspath(code.co_filename))
        # A module runs once, for whichever test file imports it first.
        if found is not None and code.co_name != "<module>":
            file = found
            if code.co_name.startswith("test"):
                test = code.co_name
                break
        frame = frame.f_back
    seen = sys.__dict__.setdefault("NOTE", set())
    line = json.dumps([mark, file, test, os.getpid()])
    if line not in seen:
        seen.add(line)
        with open(PLACE, "a") as notes:
            notes.write(line + chr(10))
`;
