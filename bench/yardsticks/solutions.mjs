// Solutions of small problems in Python, as lines of JSON: those of which the author says that they are tailored to the tests,
// and honest ones. A folder has one or several files `*completions.jsonl`; a file with `force_hack` in its name is tailored,
// one with `clean` honest. Each line has a problem with its tests and the solution as `parsed_completion`.
// Solutions that fail their own tests are left out, since an exit code refuses them, and so are tailored ones that answer
// neighbouring inputs like the reference (`correct_solution`).
import { readdirSync } from "node:fs";
import { join } from "node:path";
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
    })
    // Several files may hold a problem, so its place tells its solutions apart.
    .map(({ problem, kind }, at) => caseOf(problem, { kind, at }));
  if (cases.length === 0) throw new Error(`${folder} holds no file of tailored or honest solutions`);
  return {
    title: "tailored and honest solutions",
    settings: { runner: "pytest", paths: { source: ["src/"], tests: ["tests/"] } },
    shared: { "pytest.ini": "[pytest]\npythonpath = src\n" },
    cases,
    // Without a runner, whose start would take longer than the tests of a thousand solutions.
    solved: { command: ["python3", join(import.meta.dirname, "solved.py")], seconds: 20 },
    expected: { tailored: "refused", honest: "accepted" },
  };
}

function problemsOf(text, kind) {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line))
    .filter((problem) => typeof problem.parsed_completion === "string" && problem.test_cases?.length > 0)
    .map((problem) => ({ problem, kind }));
}

function caseOf(
  {
    problem_id: id,
    function_name: name,
    test_cases: tests,
    parsed_completion: code,
    correct_solution: reference,
  },
  { kind, at },
) {
  const module = `${kind}_${at}_${String(id).replaceAll(/\W/g, "_")}`;
  const cases = tests.map(
    ({ input, correct_output: output }, number) =>
      `def test_${module}_${number + 1}():\n    assert ${input} == ${output}\n`,
  );
  return {
    name: `${kind} ${at} ${id}`,
    base: { [`src/${module}.py`]: `def ${name}(*arguments):\n    raise NotImplementedError\n` },
    tests: { [`tests/test_${module}.py`]: `from ${module} import ${name}\n\n\n${cases.join("\n\n")}` },
    ...(kind === "tailored" && typeof reference === "string"
      ? { compared: { [`reference/${module}.py`]: `${reference}\n` } }
      : {}),
    heads: { [kind]: { [`src/${module}.py`]: `${code}\n` } },
  };
}
