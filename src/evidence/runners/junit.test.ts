import { expect, test } from "vitest";
import { junit } from "./junit.ts";
import { bun } from "./bun.ts";
import type { TestReport } from "../test-result.ts";

const parse = (report: string, files: readonly string[], more: object = {}): TestReport =>
  junit.parse({ exitCode: 1, stdout: "", stderr: "", report, project: "/p", files, ...more });
const shown = ({ tests }: TestReport) => tests.map(({ id, status, kind }) => `${status} ${kind ?? ""} ${id}`);

const phpunit = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites><testsuite name="/p/tests"><testsuite name="CartTest" file="/p/tests/CartTest.php">
<testcase name="testAdds" class="CartTest" classname="CartTest" file="/p/tests/CartTest.php" line="5" assertions="1"/>
<testcase name="testFails" classname="CartTest" file="/p/tests/CartTest.php" assertions="1">
<failure type="PHPUnit\\Framework\\ExpectationFailedException">CartTest::testFails
Failed asserting that 1 is identical to 3.

/p/tests/CartTest.php:6</failure></testcase>
<testcase name="testThrows" classname="CartTest" file="/p/tests/CartTest.php" assertions="0">
<error type="RuntimeException">CartTest::testThrows
RuntimeException: not implemented

/p/src/Cart.php:2
/p/tests/CartTest.php:7</error></testcase>
<testcase name="testSkips" classname="CartTest" file="/p/tests/CartTest.php"><skipped/></testcase>
<testcase name="testEmpty" classname="CartTest" file="/p/tests/CartTest.php" assertions="0"/>
</testsuite></testsuite></testsuites>`;

test("PHPUnit's classes, data and frames become results", () => {
  const report = parse(phpunit, ["tests/CartTest.php", "tests/OrderTest.php"]);
  expect(shown(report)).toEqual([
    "passed  tests/CartTest.php::testAdds",
    "failed assertion tests/CartTest.php::testFails",
    "failed not-implemented tests/CartTest.php::testThrows",
    "skipped  tests/CartTest.php::testSkips",
    "passed  tests/CartTest.php::testEmpty",
  ]);
  expect(report.tests[1]?.message).toBe("Failed asserting that 1 is identical to 3.");
  expect(report.tests[2]?.frames).toEqual(["src/Cart.php:2:1", "tests/CartTest.php:7:1"]);
  expect(report.problems).toEqual([
    { code: "no_assertion", file: "tests/CartTest.php", message: '"testEmpty" asserts nothing' },
    { code: "no_tests", file: "tests/OrderTest.php", message: "the report has no test of this file" },
  ]);
});

const surefire = (name: string, cases: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="shop.${name}">${cases}</testsuite>\n`;

test("Surefire's reports, one for each class, are joined; a class is the file with its name", () => {
  const text =
    surefire("CartTest", '<testcase name="adds" classname="shop.CartTest" time="0.01"/>') +
    surefire(
      "OrderTest",
      `<testcase name="totals" classname="shop.OrderTest"><failure message="expected: &lt;3&gt; but was: &lt;1&gt;" type="org.opentest4j.AssertionFailedError">org.opentest4j.AssertionFailedError: expected
	at shop.OrderTest.totals(OrderTest.java:9)</failure></testcase>
<testcase name="pays" classname="shop.OrderTest"><error message="not implemented" type="java.lang.UnsupportedOperationException">java.lang.UnsupportedOperationException: not implemented
	at shop.Order.pay(Order.java:4)
	at shop.OrderTest.pays(OrderTest.java:12)</error></testcase>
<testcase name="retries" classname="shop.OrderTest"><flakyFailure type="java.lang.AssertionError">once</flakyFailure></testcase>
<testcase name="x" classname="shop.Elsewhere"/>`,
    );
  const report = parse(text, ["src/test/java/shop/CartTest.java", "src/test/java/shop/OrderTest.java"]);
  expect(shown(report)).toEqual([
    "passed  src/test/java/shop/CartTest.java::adds",
    "failed assertion src/test/java/shop/OrderTest.java::totals",
    "failed not-implemented src/test/java/shop/OrderTest.java::pays",
    "failed assertion src/test/java/shop/OrderTest.java::retries",
  ]);
  expect(report.tests[2]?.frames).toEqual([
    "src/main/java/shop/Order.java:4:1",
    "src/test/java/shop/OrderTest.java:12:1",
  ]);
  expect(report.problems.map(({ code, message }) => `${code} ${message}`)).toEqual([
    'tests_not_executed the report names no file for "x", and no test file is called shop.Elsewhere',
  ]);
});

