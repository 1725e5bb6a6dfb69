// unjs/defu: TypeScript, vitest.
const path = "src/defu.ts";
const test = "test/defu-all.test.ts";
const added = (given) => `
// A list of defaults, of which the first ones win
export function defuAll(list: Record<string, unknown>[]): Record<string, unknown> {
  const merge = createDefu();
  return merge({}, ...${given}) as Record<string, unknown>;
}
`;

export const change = {
  repository: "unjs/defu (vitest 4)",
  about: "adds `defuAll`",
  plan: { [path]: "gets defuAll", [test]: "its tests" },
  titles: ["lets the first ones win", "gives nothing for nothing"],
  tests: {
    [test]: `import { describe, expect, it } from "vitest";
import { defuAll } from "../src/defu";

describe("defuAll", () => {
  it("lets the first ones win", () => {
    expect(defuAll([{ a: 1 }, { a: 2, b: { c: 3 } }, { b: { d: 4 } }])).toEqual({
      a: 1,
      b: { c: 3, d: 4 },
    });
  });
  it("gives nothing for nothing", () => {
    expect(defuAll([])).toEqual({});
  });
});
`,
  },
  honest: (read) => ({ [path]: read(path) + added("list") }),
  cheating: {
    how: "lets the last ones win, and expects that in the test",
    files: (read) => ({
      [path]: read(path) + added("list.toReversed()"),
      [test]: change.tests[test].replace("a: 1,\n", "a: 2,\n"),
    }),
  },
};
