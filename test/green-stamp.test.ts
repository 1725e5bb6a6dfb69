import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect } from "vitest";
import { newFolder } from "./support/folder.ts";
import { inCi } from "./verifies.ts";

/** `npm run check` skips the suite only when `npm test` passed on exactly this tree (scripts/setup/tree.mjs). */
let folder = "";
beforeEach(() => {
  folder = newFolder();
  cpSync("scripts/setup", join(folder, "scripts/setup"), { recursive: true });
  execFileSync("git", ["init", "-q", folder]);
  writeFileSync(join(folder, ".gitignore"), ".mettle-build/\nignored\n");
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "src/a.ts"), "1\n");
  execFileSync("git", ["-C", folder, "add", "."]);
});

function stamp(expression: string): string {
  const program = `import * as tree from "./scripts/setup/tree.mjs"; process.stdout.write(String(${expression}));`;
  return execFileSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: folder,
    encoding: "utf8",
  });
}

const isGreen = "tree.greenSince() !== null";

inCi("the stamp is valid only for this tree: tracked, untracked, deleted and executable files count", () => {
  expect(stamp(isGreen)).toBe("false");
  stamp("tree.recordGreen(tree.treeHash())");
  expect(stamp(isGreen)).toBe("true");

  writeFileSync(join(folder, "ignored"), "x");
  expect(stamp(isGreen)).toBe("true");

  const changes: readonly (readonly [() => void, () => void])[] = [
    [
      () => writeFileSync(join(folder, "src/a.ts"), "2\n"),
      () => writeFileSync(join(folder, "src/a.ts"), "1\n"),
    ],
    [() => writeFileSync(join(folder, "new.ts"), ""), () => rmSync(join(folder, "new.ts"))],
    [() => rmSync(join(folder, "src/a.ts")), () => writeFileSync(join(folder, "src/a.ts"), "1\n")],
    [
      () => execFileSync("chmod", ["+x", join(folder, "src/a.ts")]),
      () => execFileSync("chmod", ["-x", join(folder, "src/a.ts")]),
    ],
  ];
  for (const [change, back] of changes) {
    change();
    expect(stamp(isGreen)).toBe("false");
    back();
    expect(stamp(isGreen)).toBe("true");
  }
});

inCi("the stamp expires after an hour, and an incomplete one is invalid", () => {
  stamp("tree.recordGreen(tree.treeHash())");
  const file = join(folder, ".mettle-build/green.json");
  const whole = readFileSync(file, "utf8");
  const { tree } = JSON.parse(whole) as { tree: string };
  writeFileSync(file, JSON.stringify({ tree, at: Date.now() - 61 * 60_000 }));
  expect(stamp(isGreen)).toBe("false");
  writeFileSync(file, whole.slice(0, -5));
  expect(stamp(isGreen)).toBe("false");
});
