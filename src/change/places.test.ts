import { expect, test } from "vitest";
import { lineOfTest, placesIn } from "./places.ts";

const script = `import { adds } from "./a.js";
describe("cart", () => {
  test("adds", () => {});
  test("adds", () => {});
});
describe('other', () => {
  it('adds', () => {});
});
`;

test("the line of a test is found by its suites and title, in each language", () => {
  expect(lineOfTest(script, "a.test.js::cart::adds")).toBe(3);
  expect(lineOfTest(script, "a.test.js::cart::adds#2")).toBe(4);
  expect(lineOfTest(script, "a.test.js::other::adds")).toBe(7);
  expect(lineOfTest(script, "a.test.js::other::computed 3")).toBeNull();
  expect(lineOfTest(script, "a.test.js")).toBeNull();
  const python = "import a\n\nclass TestCart:\n    def test_adds(self, n):\n        assert n\n";
  expect(lineOfTest(python, "test_a.py::TestCart::test_adds[1-2]")).toBe(4);
  expect(lineOfTest("package a\n\nfunc TestAdds(t *testing.T) {}\n", "a_test.go::TestAdds")).toBe(3);
  expect(lineOfTest("mod tests {\n    #[test]\n    fn adds() {}\n}\n", "src/lib.rs::tests::adds")).toBe(3);
});

test("a text's files are found with their lines, if head contains them", () => {
  const files = new Set(["src/a.js", "test/a b.test.js", "README.md", "Makefile"]);
  const find = (text: string) =>
    placesIn(text, (path) => files.has(path)).map(({ path, line }) => `${path}:${line}`);
  expect(find("changed lines: 2 (src/a.js:8, src/a.js:10)")).toEqual(["src/a.js:8", "src/a.js:10"]);
  expect(find("no test may be hidden: test/a b.test.js:5: test.skip")).toEqual(["test/a b.test.js:5"]);
  expect(find("also changed: README.md, gone.md; see `src/a.js`")).toEqual([
    "README.md:null",
    "src/a.js:null",
  ]);
  expect(find("Makefile src/a.json other/src/a.js 12:30")).toEqual([]);
  expect(find("src/a.js:0")).toEqual(["src/a.js:1"]);
});
