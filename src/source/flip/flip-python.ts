/** The control copy of a Python test file; see flip-script.ts. */
import { lineOf, type Script } from "../script.ts";
import { shortCode, type ControlCopy, type ControlTest, type CopyRequest } from "./edit.ts";
import { applyEdits, type Edit } from "../text-edits.ts";
import { changedPythonLeaf, pythonLeaves, type PythonChange, type PythonLeaf } from "./python-literals.ts";
import { outerCode, partsAt, withoutBrackets, type Part } from "./python-parts.ts";
import { pythonFacts } from "../cannot-fail/python-weak.ts";
import { watchedLine, watchedLines, watchingLines } from "./watched-python.ts";
import { pythonTests, readPython, type PythonLine, type PythonTest } from "./python-lines.ts";
import { pythonBodies, type PythonBody } from "../neighbours/python-bodies.ts";

/** @param inClass whether the runner only knows tests in classes */
export function pythonCopy(
  { file, draw, isWanted, isSource, neighbours }: CopyRequest,
  { inClass }: { readonly inClass: boolean },
): ControlCopy {
  const script = readPython(file.text);
  const { tests, unclear } = pythonTests(script);
  const wanted = tests.filter(({ name }) => isWanted(name));
  const facts = pythonFacts(script, isSource);
  const plans = wanted.map((test) => {
    const steps = stepsOf(test, script);
    return { test, steps, watched: steps.length === 0 ? watchedLines(test, facts) : [] };
  });
  const known = plans.flatMap(({ steps }) =>
    steps.flatMap((step) => ("leaves" in step ? step.leaves.filter(({ type }) => type === "number") : [])),
  );
  const bodies = neighbours === undefined ? null : pythonBodies(script, draw, neighbours);
  const edits: Edit[] = [];
  const made: ControlTest[] = [];
  for (const { test, steps, watched } of plans) {
    const mark = draw.mark();
    const again = bodies?.bodyOf(test) ?? null;
    edits.push(
      ...editsOf(
        { test, steps, watched, mark, again },
        { script, draw, known: known.map(({ text }) => text) },
      ),
    );
    made.push({
      name: test.name,
      line: test.line,
      mark,
      count: test.isTable ? null : 1,
      flips: steps.map(({ line }) => ({
        line: lineOf(script, line.start),
        was: shortCode(file.text.slice(line.start, line.end)),
      })),
      watched: watchedLine(watched, facts),
    });
  }
  if (made.length === 0 && unclear.length > 0) {
    const [mark, title, other] = [draw.mark(), `test_${draw.title("_")}`, draw.name()];
    const type = `Test${draw.name().replaceAll("_", "")}`;
    const text = inClass
      ? `\n\nimport unittest\nclass ${type}(unittest.TestCase):\n    def ${title}(self):\n        self.assertEqual("${mark}:", "${other}")\n`
      : `\n\ndef ${title}():\n    assert "${mark}:" == "${other}"\n`;
    edits.push({ start: file.text.length, end: file.text.length, text });
    made.push({ name: inClass ? `${type}::${title}` : title, line: 1, mark, count: 1, flips: [] });
  }
  if (bodies !== null) edits.push({ start: file.text.length, end: file.text.length, text: bodies.closing() });
  return {
    text: applyEdits(file.text, edits),
    tests: made,
    unchanged: unclear,
    neighbours:
      bodies === null ? null : { assertions: bodies.assertions, marks: made.map(({ mark }) => mark) },
  };
}

/** An assertion and how to make it false: other literals, or an edit of the actual value. */
type Step = { readonly line: PythonLine } & (
  | { readonly leaves: readonly PythonLeaf[]; readonly difference: PythonChange["difference"] }
  | { readonly edits: readonly Edit[] }
);

function stepsOf(test: PythonTest, script: Script): readonly Step[] {
  const read: Reading = { script, expected: expectedVariables(test) };
  return test.statements.flatMap((line) => stepOf(line, read));
}