test("what is no whole report is none", () => {
  for (const text of ["", "ok", "<testsuites>", "<html/>", `${phpunit}\n<?xml version="1.0"?><testsuite>`])
    expect([text.slice(-20), parse(text, []).report]).toEqual([text.slice(-20), false]);
});

test("the command gets the files and the report's path, and reports in the project are joined", () => {
  const request = {
    entry: null,
    project: "/p",
    files: ["tests/A b.php"],
    report: "/r's",
    shuffle: false,
    timeoutMs: 1,
  };
  const own = { command: "phpunit --log-junit {report} {files}" };
  expect(junit.argv({ ...request, junit: own })).toEqual([
    "-c",
    `phpunit --log-junit '/r'\\''s' "$@"`,
    "sh",
    "tests/A b.php",
  ]);
  const [, script = ""] = junit.argv({
    ...request,
    junit: { command: "mvn -o test", reports: "target/*.xml" },
  });
  expect(script.split("\n")).toEqual([
    "rm -f -- target/*.xml",
    "(",
    "mvn -o test",
    ")",
    "status=$?",
    `for one in target/*.xml; do if [ -f "$one" ]; then cat -- "$one"; echo; fi; done > '/r'\\''s'`,
    'exit "$status"',
  ]);
});

test("bun's errors of loading are read from its output, and its assertions from the text", () => {
  const report = `<?xml version="1.0"?>
<testsuites name="bun test"><testsuite name="tests/cart.test.js" file="tests/cart.test.js">
<testsuite name="cart" file="tests/cart.test.js"><testcase name="adds" classname="cart" file="tests/cart.test.js" assertions="1"/></testsuite>
<testcase name="throws" classname="" file="tests/cart.test.js" assertions="0"><failure type="TypeError" message="x is &lt;bad&gt;">TypeError: x is &lt;bad&gt;
      at total (src/cart.js:2:62)
      at tests/cart.test.js:4:24
</failure></testcase>
<testcase name="todo" classname="" file="tests/cart.test.js" assertions="0"><skipped message="TODO" /></testcase>
<testcase name="empty" classname="" file="tests/cart.test.js" assertions="0" /></testsuite></testsuites>`;
  const stderr = `bun test v1.4.5

tests/load.test.js:

# Unhandled error between tests
-------------------------------
error: Cannot find module '../src/none.js' from '/p/tests/load.test.js'
-------------------------------
`;
  const files = ["tests/cart.test.js", "tests/load.test.js"];
  const read = (text: string) =>
    bun.parse({
      exitCode: 1,
      stdout: "",
      stderr,
      report,
      project: "/p",
      files,
      texts: new Map([[files[0] ?? "", text]]),
    });
  const found = read("");
  expect(shown(found)).toEqual([
    "passed  tests/cart.test.js::cart::adds",
    "failed other-throw tests/cart.test.js::throws",
    "todo  tests/cart.test.js::todo",
    "passed  tests/cart.test.js::empty",
  ]);
  expect(found.tests[1]?.frames).toEqual(["src/cart.js:2:62", "tests/cart.test.js:4:24"]);
  expect(found.loadErrors).toEqual([
    {
      file: "tests/load.test.js",
      message: "Cannot find module '../src/none.js' from '/p/tests/load.test.js'",
    },
  ]);
  expect(found.problems.map(({ message }) => message)).toEqual(['"empty" asserts nothing']);
  expect(read('import assert from "node:assert";').problems).toEqual([]);
});
