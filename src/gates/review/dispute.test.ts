import { expect, test } from "vitest";
import { checkDispute, disputedTests } from "./dispute.ts";

const required = ["test/a.test.js::FR1 adds", "test/a.test.js::FR2 counts", "test/b.test.js::EC1 is empty"];

test("a disputed test is recognised by its id, its title or its criterion", () => {
  expect(disputedTests("test/b.test.js::EC1 is empty asks for null", required)).toEqual([required[2]]);
  expect(disputedTests('"FR2 counts" contradicts FR1', required)).toEqual([required[1]]);
  expect(disputedTests("the test of EC1 is wrong", required)).toEqual([required[2]]);
  expect(disputedTests("the tests are wrong", required)).toEqual([]);
});

test("the answer may rename or change the disputed test, and no other", () => {
  const facts = { disputed: [required[1] ?? ""], before: required, changed: ["test/a.test.js"] };
  const renamed = [required[0] ?? "", "test/a.test.js::FR2 counts from one", required[2] ?? ""];
  expect(checkDispute(facts, renamed)).toMatchObject({ verdict: "pass" });
  expect(checkDispute({ ...facts, changed: ["test/a.test.js", "test/b.test.js"] }, required).reason).toBe(
    "only the disputed test may change (test/a.test.js::FR2 counts); also changed: test/b.test.js",
  );
  expect(checkDispute(facts, [required[1] ?? "", required[2] ?? ""])).toMatchObject({
    verdict: "fail",
    reason:
      "only the disputed test may change (test/a.test.js::FR2 counts); removed: test/a.test.js::FR1 adds",
    tests: ["test/a.test.js::FR1 adds"],
  });
});

test("if no test was named, none can be identified", () => {
  expect(checkDispute({ disputed: [], before: required, changed: ["test/b.test.js"] }, [])).toMatchObject({
    verdict: "pass",
  });
});
