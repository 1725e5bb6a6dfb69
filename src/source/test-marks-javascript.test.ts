import { expect, test } from "vitest";
import { javascriptMarks } from "./test-marks-javascript.ts";

const rules = { tests: ["tests/"], source: ["src/"] };
const marks = (text: string) =>
  javascriptMarks({ path: "tests/a.test.js", text }, rules).map(
    ({ kind, line, what }) => `${line} ${kind} ${what}`,
  );

test("skip, todo and only are found by line, in every spelling", () => {
  const text = [
    'test.skip("a", () => { expect(1).toBe(1); });',
    'describe.concurrent.only("b", () => {});',
    'it.todo("c");',
    'xit("d", () => { expect(1).toBe(1); });',
    'fit("e", () => { expect(1).toBe(1); });',
    'test("f", { skip: true }, () => { assert(1); });',
    'test("g", (t) => { t.skip("later"); assert(1); });',
    'test.fails("h", () => { expect(1).toBe(2); });',
    'test("i", { skip: false, todo: "soon" }, () => { assert(1); });',
  ].join("\n");
  expect(marks(text)).toEqual([
    "1 skip test.skip",
    "2 only describe.concurrent.only",
    "3 todo it.todo",
    "4 skip xit",
    "5 only fit",
    "6 skip skip:",
    "7 skip t.skip(",
    "8 skip test.fails",
    "9 todo todo:",
  ]);
});

test("words in strings, comments, templates and regular expressions are no marks", () => {
  const text = [
    "// test.skip(1)",
    "/* it.only */",
    'test("says it.skip(", () => { expect("test.only(").toMatch(/test.skip\\(/); });',
    "test(`uses ${stream.skip(3)} and it.todo(`, () => { expect(reader.skip(2)).toBe(1); });",
    'test("b", () => { assert.deepEqual(parse({ skip: true, only: 1 }), {}); });',
  ].join("\n");
  expect(marks(text)).toEqual([]);
});

test("a test without assertion is found; one that asserts through a helper is not", () => {
  const text = [
    'import { roundTrip } from "./helper.js";',
    'import { add } from "../src/add.js";',
    "function same(a, b) { assert.equal(a, b); }",
    "const near = (a, b) => expect(a).toBeCloseTo(b);",
    'test("bare", () => { add(1, 2); });',
    'test("local", () => { same(add(1, 2), 3); });',
    'test("arrow", () => near(add(1, 2), 3));',
    'test("helper", async () => { await roundTrip(add); });',
    'test("rejects", () => add(1).should.equal(2));',
    'test("supertest", () => request(app).get("/").expect(200));',
    'test("nothing", () => {});',
    'it("waits", function (done) { add(after(4, done)); });',
    'it("is given", (done) => { add({ end: done }, no); });',
    'it("ends itself", (done) => { add(1, 2); done(); });',
    'it("is ended by a timer", function (done) { add(1, 2); setTimeout(done, 1); });',
    'it("follows nothing", done => { Promise.resolve().then(done); });',
  ].join("\n");
  expect(marks(text)).toEqual([
    "5 no_assertion bare",
    "11 no_assertion nothing",
    "14 no_assertion ends itself",
    "15 no_assertion is ended by a timer",
    "16 no_assertion follows nothing",
  ]);
});

test("mocking the only source module of the file is found, mocking a collaborator is not", () => {
  const unit =
    'import { save } from "../src/save.js";\nvi.mock("../src/save");\ntest("a", () => { expect(save()).toBe(1); });';
  expect(marks(unit)).toEqual(["2 mocks_unit ../src/save"]);
  expect(
    marks(
      `import { db } from "../src/db.js";\nvi.mock("../src/db.js");\n${unit.split("\n")[0]}\ntest("a", () => { expect(save(db)).toBe(1); });`,
    ),
  ).toEqual([]);
});
