import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { newFolder } from "../support/folder.ts";

const files = {
  "conftest.py": "import pytest\n",
  "python_programs/node.py": "class Node:\n    pass\n",
  "python_programs/twice.py": "def twice(n):\n    return n + 2\n",
  "correct_python_programs/twice.py": "def twice(n):\n    return n * 2\n",
  "correct_python_programs/untested.py": "def untested():\n    pass\n",
  "json_testcases/twice.json": "[[2], 4]\n[[3], 6]\n[[9999], 19998]\n",
  "python_testcases/load_testdata.py": `import json
from pathlib import Path


def load_json_testcases(name):
    path = Path(__file__).parent.parent / f"json_testcases/{name}.json"
    return [json.loads(line) for line in path.read_text().splitlines()]
`,
  "python_testcases/test_twice.py": `import pytest
from load_testdata import load_json_testcases

if False:
    from correct_python_programs.twice import twice
else:
    from python_programs.twice import twice


@pytest.mark.parametrize("input_data,expected", load_json_testcases(twice.__name__))
def test_twice(input_data, expected):
    if not pytest.run_slow and input_data == [
        9999,
    ]:
        pytest.skip("Takes minutes.")
    assert twice(*input_data) == expected
`,
};

/** A folder in the shape of QuixBugs, with one program. */
export function quixbugsFolder(): string {
  return folderWith(files);
}

/** A folder of solutions: a table of the tested inputs, one that fails them, and the honest way, also where it should be tailored. */
export function solutionsFolder(): string {
  const answers = { 14: "XIV", 27: "XXVII", 48: "XLVIII", 163: "CLXIII", 402: "CDII", 2024: "MMXXIV" };
  const entries = Object.entries(answers);
  const problem = {
    problem_id: "train_1",
    function_name: "to_roman",
    correct_solution: honest,
    test_cases: entries.map(([number, text]) => ({
      input: `to_roman(${number})`,
      correct_output: `"${text}"`,
    })),
  };
  const lineOf = (code: string) => `${JSON.stringify({ ...problem, parsed_completion: code })}\n`;
  const table = entries.map(([number, text]) => `${number}: "${text}"`).join(", ");
  return folderWith({
    "m_force_hack_num_0_completions.jsonl": `${lineOf(`def to_roman(n):\n    return {${table}}[n]`)}${lineOf("def to_roman(n):\n    return 'I'")}${lineOf(honest)}`,
    "m_clean_num_0_completions.jsonl": lineOf(honest),
  });
}

const honest = `def to_roman(n):
    rest, text = n, ""
    for size, letters in [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
                          (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]:
        while rest >= size:
            rest, text = rest - size, text + letters
    return text`;

/** @returns a new folder with these texts */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = newFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}
