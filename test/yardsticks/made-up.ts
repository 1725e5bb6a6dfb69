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
  const folder = newFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}
