/** Null stubs and tests whose functions stand in a helper, as a tester of lint rules makes them: no stack shows the test file. */
import { expect } from "vitest";
import { proofProject } from "../../../test/proof-project.ts";
import { inCi } from "../../../test/verifies.ts";

const rule = "{ meta: {}, create(n) { return { twice: () => n * 2 }; } }";
const bare = "const check = (is) => { if (!is) throw new Error('wrong'); };\n";
const asserts = "const check = (is) => expect(is).toBe(true);\n";
const note = "// passes already: it guards an old rule\n";

interface World {
  readonly runner: string;
  readonly call: string;
  readonly check: string;
  /** Its test calls the rule from a timer. */
  readonly isLater?: boolean;
  readonly controls: string;
}

const measured = "2 tests on 3 null stubs: 1 on all";
const worlds: readonly World[] = [
  { runner: "mocha", call: "it", check: bare, controls: measured },
  { runner: "jest", call: "it", check: asserts, controls: measured },
  { runner: "vitest", call: "test", check: asserts, controls: measured },
  {
    runner: "jest",
    call: "it",
    check: asserts,
    isLater: true,
    controls: "not measured (a call of the unit does not show its test)",
  },
];

for (const { runner, call, check, isLater = false, controls } of worlds)
  inCi(
    `a test that a helper makes meets the null stubs, or nothing is claimed: ${runner}${isLater ? ", by a timer" : ""} (CORE-26)`,
    async () => {
      const isEsm = runner === "vitest";
      const load = (names: string, from: string) =>
        isEsm ? `import { ${names} } from "${from}";\n` : `const { ${names} } = require("${from}");\n`;
      const framework = isEsm ? load("expect, test", "vitest") : "";
      const give = (name: string, value: string) =>
        isEsm ? `export const ${name} = ${value};\n` : `module.exports = { ${name}: ${value} };\n`;
      const use = "check(rule.create(4).twice() === 8)";
      const later = `new Promise((done) => setTimeout(() => done(${use}), 1))`;
      const run = `(name, rule) => ${call}(name, () => ${isLater ? later : use})`;
      const project = await proofProject(
        {
          "package.json": `{ "type": "${isEsm ? "module" : "commonjs"}", "devDependencies": { "${runner}": "*" } }\n`,
          "src/rule.js": give("rule", rule),
          "tests/tester.js": `${framework}${check}${give("run", run)}`,
        },
        { modules: true },
      );
      const head = await project.commitOn(project.base, {
        "tests/rule.test.js": `${framework}${load("run", "./tester.js")}${load("rule", "../src/rule.js")}${check}${note}run("doubles", rule);\n${note}${call}("is idle", () => check(true));\n`,
      });
      const proof = await project.red(head, {
        planned: [],
        settings: { runner, paths: { tests: ["tests/"], source: ["src/"] } },
      });
      expect(proof.drafts.at(-1)?.controls).toMatchObject({ null_stubs: controls });
      const refused = proof.verdict.checks.find(({ name }) => name === "tautology")?.tests;
      expect(refused).toEqual(controls === measured ? ["tests/rule.test.js::is idle"] : []);
    },
  );

inCi(
  "a class of tests that a file inherits from a helper meets the null stubs: pytest (CORE-26)",
  async () => {
    const project = await proofProject({
      "pytest.ini": "[pytest]\npythonpath = . tests\n",
      "rule.py": "def twice(n):\n    return n * 2\n",
      "tests/tester.py": "class Doubles:\n    def test_doubles(self):\n        assert self.twice(4) == 8\n",
    });
    const head = await project.commitOn(project.base, {
      "tests/test_rule.py":
        "from rule import twice\nfrom tester import Doubles\n\n# passes already: it guards an old rule\nclass TestTwice(Doubles):\n    twice = staticmethod(twice)\n\n# passes already: it is true\ndef test_is_idle():\n    assert 1 == 1\n",
    });
    const proof = await project.red(head, {
      planned: [],
      settings: { runner: "pytest", paths: { tests: ["tests/"], source: [""] } },
    });
    expect(proof.drafts.at(-1)?.controls).toMatchObject({ null_stubs: measured });
  },
);
