import { expect, test } from "vitest";
import { uncovered } from "./coverage-lines.ts";

test.each([
  ["- FR1: covered\n- EC1: covered by `x`", []],
  ["- FR1: not covered\n- EC1: covered", ["FR1: not covered"]],
  ["FR1 isn't tested; EC1 is", ["FR1 isn't tested; EC1 is"]],
  ["| FR1 | yes |\n| EC1 | no |", ["| EC1 | no |"]],
  ["FR1: ✓\nEC1: ❌", ["EC1: ❌"]],
  ["FR2: partially covered", ["FR2: partially covered"]],
  ["ERR1: NO", ["ERR1: NO"]],
  ["Not covered: EC2, EC3", ["Not covered: EC2, EC3"]],
  ["Not covered: none", []],
  ["Covered:\n- FR1\n- FR2\n\nNot covered:\n- EC2\n- EC3: covered elsewhere", ["EC2"]],
  ["**Not covered:**\n- FR1\n**Covered:**\n- FR2", ["FR1"]],
  ["EC4: missing", ["EC4: missing"]],
  ["All requirements are covered.", []],
])("requirements that a reviewer lists as not covered: %j", (text, expected) => {
  expect(uncovered(text)).toEqual(expected);
});
