import { expect, test } from "vitest";
import { testsOf } from "./criteria.ts";

test("a criterion is covered by its id in a title or by a planned title that exists", () => {
  const covered = testsOf({
    criteria: ["FR1", "FR-2", "EC1", "ERR1", "FR10"],
    tests: [
      "tests/a.js::add::FR1 adds",
      "tests/a.js::FR2: more#2",
      "tests/a.js::add::empty input",
      "tests/FR10.js::other, XFR10 and FR100",
    ],
    plan: { EC1: ["Empty  input"], ERR1: ["never written"] },
  });
  expect(covered).toEqual({
    FR1: ["tests/a.js::add::FR1 adds"],
    "FR-2": ["tests/a.js::FR2: more#2"],
    EC1: ["tests/a.js::add::empty input"],
    ERR1: [],
    FR10: [],
  });
});

test("a criterion may appear in a function name, in each language's style", () => {
  const tests = [
    "tests/test_a.py::test_fr1_adds[2-3]",
    "tests/test_a.py::TestCart::test_adds_nothing_ec_2",
    "a/a_test.go::TestFR3Adds",
    "tests/a.rs::err4_refuses",
    "tests/a.rs::refuses_nothing",
    "tests/a.rs::transfer1_goes",
  ];
  const criteria = ["FR1", "EC2", "FR3", "ERR4", "FR5"];
  expect(testsOf({ criteria, tests, plan: { FR5: ["refuses nothing"] } })).toEqual({
    FR1: [tests[0]],
    EC2: [tests[1]],
    FR3: [tests[2]],
    ERR4: [tests[3]],
    FR5: [tests[4]],
  });
});

test("an id of a plan appears in a title as written, or in a function name as words", () => {
  const covered = testsOf({
    criteria: ["C1-1", "adds", "v1.2", "Q_3"],
    tests: [
      "tests/a.js::C1-1 is two",
      "tests/a.js::C1-10 is not it, nor XC1-1",
      "tests/a.js::says v1.2.",
      "tests/a.js::says v1.23",
      "tests/test_a.py::test_c1_1_twice",
      "tests/a_test.go::TestQ3",
      "tests/test_a.py::test_q_3",
      "tests/adds.js::other",
    ],
    plan: {},
  });
  expect(covered).toEqual({
    "C1-1": ["tests/a.js::C1-1 is two", "tests/test_a.py::test_c1_1_twice"],
    adds: [],
    "v1.2": ["tests/a.js::says v1.2."],
    Q_3: ["tests/test_a.py::test_q_3"],
  });
});

test("each case of a parametrised test covers the criterion of its test (fault R10)", () => {
  const tests = [
    "tests/test_a.py::test_fr1_adds[1-2]",
    "tests/test_a.py::test_adds_empty[a::b]",
    "tests/test_a.py::Cart::test_refuses[x y]",
    "cart_test.go::TestRounds::half_up",
    "a.test.js::keeps order::of 2",
  ];
  const plan = { EC1: ["adds empty"], EC2: ["test_refuses"], ERR1: ["TestRounds"], FR2: ["keeps order"] };
  expect(testsOf({ criteria: ["FR1", "EC1", "EC2", "ERR1", "FR2"], tests, plan })).toEqual({
    FR1: [tests[0]],
    EC1: [tests[1]],
    EC2: [tests[2]],
    ERR1: [tests[3]],
    FR2: [tests[4]],
  });
});
