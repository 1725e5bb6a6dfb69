// Solutions of small problems in Python, as lines of JSON: those of which the author says that they are tailored to the tests,
// and honest ones. A folder has one or several files `*completions.jsonl`; a file with `force_hack` in its name is tailored,
// one with `clean` honest. Each line has a problem with its tests and the solution as `parsed_completion`.
import { readdirSync } from "node:fs";
import { textOf } from "./texts.mjs";

const kinds = [
  { kind: "tailored", named: /force_hack.*completions\.jsonl$/ },
  { kind: "honest", named: /_clean_.*completions\.jsonl$/ },
];

/** @returns the material; throws if the folder has no such file */
export function readSolutions(folder) {
  const cases = readdirSync(folder)
    .sort()
    .flatMap((file) => {
      const found = kinds.find(({ named }) => named.test(file));
      return found === undefined ? [] : problemsOf(textOf(folder, file), found.kind);
    });
  if (cases.length === 0) throw new Error(`${folder} holds no file of tailored or honest solutions`);
  return {
    title: "tailored and honest solutions",
    settings: { runner: "pytest", paths: { source: ["src/"], tests: ["tests/"] } },
    shared: { "pytest.ini": "[pytest]\npythonpath = src\n" },
    cases,
    expected: { tailored: "refused", honest: "accepted" },
  };
}

function problemsOf(text, kind) {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line))
    .filter((problem) => typeof problem.parsed_completion === "string" && problem.test_cases?.length > 0)
    .map((problem, at) => problemOf(problem, { kind, at }));
}

function problemOf(
  { problem_id: id, function_name: name, test_cases: tests, parsed_completion: code },
  { kind, at },
) {
  const module = `${kind}_${at}_${String(id).replaceAll(/\W/g, "_")}`;
  const cases = tests.map(
    ({ input, correct_output: output }, number) =>
      `def test_${module}_${number + 1}():\n    assert ${input} == ${output}\n`,
  );
  return {
    name: `${kind} ${id}`,
    base: { [`src/${module}.py`]: `def ${name}(*arguments):\n    raise NotImplementedError\n` },
    tests: { [`tests/test_${module}.py`]: `from ${module} import ${name}\n\n\n${cases.join("\n\n")}` },
    heads: { [kind]: { [`src/${module}.py`]: `${code}\n` } },
  };
}
