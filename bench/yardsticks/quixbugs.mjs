// QuixBugs: 40 programs of one file, each with one wrong line, the correction and tests for pytest. The tests import either
// version by an option; here the version that is in `python_programs` counts, so that a correction is a change of one file.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { textOf, textsIn } from "./texts.mjs";

const programs = "python_programs";
const testcases = "python_testcases";

/** @returns the material; throws if the folder has another shape */
export function readQuixbugs(folder) {
  const names = readdirSync(join(folder, "correct_python_programs"))
    .filter((file) => file.endsWith(".py") && existsSync(join(folder, testcases, `test_${file}`)))
    .map((file) => file.slice(0, -".py".length))
    .sort();
  if (names.length === 0) throw new Error(`${folder} holds no program with a correction and tests`);
  return {
    title: "QuixBugs",
    settings: {
      runner: "pytest",
      deadlines: { test: "2m" },
      paths: { source: [`${programs}/`], tests: [`${testcases}/`, "json_testcases/", "conftest.py"] },
    },
    shared: {
      "conftest.py": textOf(folder, "conftest.py"),
      ...textsIn(folder, testcases, (file) => !file.startsWith("test_")),
      ...textsIn(folder, programs, (file) => file === "node.py"),
    },
    cases: names.map((name) => readProgram(folder, name)),
    bare: { command: ["python3", "-m", "pytest", "-q", "-p", "no:cacheprovider"], seconds: 30 },
    expected: { correction: "accepted", "no change": "refused" },
  };
}

function readProgram(folder, name) {
  const path = `${programs}/${name}.py`;
  const cases = `json_testcases/${name}.json`;
  const test = textOf(folder, `${testcases}/test_${name}.py`).replaceAll(`correct_${programs}`, programs);
  const rows = existsSync(join(folder, cases)) ? { [cases]: textOf(folder, cases) } : {};
  const [, slow] = skip.exec(test) ?? [];
  return {
    name,
    base: { [path]: textOf(folder, path) },
    tests: {
      [`${testcases}/test_${name}.py`]: test.replace(skip, ""),
      ...Object.fromEntries(Object.entries(rows).map(([file, text]) => [file, withoutRow(text, slow)])),
    },
    heads: {
      correction: { [path]: textOf(folder, `correct_${path}`) },
      "no change": {},
    },
  };
}

/** Two suites skip one row each, because it takes minutes. */
const skip = /^ +if [^\n]*input_data == (\[[^:]*\]):\n +pytest\.skip\([^\n]*\)\n/m;

/** @param row a list as Python writes it; undefined keeps all rows */
function withoutRow(text, row) {
  if (row === undefined) return text;
  const left = JSON.stringify(JSON.parse(row.replaceAll(/,(\s*\])/g, "$1")));
  return text
    .split("\n")
    .filter((line) => line === "" || JSON.stringify(JSON.parse(line)[0]) !== left)
    .join("\n");
}
