import { expect, test } from "vitest";
import { testCommand } from "./test-command.ts";

test("the prompt has the test command of the repository, or of each package with its folder", () => {
  expect(testCommand({ runner: "vitest" })).toBe("npx vitest run");
  expect(testCommand({ packages: { web: "jest", "tools/report": "pytest", e2e: "none" } })).toBe(
    "npx jest (in web); python3 -m pytest (in tools/report)",
  );
  expect(testCommand({ runner: "go", packages: { web: "mocha" } })).toBe("go test ./...; npx mocha (in web)");
  expect(testCommand({})).toBeUndefined();
});
