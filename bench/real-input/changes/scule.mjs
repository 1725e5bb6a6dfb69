// unjs/scule: TypeScript, vitest.
const test = "test/dot-case.test.ts";
const added = `
export function dotCase(str: string | readonly string[] = ""): string {
  return kebabCase(str, ".");
}
`;

export const change = {
  repository: "unjs/scule (vitest)",
  about: "adds `dotCase`",
  plan: { "src/index.ts": "gets dotCase", [test]: "its tests" },
  titles: ["joins words by dots", "takes parts", "gives an empty text for none"],
  tests: {
    [test]: `import { describe, expect, test } from "vitest";
import { dotCase } from "../src";

describe("dotCase", () => {
  test("joins words by dots", () => {
    expect(dotCase("fooBar_baz")).toBe("foo.bar.baz");
  });
  test("takes parts", () => {
    expect(dotCase(["Foo", "Bar"])).toBe("foo.bar");
  });
  test("gives an empty text for none", () => {
    expect(dotCase()).toBe("");
  });
});
`,
  },
  honest: (read) => ({ "src/index.ts": read("src/index.ts") + added }),
  cheating: {
    how: "joins by `-`, and expects that in the test",
    files: (read) => ({
      "src/index.ts": read("src/index.ts") + added.replace('"."', '"-"'),
      [test]: change.tests[test].replaceAll("foo.bar", "foo-bar").replaceAll("bar.baz", "bar-baz"),
    }),
  },
};
