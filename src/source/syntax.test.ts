import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { newFolder } from "../../test/support/folder.ts";
import { loadParser } from "./syntax.ts";
import { inCi } from "../../test/verifies.ts";

test("JavaScript, TypeScript and JSX are parsed by their extension; other or invalid files are not", async () => {
  const parse = await loadParser();
  const read = (path: string, text: string) => parse(path, text)?.type ?? null;
  expect([
    read("a.mjs", "export const a = <p>1</p>;"),
    read("a.ts", "export const a = <string>b;"),
    read("a.tsx", "export const a: string = <p>1</p>;"),
    read("a.cts", "class A { @Dec() x!: string }"),
  ]).toEqual(["Program", "Program", "Program", "Program"]);
  expect([read("a.py", "a = 1"), read("a.js", "const a: string = 1;")]).toEqual([null, null]);
});

// As scripts/build.mjs does it: the parser is CommonJS, in a separate file.
inCi("the bundled program finds the parser too", async () => {
  const outdir = newFolder();
  onTestFinished(() => rm(outdir, { recursive: true }));
  const options = {
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    outExtension: { ".js": ".mjs" },
  } as const;
  await build({ ...options, entryPoints: { syntax: join(import.meta.dirname, "syntax.ts") }, outdir });
  const bundled = (await import(pathToFileURL(join(outdir, "syntax.mjs")).href)) as {
    readonly loadParser: typeof loadParser;
  };
  const parse = await bundled.loadParser();
  expect(parse("a.ts", "export const a: number = 1;")?.type).toBe("Program");
});
