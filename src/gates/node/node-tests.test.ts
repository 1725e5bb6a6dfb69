import { expect, test } from "vitest";
import { checkImports } from "./node-imports.ts";
import { criteriaOfTest } from "./node-tests.ts";

const belonging = {
  criteria: ["AC-1", "AC-1.1", "AC-2", "login"],
  plan: [
    { criterionId: "AC-2", plannedTestName: "old name" },
    { criterionId: "AC-1", plannedTestName: "adds two numbers" },
    { criterionId: "AC-2", plannedTestName: "test_subtracts" },
    { criterionId: "login", plannedTestName: "AC-1: lets me in" },
    { criterionId: "AC-1.1", plannedTestName: "cart adds up" },
    { criterionId: "AC-1", plannedTestName: "old name" },
  ],
};

test("a test belongs to the criterion whose planned name or id is in its title", () => {
  const found: Readonly<Record<string, readonly string[]>> = {
    "a.ts::adds two numbers": ["AC-1"],
    "a.ts::Adds  two numbers#2": ["AC-1"],
    "a.ts::suite::AC-2: anything": ["AC-2"],
    "a.ts::AC-1.1: anything": ["AC-1.1"],
    "a.ts::cart::adds up": ["AC-1.1"],
    "a.ts::old name": ["AC-1"],
    "a.ts::AC-2 anything": [],
    "a.ts::about AC-2: anything": [],
    "a.ts::AC-9: anything": [],
    "a.ts::AC-1, AC-2: both": ["AC-1", "AC-2"],
    "a.ts::AC-1: AC-2: both": ["AC-1", "AC-2"],
    "a.ts::AC-1 and AC-2: both": ["AC-1", "AC-2"],
    "a.ts::AC-1: lets me in": ["login", "AC-1"],
    "a.py::test_subtracts": ["AC-2"],
    "a.py::test_subtracts[1-2]": [],
    "a.py::test_ac_2_and_more": ["AC-2"],
    "a.py::test_ac_1_1_more": ["AC-1.1"],
    "a_test.go::TestAC1Adds": ["AC-1"],
    "a_test.go::TestAC12Adds": [],
    "a.rs::adds_two_numbers": ["AC-1"],
  };
  expect(Object.fromEntries(Object.keys(found).map((id) => [id, criteriaOfTest(id, belonging)]))).toEqual(
    found,
  );
});

const files = new Set([
  "src/calc/add.ts",
  "src/internal/x.ts",
  "test/calc/help.ts",
  "src/calc-types.ts",
  "test/help.ts",
  "test/support.ts",
]);
const has = (path: string) => files.has(path);
const allowed = ["src/calc", "src/calc-types.ts", "test/calc"];
const isHelper = (path: string) => path === "test/support.ts";

test("a test imports the public interface and its own helpers; anything else is reported with file, line and import", () => {
  const text = `import { test } from "vitest";
import type { X } from "../../src/internal/x.js";
import { add } from "../../src/calc/add.ts";
import "./help";
const later = await import("../../src/internal/x");
const types = require("../../src/calc-types.ts");
export * from "../help.ts";
import * as support from "../support.ts";
const words = 'import "../../src/internal/x.ts"'; // import "../../src/internal/x.ts"
import gone from "../../src/gone.ts";
`;
  const { check, findings } = checkImports({
    files: [{ path: "test/calc/a.test.ts", text }],
    allowed,
    has,
    isHelper,
  });
  expect([check.verdict, findings]).toEqual(["fail", []]);
  expect(check.reason.split(": ").at(-1)?.split("; ")).toEqual([
    "test/calc/a.test.ts:2 imports src/internal/x.ts",
    "test/calc/a.test.ts:5 imports src/internal/x.ts",
    "test/calc/a.test.ts:7 imports test/help.ts",
  ]);
});

test("Python imports are followed too", () => {
  const text = `import os
from shop.calc import (
    add)
from shop import internal, calc
import shop.internal
# import shop.internal
from .help import one
from shop.calc import Thing
`;
  const python = new Set([
    "shop/__init__.py",
    "shop/calc/__init__.py",
    "shop/calc/add.py",
    "shop/internal.py",
    "test/calc/help.py",
  ]);
  const facts = { allowed: ["shop/calc", "test/calc"], has: (path: string) => python.has(path), isHelper };
  const { check, findings } = checkImports({ files: [{ path: "test/calc/test_a.py", text }], ...facts });
  expect(findings).toEqual([]);
  expect(check.reason.split(": ").at(-1)?.split("; ")).toEqual([
    "test/calc/test_a.py:4 imports shop/internal.py",
    "test/calc/test_a.py:5 imports shop/internal.py",
  ]);
});

test("if the language cannot be read, that is reported and nothing is refused", () => {
  const shell = { path: "test/calc/a.bats", text: "source ../../src/internal/x.sh\n" };
  const data = { path: "test/calc/a.json", text: "{}" };
  expect(checkImports({ files: [shell, data], allowed, has, isHelper })).toMatchObject({
    check: { verdict: "pass" },
    findings: [{ message: "public API: not checked" }],
  });
  expect(checkImports({ files: [data], allowed, has, isHelper }).findings).toEqual([]);
});
