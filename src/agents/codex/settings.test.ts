import { expect, test } from "vitest";
import { modelOf } from "./argv.ts";
import { sandboxOf } from "./settings.ts";
import { tomlOf } from "./toml.ts";

test.each([
  [[], "read-only"],
  [["Read", "Grep"], "read-only"],
  [["Read", "Write"], "workspace-write"],
  [["Edit"], "workspace-write"],
  [["Read", "Bash"], "danger-full-access"],
] as const)("the tools %j select the sandbox %s", (tools, sandbox) => {
  expect(sandboxOf(tools)).toBe(sandbox);
});

test("no path or value can break out of its line in the settings", () => {
  const settings = {
    on: true,
    list: ['a"b', "c\nd"],
    inner: { "/a b.c": { level: 3 }, plain_key: "\u007f" },
  };
  expect(tomlOf(settings)).toBe(
    [
      "on = true",
      String.raw`list = ["a\"b", "c\nd"]`,
      String.raw`inner = { "/a b.c" = { level = 3 }, plain_key = "\u007f" }`,
      "",
    ].join("\n"),
  );
});

test("a template's model of another vendor is ignored", () => {
  expect(modelOf("opus", null)).toBeNull();
  expect(modelOf("opus", "gpt-5.5")).toBe("gpt-5.5");
  expect(modelOf("gpt-5.5-mini", "gpt-5.5")).toBe("gpt-5.5-mini");
});
