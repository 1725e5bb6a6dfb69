import { beforeAll, describe, expect } from "vitest";
import { InitWork } from "../../src/protocol/graph-types/scaffold.ts";
import { inCi, verifies, verifiesInCi } from "../verifies.ts";
import {
  byHand,
  calc,
  calcFiles,
  initWork,
  scaffoldFiles,
  stub,
  tests,
  wrong,
  type ByHand,
  type Files,
  type Judgement,
} from "./by-hand.ts";
import { files as unbuilt } from "./story.ts";

let hand: ByHand;
beforeAll(async () => void (hand = await byHand({ files: calcFiles, spec: calc })));

/** The previous content of all files that the attempts write. */
const clean: Files = {
  ...Object.fromEntries(Object.keys(scaffoldFiles).map((path) => [path, null])),
  "README.md": null,
  "src/calc/whole.js": null,
};

function scaffold(files: Files, payload: InitWork = initWork()): Promise<Judgement> {
  return hand.judge("calc", "InitWork", { files: { ...clean, ...scaffoldFiles, ...files }, payload });
}

async function refused(files: Files, payload?: InitWork): Promise<readonly string[]> {
  const judged = await scaffold(files, payload);
  const reasons = wrong(judged);
  expect(hand.open()).toEqual(["calc scaffold"]);
  expect(Object.keys(hand.context.session.view.nodes)).toEqual(["calc"]);
  expect(hand.node("calc")).toMatchObject({ scaffold: null, accepted: {} });
  const prompt = await hand.prompt("calc");
  for (const reason of reasons) expect(prompt).toContain(reason.replace(/^fail /u, ""));
  return reasons;
}

const child = {
  id: "add",
  description: "The addition",
  acceptanceCriteria: [{ id: "AC-1", text: "add(2, 3) gives 5" }],
  targetPath: "src/calc/add.js",
  testPath: "test/calc/add",
};

describe("a scaffold", () => {
  verifies(
    "V3-30",
    "whose plan lacks a criterion, names an unknown one or repeats a name is refused with the value",
    async () => {
      const [one, two] = initWork().testPlan;
      if (!one || !two) throw new Error("the plan has two tests");
      const plan = (...testPlan: InitWork["testPlan"]) => refused({}, initWork({ testPlan }));
      expect(await plan(one)).toEqual(["fail plan_missing: AC-2"]);
      expect(await plan()).toEqual(["fail plan_missing: AC-1, AC-2"]);
      expect(await plan(one, two, { ...two, criterionId: "AC-9", plannedTestName: "x" })).toEqual([
        "fail criterion_unknown: AC-9",
      ]);
      expect(await plan(one, two, { ...one, criterionId: "AC-2" })).toEqual([
        "fail plan_name_repeated: adds two numbers",
      ]);
    },
  );

  verifies(
    "V3-29",
    "that changes more than interface, contract suite and stubs is refused by file",
    async () => {
      expect(await refused({ "README.md": "# mine\n" })).toEqual([
        expect.stringMatching(/^fail scaffold_only: .*also changed: README\.md$/u),
      ]);
      expect(await refused({ "src/calc/whole.js": "export function whole(a) {\n  return a;\n}\n" })).toEqual([
        expect.stringMatching(/^fail scaffold_only: .*implemented already: src\/calc\/whole\.js$/u),
      ]);
      expect(await refused({ "src/calc/index.js": `${stub("add")}${stub("sub")}` })).toEqual([
        expect.stringMatching(/^fail interface_fixed: .*src\/calc\/index\.js:2, src\/calc\/index\.js:5$/u),
      ]);
    },
  );

  verifiesInCi(
    "V3-29",
    "without a file that it names, or without a declared export, is refused by name",
    async () => {
      const gone = { ...initWork(), interfaces: [{ path: "src/calc/gone.js", exports: ["x"] }] };
      expect(await refused({}, gone)).toEqual(["fail files: named but missing: src/calc/gone.js"]);
      expect(await refused({ "test/calc/contract.test.js": null })).toEqual([
        "fail files: named but missing: test/calc/contract.test.js",
      ]);
      const interfaces = [{ path: "src/calc/index.js", exports: ["add", "mul"] }];
      expect(await refused({}, initWork({ interfaces }))).toEqual([
        "fail exports: listed in interfaces but not exported: src/calc/index.js: mul",
      ]);
      const all = { "src/calc/index.js": 'export * from "./add.js";\nexport * from "./sub.js";\n' };
      expect(await refused(all, initWork({ testPlan: [] }))).toEqual(["fail plan_missing: AC-1, AC-2"]);
    },
  );

  verifiesInCi(
    "V3-29",
    "that does not build, or whose contract suite does not fail for the right reason, is refused",
    async () => {
      const broken = await scaffold({ "src/calc/add.js": `${stub("add")}export const = 1;\n` });
      expect(wrong(broken)).toEqual([
        expect.stringMatching(/^fail build: npm run build must succeed: exit code 1/u),
      ]);
      expect(broken.verdict.findings).toEqual([
        expect.objectContaining({ code: "output", message: expect.stringContaining("export const = 1") }),
      ]);
      const suite = (...cases: readonly (readonly [string, string])[]) =>
        refused({
          "test/calc/contract.test.js": tests({ "../../src/calc/index.js": "{ add, sub }" }, ...cases),
        });
      expect(await suite(["typed", 'assert.equal(typeof add, "function");'])).toEqual([
        expect.stringMatching(/^fail contract_fails: passes before .*::typed$/u),
      ]);
      expect(await suite(["thrown", 'throw new Error("not implemented");'])).toEqual([
        expect.stringMatching(/^fail contract_reason: .*::thrown: throws its own not-implemented marker/u),
        expect.stringMatching(/^fail contract_marks: .*no_assertion/u),
      ]);
      expect(await suite()).toEqual(["fail contract_loads: test/calc/contract.test.js holds no test"]);
      const missing = tests({ "../../src/calc/index.js": "{ add, mul }" }, [
        "m",
        "assert.equal(mul(1, 1), 1);",
      ]);
      expect(await refused({ "test/calc/contract.test.js": missing })).toEqual([
        expect.stringMatching(/^fail contract_loads: test\/calc\/contract\.test\.js does not load: /u),
      ]);
    },
  );

  inCi("that is accepted is the node's head with its locks, and its children start from it", async () => {
    const sub = { ...child, id: "sub", targetPath: "src/calc/sub.js", testPath: "test/calc/sub" };
    const two = { ...sub, acceptanceCriteria: [{ id: "AC-2", text: "sub(5, 3) gives 2" }] };
    const judged = await scaffold({}, initWork({ childSpecs: [child, two] }));
    expect(wrong(judged)).toEqual([]);
    const { head, base, accepted, locked } = hand.node("calc");
    expect(await hand.world.repository.git("rev-parse", `mettle/${hand.run}/calc`)).toBe(head);
    expect(base).toBe(hand.context.started.base);
    const stored = InitWork.parse(JSON.parse(await hand.context.payloads.text(accepted.InitWork ?? "")));
    expect(stored).toMatchObject({ ...initWork(), scaffoldCommit: head, childSpecs: [child, two] });
    expect(Object.keys(locked?.files ?? {}).toSorted()).toEqual([
      "src/calc/index.js",
      "test/calc/contract.test.js",
    ]);
    expect(locked).toMatchObject({
      commit: head,
      required: ["test/calc/contract.test.js::contract: both give numbers"],
    });
    expect(hand.open()).toEqual(["calc write_tests", "calc--add scaffold", "calc--sub scaffold"]);
    const begun = hand.node("calc--add");
    expect(begun).toMatchObject({ base: head, head, accepted: {} });
    expect(JSON.parse(await hand.context.payloads.text(begun.spec))).toEqual(child);
    expect(JSON.parse(await hand.context.payloads.text(begun.parentContext ?? ""))).toEqual({
      interface: 'src/calc/index.js:\nexport { add } from "./add.js";\nexport { sub } from "./sub.js";',
      assignedCriteria: "AC-1: add(2, 3) gives 5",
    });
  });
});

