/** The page's own code, as it is built, and a list of many lines. */
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { readPageFiles } from "../../src/ui/page-files.ts";
import { linesOfDiff, linesOfText } from "../../src/page/app/lines.ts";

test("the page's own code is at most 250 kB compressed", () => {
  const folder = packageRoot("dist", "page");
  const files = readPageFiles(folder, "1");
  const names = [...readdirSync(folder), "", "page.css"];
  const sizes = names.map(
    (name) => gzipSync(files.file(name)?.text ?? readFileSync(`${folder}/${name}`)).length,
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000);
  expect(names).toContain("page.js");
});

test("only `mettle ui` loads the server of the page", () => {
  const folder = packageRoot("dist", "bin");
  const texts = new Map(
    readdirSync(folder)
      .filter((name) => /[.]c?js$/u.test(name))
      .map((name) => [name, readFileSync(`${folder}/${name}`, "utf8")]),
  );
  const importers = new Map<string, string[]>();
  for (const [name, text] of texts)
    for (const [, file = ""] of text.matchAll(/(?:from|import|require\()"[.]\/([^"]+)"/gu))
      importers.set(file, [...(importers.get(file) ?? []), name]);
  // A sentence of the server, in whichever file the build has put it.
  const loaders = new Set(
    [...texts].flatMap(([name, text]) => (text.includes("it is not loaded ahead of time") ? [name] : [])),
  );
  expect(loaders.size).toBeGreaterThan(0);
  for (const name of loaders) for (const importer of importers.get(name) ?? []) loaders.add(importer);
  expect([...loaders].filter((name) => !name.startsWith("chunk-"))).toEqual(["cli-commands-ui.js"]);
  expect(importers.size).toBeGreaterThan(50);
});

test("lines of a diff have their numbers before and after, whatever they look like", () => {
  const diff = [
    "diff --git a/src/a.js b/src/a.js",
    "index 1..2 100644",
    "--- a/src/a.js",
    "+++ b/src/a.js",
    "@@ -1,3 +1,3 @@ function f() {",
    " one",
    "--- two",
    "+++ three",
    " \u001b[31mfour\u202e",
    "\\ No newline at end of file",
    "",
  ].join("\n");
  expect(linesOfDiff(diff)).toEqual([
    { text: "src/a.js", kind: "file", place: null, before: null, after: null },
    { text: "@@ -1,3 +1,3 @@ function f() {", kind: "hunk", place: null, before: null, after: null },
    { text: "one", kind: "plain", place: { file: "src/a.js", line: 1, side: "after" }, before: 1, after: 1 },
    {
      text: "-- two",
      kind: "removed",
      place: { file: "src/a.js", line: 2, side: "before" },
      before: 2,
      after: null,
    },
    {
      text: "++ three",
      kind: "added",
      place: { file: "src/a.js", line: 2, side: "after" },
      before: null,
      after: 2,
    },
    {
      text: "four·",
      kind: "plain",
      place: { file: "src/a.js", line: 3, side: "after" },
      before: 3,
      after: 3,
    },
  ]);
  expect(linesOfText("a\nb\n", "spec.md").map(({ place }) => place?.line)).toEqual([1, 2]);
});
