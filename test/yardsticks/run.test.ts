// @module-tag ci
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { quixbugsFolder, solutionsFolder } from "./made-up.ts";

test("a made-up QuixBugs is measured by real proofs, and its folder stays as it is", async () => {
  const folder = quixbugsFolder();
  const before = readdirSync(folder, { recursive: true });
  const { stdout } = await promisify(execFile)(process.execPath, [
    "bench/yardsticks/run.mjs",
    "quixbugs",
    folder,
  ]);
  const [head = "", , ...table] = stdout.split("\n");
  expect(head).toMatch(
    /^QuixBugs \(no repository\), Mettle \S+ \(\w{40}, [\d-]+\), Node [\d.]+: `node bench\/yardsticks\/run\.mjs quixbugs FOLDER`\.$/,
  );
  expect(table.join("\n")).toBe(`\
| Variant | Expected | Cases | As expected | Otherwise | Inconclusive | Special-casing named | Tests | Pass already |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
| correction | accepted | 1 | 1 | 0 | 0 | 0 | 2 | 0 |
| no change | refused | 1 | 1 | 0 | 0 | 0 | 2 | 0 |

Every case is as expected.
`);
  expect(readdirSync(folder, { recursive: true })).toEqual(before);
});

test("a made-up set of solutions: the tailored one is refused and named, one that is none is left out", async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    "bench/yardsticks/run.mjs",
    "solutions",
    solutionsFolder(),
  ]);
  expect(stderr).toContain("tailored | tailored 2 train_1 | left out: fails its own tests\n");
  expect(stderr).toContain("tailored | tailored 3 train_1 | left out: answers like the reference\n");
  expect(stdout.split("\n").slice(2).join("\n")).toBe(`\
| Variant | Expected | Cases | As expected | Otherwise | Inconclusive | Special-casing named | Tests | Pass already |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
| tailored | refused | 1 | 1 | 0 | 0 | 1 | 6 | 0 |
| honest | accepted | 1 | 1 | 0 | 0 | 0 | 6 | 0 |

Every case is as expected.
`);
});