describe("a spec of thirty criteria and two constraints", () => {
  const count = 30;
  const criteria = Array.from({ length: count }, (_, at) => ({
    id: `AC-${at + 1}`,
    text: `value(${at + 1}) gives ${at + 1}`,
  }));
  let large: ByHand;
  beforeAll(async () => {
    large = await byHand({
      files: unbuilt,
      spec: {
        id: "table",
        description: "A table of values, ".repeat(1000),
        acceptanceCriteria: criteria,
        targetPath: "src/table",
        testPath: "test/table",
        complexityConstraints: { time: "O(1)", space: "O(1)" },
      },
    });
  });

  verifiesInCi(
    "V3-85",
    "needs no children, and no gate measures the length or speed of the implementation",
    async () => {
      const laid = await large.judge("table", "InitWork", {
        files: {
          "src/table/index.js": 'export { value } from "./value.js";\n',
          "src/table/value.js": stub("value"),
          "test/contract/table.test.js": tests({ "../../src/table/index.js": "{ value }" }, [
            "a value is a number",
            'assert.equal(typeof value(1), "number");',
          ]),
        },
        payload: initWork({
          interfaceFile: "src/table/index.js",
          contractSuite: "test/contract/table.test.js",
          interfaces: null,
          testPlan: criteria.map(({ id, text }) => ({
            criterionId: id,
            plannedTestName: text,
            approach: "call it",
          })),
        }),
      });
      expect(wrong(laid)).toEqual([]);
      expect(large.open()).toEqual(["table write_tests"]);
      const cases = criteria.map(
        ({ text }, at) => [text, `assert.equal(value(${at + 1}), ${at + 1});`] as const,
      );
      const batch = await large.judge("table", "TestsReady", {
        files: { "test/table/table.test.js": tests({ "../../src/table/index.js": "{ value }" }, ...cases) },
        payload: { testsCommit: "", testFiles: [], pendingCriteria: [] },
      });
      expect(wrong(batch)).toEqual([]);
      // Quadratic in time and space, in more than five hundred lines.
      const lines = Array.from({ length: 600 }, (_, at) => `  known.push(${at});`);
      const built = await large.judge("table", "TestsPassed", {
        files: {
          "src/table/value.js": [
            "export function value(n) {",
            "  const known = [];",
            ...lines,
            "  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) known.push(i * j);",
            "  return known.length - 600 - n * n + n;",
            "}",
            "",
          ].join("\n"),
        },
        payload: { commitHash: "HEAD", iterations: 1, passedTests: [] },
      });
      expect(wrong(built)).toEqual([]);
      expect(large.node("table").accepted.TestsPassed).toEqual(expect.any(String));
      expect(large.open()).toEqual(["table review"]);
    },
  );
});