/** Variables of the test with one use, and the places of their values. */
function expectedVariables({ statements, lines }: PythonTest): Reading["expected"] {
  const words = lines.flatMap(({ code }) => code.match(/(?<![\w.])[A-Za-z_]\w*/g) ?? []);
  return new Map(
    statements.flatMap(({ start, end, code }) => {
      const [head = "", name = ""] = /^(\w+)\s*=(?!=)\s*/.exec(code) ?? [];
      const isUsedOnce = words.filter((word) => word === name).length === 2;
      return name !== "" && isUsedOnce && !code.includes(";")
        ? [[name, [start + head.length, end]] as const]
        : [];
    }),
  );
}

interface Reading {
  readonly script: Script;
  /** Variable -> start and end of its value in the text. */
  readonly expected: ReadonlyMap<string, Part>;
}

function stepOf(line: PythonLine, read: Reading): readonly Step[] {
  if (/;/.test(line.code)) return [];
  const word = /^assert(?![\w.])/.exec(line.code);
  if (word !== null) return fromAssert(line, read);
  const call = /^self\s*\.\s*(assert\w+)\s*\(/.exec(line.code);
  return call === null ? [] : fromMethod(line, { read, method: call[1] ?? "", open: call[0].length - 1 });
}

function fromAssert(line: PythonLine, read: Reading): readonly Step[] {
  const { script } = read;
  const parts = partsAt(line, script, { from: "assert".length, to: line.code.length, separator: /^,/ });
  const [condition] = parts;
  if (condition === undefined) return [];
  const [from, to] = withoutBrackets(line, script, condition);
  const outer = outerCode(line, script, { from, to });
  if (/\b(?:and|or|not|if|else|lambda|in|for)\b|:=|[<>]|!=/.test(outer)) return [];
  if (/\bis\b/.test(outer)) {
    const found = /\bis\s+(True|False|None)\s*$/.exec(line.code.slice(from, to).trimEnd());
    const text = found?.[1] ?? "";
    const end = from + line.code.slice(from, to).trimEnd().length;
    return text === "" || /==/.test(outer)
      ? []
      : [
          {
            line,
            leaves: [{ start: line.start + end - text.length, end: line.start + end, type: "word", text }],
            difference: "other",
          },
        ];
  }
  const sides = partsAt(line, script, { from, to, separator: /^==/ });
  const [left, right] = sides;
  return sides.length !== 2 || left === undefined || right === undefined
    ? []
    : pair(line, read, [right, left]);
}

/** The first side that is a literal, or the number in `approx`. */
function pair(line: PythonLine, { script, expected }: Reading, sides: readonly Part[]): readonly Step[] {
  for (const [from, to] of sides) {
    const approx = /^\s*(?:pytest\s*\.\s*)?approx\s*\(/.exec(line.code.slice(from, to))?.[0].length;
    if (approx !== undefined) {
      const [first] = partsAt(line, script, {
        from: from + approx,
        to: line.code.slice(0, to).lastIndexOf(")"),
        separator: /^,/,
      });
      const leaves =
        first === undefined ? [] : pythonLeaves(script, line.start + first[0], line.start + first[1]);
      const numbers = leaves.filter(({ type }) => type === "number");
      if (numbers.length > 0) return [{ line, leaves: numbers, difference: "far" }];
    }
    const [start, end] = expected.get(line.code.slice(from, to).trim()) ?? [
      line.start + from,
      line.start + to,
    ];
    const leaves = pythonLeaves(script, start, end);
    if (leaves.length > 0) return [{ line, leaves, difference: "other" }];
  }
  return [];
}

const equalities = /^assert(?:Is|Equals?|(?:List|Dict|Tuple|Set|Sequence|MultiLine|Count)Equal)$/;

function fromMethod(
  line: PythonLine,
  { read, method, open }: { readonly read: Reading; readonly method: string; readonly open: number },
): readonly Step[] {
  const { script } = read;
  const close = line.code.lastIndexOf(")");
  if (close < open || /\S/.test(line.code.slice(close + 1).replace(/#.*/, ""))) return [];
  const args = partsAt(line, script, { from: open + 1, to: close, separator: /^,/ });
  const [first, second] = args;
  if (first === undefined || /^\s*(?:\*|\w+\s*=(?!=))/.test(line.code.slice(...first))) return [];
  if (equalities.test(method) && second !== undefined) return pair(line, read, [second, first]);
  if (/^assertAlmostEquals?$/.test(method) && second !== undefined) {
    const numbers = [second, first].map(([from, to]) =>
      pythonLeaves(script, line.start + from, line.start + to).filter(({ type }) => type === "number"),
    );
    const leaves = numbers.find((found) => found.length === 1) ?? [];
    return leaves.length === 0 ? [] : [{ line, leaves, difference: "far" }];
  }
  if (method === "assertIn") {
    const leaves = pythonLeaves(script, line.start + first[0], line.start + first[1]);
    const isPlain = leaves.length === 1 && /^(?:number|string)$/.test(leaves[0]?.type ?? "");
    return isPlain && leaves[0]?.text !== "" ? [{ line, leaves, difference: "rare" }] : [];
  }
  const [before, after] = replacement.get(method) ?? ["", ""];
  if (before === "") return [];
  const [from, to] = [line.start + first[0], line.start + first[1]];
  return [
    {
      line,
      edits: [
        { start: from, end: from, text: before },
        { start: to, end: to, text: after },
      ],
    },
  ];
}

const replacement: ReadonlyMap<string, readonly [string, string]> = new Map([
  ["assertTrue", ["not (", ")"]],
  ["assertFalse", ["not (", ")"]],
  ["assertIsNone", ["[", "]"]],
]);

interface Plan {
  readonly test: PythonTest;
  readonly steps: readonly Step[];
  /** Assertions whose execution is noted. */
  readonly watched: readonly PythonLine[];
  readonly mark: string;
  /** The test as a function that runs again; null where it cannot. */
  readonly again: PythonBody | null;
}

function editsOf(
  { test, steps, watched, mark, again }: Plan,
  change: Omit<PythonChange, "difference">,
): readonly Edit[] {
  const { draw } = change;
  const [first] = test.statements;
  const last = test.lines.at(-1);
  if (first === undefined || last === undefined) return [];
  const { indent } = first;
  const list = draw.name();
  const insert = (at: number, text: string): Edit => ({ start: at, end: at, text });
  const results = again === null ? "" : draw.name();
  const tried = again === null ? "" : `${results} = ${again.call}\n${indent}`;
  const opened = insert(first.start, `${tried}${list} = []\n${indent}`);
  const [tries, inside, notes]: [Edit[], Edit[], Edit[]] = [[], [], []];
  for (const [index, step] of steps.entries()) {
    const { start, end } = step.line;
    tries.push(insert(start, `try:\n${indent}    `));
    if ("edits" in step) inside.push(...step.edits);
    else inside.push(changedPythonLeaf(draw.pick(step.leaves), { ...change, difference: step.difference }));
    const lines = [`    ${list}.append(${index})`, "except AssertionError:", "    pass"];
    notes.push(insert(end, lines.map((line) => `\n${indent}${line}`).join("")));
  }
  const isMethod = test.lines.some(({ code }) => /\bself\s*\.\s*assert\w/.test(code));
  const shown = again === null ? "" : `|{${results}}|`;
  const [one, other] = [`f"${mark}:{${list}}${shown}"`, JSON.stringify(draw.name())];
  // The message keeps what a long difference leaves out.
  const called = again === null ? "" : `, ${one}`;
  const falsehood = isMethod
    ? `self.assertEqual(${one}, ${other}${called})`
    : `assert ${one} == ${other}, ${one}`;
  const ending = `\n${indent}${falsehood}${again?.definition ?? ""}`;
  return [opened, ...watchingLines(watched, list), ...tries, ...inside, ...notes, insert(last.end, ending)];
}
