/** Forms of honest tests that RED once refused, with each runner: they fail by reaching the unit, or are named (PRV-22). */
import { expect } from "vitest";
import { proofProject, type ProofProject } from "../../../test/proof-project.ts";
import { failedChecks } from "../../../test/support/failed-checks.ts";
import { verifies, verifiesInCi } from "../../../test/verifies.ts";
import type { ProofPorts } from "../ports.ts";
import type { GateProof } from "../proof.ts";
import type { RedProof } from "../red-proof.ts";

interface Forms {
  readonly runner: string;
  readonly base: Readonly<Record<string, string>>;
  readonly tests: Readonly<Record<string, string>>;
  readonly unit: string;
  readonly solution: string;
  /** Test file with the two tests that pass already, and their titles. */
  readonly passing: {
    readonly path: string;
    readonly noted: string;
    readonly bare: string;
    readonly row: string;
  };
  readonly modules?: boolean;
  readonly timeoutMs?: number;
  /** Findings beside those of passing tests. */
  readonly found?: readonly string[];
}

const unit = `export const parse = (text) => undefined;
export const first = (text) => undefined;
export const version = () => 1;
export const wait = () => new Promise(() => {});
`;
const solution = `export const parse = (text) => ({ width: Number(text.split("x")[0]) });
export const first = (text) => text[0];
export const version = () => 1;
export const wait = async (answer) => answer;
export const check = (text) => { if (!text.includes("x")) throw new Error(text); };
export const area = (text) => text.split("x").reduce((one, two) => one * two, 1);
export const show = (text) => text.split("x");
`;

interface Script {
  /** The imports of the runner. */
  readonly head: string;
  /** The name of a helper without tests. */
  readonly helper: string;
  /** The test that waits, and more. */
  readonly waits: string;
  /** How a test compares, and how it asserts that nothing is thrown, by the arguments. */
  readonly equal: string;
  readonly quiet: string;
}

function script({ head, helper, waits, equal, quiet }: Script): Readonly<Record<string, string>> {
  const imports = `${head}import * as board from "../src/board.js";\n`;
  const written = (text: string) =>
    text.replaceAll(/SAME\(([^;]*), ([^;]*)\)(?=;)/gu, equal).replaceAll(/QUIET\(([^;]*)\)(?=;)/gu, quiet);
  return {
    [`tests/${helper}`]: "export const size = 2;\n",
    "tests/board.test.js": written(`${imports}import { size } from "./${helper}";
test("undefined cannot be taken apart", () => { const { width } = board.parse("2x1"); SAME(width, size); });
test("a missing member is called", () => { SAME(board.area("2x1"), 2); });
test("must not throw", () => { QUIET(() => board.check("2x1")); });
for (const [text, letter] of [["ab", "a"], ["", undefined]])
  test(\`the first letter of "\${text}"\`, () => { SAME(board.first(text), letter); });
// passes already: the version was set before
test("has a version", () => { SAME(board.version(), 1); });
test("keeps it", () => { SAME(board.version(), 1); SAME(board.version() + 1, 2); });
${waits}
`),
  };
}

const passing = {
  path: "tests/board.test.js",
  noted: "has a version",
  bare: "keeps it",
  row: 'the first letter of ""',
};
const nodeTest: Forms = {
  runner: "node:test",
  base: { "package.json": '{ "type": "module" }\n', "src/board.js": unit },
  tests: script({
    head: 'import test from "node:test";\nimport assert from "node:assert/strict";\n',
    helper: "sizes.test.js",
    waits: 'test("waits for the unit", async () => { SAME(await board.wait(3), 3); });',
    equal: "assert.equal($1, $2)",
    quiet: "assert.doesNotThrow($1)",
  }),
  unit: "src/board.js",
  solution,
  passing,
};
const vitest: Forms = {
  ...nodeTest,
  runner: "vitest",
  modules: true,
  tests: script({
    head: 'import { expect, test } from "vitest";\n',
    helper: "sizes.js",
    waits: `test("waits for the unit", async () => { SAME(await board.wait(3), 3); }, 500);
test("shows a board", () => { expect(board.show("2x1")).toMatchSnapshot(); });`,
    equal: "expect($1).toBe($2)",
    quiet: "expect($1).not.toThrow()",
  }),
  found: ["snapshot_at_green"],
};

