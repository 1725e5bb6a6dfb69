import { expect, test } from "vitest";
import { readCode } from "./code-text.ts";
import { countTestsIn, marksOfTest } from "./test-marks.ts";

const rules = { tests: ["tests/"], source: ["src/", "shop/"] };
const marks = (path: string, lines: readonly string[]) =>
  marksOfTest({ path, text: lines.join("\n") }, rules, (file) => file === "shop/cart.py").map(
    ({ kind, line, what }) => `${line} ${kind} ${what}`,
  );

test("Python: skip and xfail are found in every spelling, and a test without assertion by name", () => {
  const text = [
    "@pytest.mark.skip",
    "def test_a(): assert 1",
    "@pytest.mark.skipif(True, reason='x')",
    "def test_b(): assert 1",
    "pytestmark = pytest.mark.xfail",
    "def test_c():",
    "    pytest.skip('later')",
    "    assert 1",
    "class A(unittest.TestCase):",
    "    @unittest.skipUnless(False, 'x')",
    "    @unittest.expectedFailure",
    "    def test_d(self):",
    "        self.skipTest('x')",
    "        self.assertEqual(1, 1)",
    "    def test_e(self):",
    "        total()",
    "",
    "def test_f():",
    "    with pytest.raises(ValueError):",
    "        total()",
    "def check(a):",
    "    assert a",
    "def test_g(): check(1)",
    "# pytest.skip('no') and",
    "text = 'pytest.mark.skip'",
  ];
  expect(marks("tests/test_a.py", text)).toEqual([
    "1 skip mark.skip",
    "3 skip mark.skipif",
    "5 todo mark.xfail",
    "7 skip pytest.skip(",
    "10 skip @unittest.skipUnless",
    "11 todo @unittest.expectedFailure",
    "13 skip self.skipTest(",
    "15 no_assertion test_e",
  ]);
  expect(countTestsIn({ path: "tests/test_a.py", text: text.join("\n") })).toBe(7);
});

test("Python: a test that replaces the unit that it imports is found, one that replaces another is not", () => {
  const imports = ["from unittest.mock import patch", "from shop.cart import total"];
  const asserting = "def test_a(): assert total() == 1";
  expect(marks("tests/test_a.py", [...imports, "@patch('shop.cart.total')", asserting])).toEqual([
    "3 mocks_unit shop.cart.total",
  ]);
  expect(marks("tests/test_a.py", [...imports, "@patch('shop.cart.fetch')", asserting])).toEqual([]);
  expect(marks("tests/test_a.py", [...imports, "@patch('requests.get')", asserting])).toEqual([]);
  expect(marks("tests/test_a.py", ["import shop.cart", "sys.modules['shop.cart'] = 1", asserting])).toEqual([
    "2 mocks_unit shop.cart",
  ]);
});

test("Go: skips, build tags and tests that cannot fail", () => {
  const text = [
    "//go:build never",
    "package a",
    "func TestMain(m *testing.M) {}",
    "func TestA(t *testing.T) { t.Skip(`later`) }",
    'func TestB(t *testing.T) { if add(1) != 2 { t.Errorf("no %d", 1) } }',
    "func TestC(t *testing.T) { check(t, 1) }",
    "func TestD(t *testing.T) { add(1) // t.Fatal(",
    "}",
    'func TestE(t *testing.T) { t.Run("x", func(t *testing.T) { assert.Equal(t, 1, 2) }) }',
    "func Testing(x int) {}",
  ];
  expect(marks("a_test.go", text)).toEqual([
    "1 skip //go:build never",
    "4 skip t.Skip(",
    "4 no_assertion TestA",
    "7 no_assertion TestD",
  ]);
  expect(countTestsIn({ path: "a_test.go", text: text.join("\n") })).toBe(5);
});

test("Rust: ignore, conditions and tests that cannot fail", () => {
  const text = [
    "#[test]",
    '#[ignore = "slow"]',
    "fn a() { assert_eq!(1, 1); }",
    "#[test] #[should_panic] fn b() { add(1); }",
    "#[test]",
    "fn c<'a>() { let x: &'a str = \"assert!(\"; add('\"'); }",
    '#[cfg(feature = "slow")]',
    "#[test] fn d() { helper(1); }",
    "fn helper(x: i32) { assert!(x == 1); }",
    "/* #[ignore] */",
    "#[cfg(test)] mod tests {}",
    "#[tokio::test] async fn e() -> R { add(1)?; Ok(()) }",
  ];
  expect(marks("tests/a.rs", text)).toEqual([
    '2 skip #[ignore = "slow"]',
    "5 no_assertion c",
    '7 skip #[cfg(feature = "slow")]',
  ]);
  expect(countTestsIn({ path: "tests/a.rs", text: text.join("\n") })).toBe(5);
});

test("texts keep their length and lines when strings and comments are blanked", () => {
  const samples = [
    ["python", "a = '''x\ny''' # c\nb = \"\\\"\" + 'd'\nc = r'\\d'\n"],
    ["go", 'a := `x\ny` // c\nb := "\\"" + \'d\' /* e\n */\n'],
    ["rust", 'let a = r#"x"y\n"#; // c\nlet b: &\'a str = "\\""; let c = \'"\'; /* d */\n'],
  ] as const;
  for (const [language, text] of samples) {
    const { code } = readCode(text, language);
    expect([code.length, code.split("\n").length]).toEqual([text.length, text.split("\n").length]);
    expect(code).not.toMatch(/[cdexy]$|[xye](?!\w)(?!.*=)/m);
  }
});
