import { expect, test } from "vitest";
import { bankStates } from "./bank-state.ts";
import { memoryPath } from "./files.ts";
import { regionOf } from "./region.ts";

const stateOf = (number: 4 | 6, text: string) => {
  const path = memoryPath(number);
  const found = bankStates([{ path, text }]).find((file) => file.path === path);
  return [found?.state, found?.text];
};

test("the part of a run is filled when a run wrote it, edited when somebody changed it, and shown without its markers", () => {
  const written = `# Active Context\n\n${regionOf("- plan_approved: true")}\n`;
  expect(stateOf(4, written)).toEqual(["filled", "# Active Context\n\n- plan_approved: true\n"]);
  expect(stateOf(4, written.replace("true", "false"))).toEqual([
    "edited",
    "# Active Context\n\n- plan_approved: false\n",
  ]);
});

test("a file of headings, hints and comments is empty, one with a pattern is not", () => {
  expect(stateOf(4, "# Active Context\n\n<!-- write\nhere -->\n")[0]).toBe("empty");
  expect(stateOf(6, "# db/ is a folder\n")[0]).toBe("empty");
  expect(stateOf(6, "# db/ is a folder\ndb/\n")[0]).toBe("filled");
});
