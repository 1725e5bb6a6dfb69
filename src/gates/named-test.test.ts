import { expect, test } from "vitest";
import { unknownTests } from "./named-test.ts";

const ids = [
  "test/cart.test.js::cart::AC-1: adds up two items",
  "test/cart.test.js::AC-2: `includes` tax#2",
  "tests/test_cart.py::TestCart::test_adds[1-2]",
  "cart/cart_test.go::TestAdds/two",
];

test("a test is recognised by its id, its title and the path of its suites, as a runner prints them (fault E16)", () => {
  const honest = [
    ...ids,
    "AC-1: adds up two items",
    "cart > AC-1: adds up two items",
    "cart AC-1: adds up  two items",
    "./test/cart.test.js::cart::AC-1: adds up two items",
    "✔ AC-1: adds up two items",
    "`AC-1: adds up two items`",
    "AC-2: `includes` tax",
    "test_adds",
    "test_adds[1-2]",
    "tests/test_cart.py::TestCart::test_adds",
    "TestCart.test_adds",
    "TestAdds/two",
  ];
  expect(unknownTests(honest, ids)).toEqual([]);
});

test("names of no executed test are unknown: another title, a part of one, a file, an empty name", () => {
  const wrong = ["AC-7: more", "adds up", "test/cart.test.js", "test_add", "12 tests", ""];
  expect(unknownTests(wrong, ids)).toEqual(wrong);
  expect(unknownTests(["AC-1: adds up two items"], [])).toEqual(["AC-1: adds up two items"]);
});