const python: Forms = {
  runner: "pytest",
  base: {
    "shop/__init__.py": "",
    "shop/board.py": `import time


class Board:
    def __init__(self, text):
        self.text = text


def pair(text):
    return None


def first(text):
    return None


def version():
    return 1


def wait(answer):
    time.sleep(600)
`,
    "tests/__init__.py": "",
  },
  unit: "shop/board.py",
  solution: `class Board:
    def __init__(self, text):
        self.text = text

    def area(self):
        width, height = pair(self.text)
        return width * height

    def check(self):
        if "x" not in self.text:
            raise ValueError(self.text)


def pair(text):
    return [int(part) for part in text.split("x")]


def first(text, default=None):
    return text[0] if text else default


def version():
    return 1


def wait(answer):
    return answer
`,
  tests: {
    "tests/test_utils.py": "SIZE = 2\n",
    "tests/test_board.py": `import pytest
from shop.board import Board, first, pair, version, wait
from .test_utils import SIZE


def test_none_cannot_be_unpacked():
    width, height = pair("2x1")
    assert width == SIZE
    assert height == 1


def test_a_missing_attribute():
    assert Board("2x1").area() == 2


def test_a_missing_argument():
    assert first("", default="z") == "z"


def test_a_board_is_valid():
    # must not raise: this text is valid
    Board("2x1").check()


@pytest.mark.parametrize("text, letter", [("ab", "a"), ("", None)])
def test_first(text, letter):
    assert first(text) == letter


# passes already: the version was set before
def test_has_a_version():
    assert version() == 1


def test_keeps_it():
    assert version() + 1 == 2


def test_waits_for_the_unit():
    assert wait(3) == 3
`,
  },
  passing: {
    path: "tests/test_board.py",
    noted: "test_has_a_version",
    bare: "test_keeps_it",
    row: "test_first[-None]",
  },
  timeoutMs: 12_000,
  found: ["asserts_nothing"],
};

interface Judged {
  readonly red: RedProof;
  green(): Promise<GateProof>;
}

async function judge(forms: Forms): Promise<Judged> {
  const project: ProofProject = await proofProject(forms.base, { modules: forms.modules === true });
  const ports: ProofPorts = {
    ...project.ports,
    ...(forms.timeoutMs === undefined ? {} : { timeoutMs: forms.timeoutMs }),
    controls: { ...project.ports.controls, snapshots: "taken_at_green" },
  };
  const settings = { runner: forms.runner, paths: { tests: ["tests/"], source: ["src/", "shop/"] } };
  const commit = await project.commitOn(project.base, forms.tests);
  const accepted = [`${forms.passing.path}::${forms.passing.bare}`];
  const red = await project.red(commit, { settings, ports, planned: [forms.unit], accepted });
  const { required } = red;
  return {
    red,
    green: async () => {
      const head = await project.commitOn(commit, { [forms.unit]: forms.solution });
      return project.green({ settings, ports, red: commit, head, required, accepted });
    },
  };
}

/** All forms in one proof, because they share what a runner costs. */
function expectAccepted({ verdict }: RedProof, forms: Forms): void {
  expect(failedChecks(verdict)).toEqual([]);
  const passed = verdict.findings.filter(({ code }) => code === "passes_already");
  const says = (title: string, why: string) =>
    `passes before implementation, so it does not test it: ${forms.passing.path}::${title}: ${why}`;
  expect(passed.map(({ message }) => message).toSorted()).toEqual(
    [
      says(forms.passing.noted, "the version was set before"),
      says(forms.passing.bare, "a person accepted it"),
      says(forms.passing.row, "another row of its table fails"),
    ].toSorted(),
  );
  const codes = verdict.findings.map(({ code }) => code);
  for (const code of forms.found ?? []) expect(codes).toContain(code);
}

verifies(
  "PRV-22",
  "node:test: honest tests of each form are RED by reaching the unit, or are named",
  async () => {
    expectAccepted((await judge(nodeTest)).red, nodeTest);
  },
  60_000,
);

for (const forms of [nodeTest, vitest, python])
  verifiesInCi(
    "PRV-22",
    `${forms.runner}: honest tests of each form are RED, and GREEN when the unit works`,
    async () => {
      const { red, green } = await judge(forms);
      expectAccepted(red, forms);
      expect(failedChecks((await green()).verdict)).toEqual([]);
    },
    180_000,
  );
