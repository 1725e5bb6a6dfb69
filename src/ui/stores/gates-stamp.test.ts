import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder } from "../../../test/support/folder.ts";
import { gatesStamp } from "./gates-stamp.ts";

test("the stamp changes when a gate is opened or answered, and only then", () => {
  const folder = newFolder();
  const seen = [gatesStamp(folder)];
  const gates = join(folder, ".claude/plans/feature-prices/user_feedback");
  mkdirSync(gates, { recursive: true });
  writeFileSync(join(folder, ".claude/plans/.gitignore"), "*");
  seen.push(gatesStamp(folder));
  writeFileSync(join(gates, "new"), "done: false\n");
  renameSync(join(gates, "new"), join(gates, "1_testing.yaml"));
  seen.push(gatesStamp(folder));
  expect(gatesStamp(folder)).toBe(seen.at(-1));
  rmSync(join(gates, "1_testing.yaml"));
  seen.push(gatesStamp(folder));
  expect(new Set(seen).size).toBe(4);
  expect(gatesStamp(null)).toBe("");
});
