/**
 * The pictures of the README are made from real runs by `scripts/pictures.mjs`, and show what a run prints today.
 * @module-tag ci
 */
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { newFolder } from "../support/folder.ts";

const hasScript =
  spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes("util-linux") === true;
if (!hasScript) console.warn("SKIPPED: script(1) of util-linux is needed to make a terminal");
const kept = packageRoot("docs/pictures");

test.skipIf(!hasScript)(
  "show what the demo prints today, as text in small files",
  () => {
    const made = newFolder();
    execFileSync(process.execPath, [packageRoot("scripts/pictures.mjs"), "terminal", "--out", made], {
      timeout: 290_000,
    });
    const names = ["narrow", "proven", "refused", "waiting"].map((name) => `terminal-${name}.svg`);
    expect([
      readdirSync(made).toSorted(),
      readdirSync(kept)
        .filter((name) => name.startsWith("terminal-"))
        .toSorted(),
    ]).toEqual([names, names]);
    for (const name of names) {
      expect(textOf(join(made, name)), `${name} is stale: node scripts/pictures.mjs`).toEqual(
        textOf(join(kept, name)),
      );
      expect(statSync(join(kept, name)).size).toBeLessThan(60_000);
    }
  },
  300_000,
);

/** The lines of a picture, without what differs between two runs. */
test("the pictures of the page are small", () => {
  const names = readdirSync(kept).filter((name) => name.endsWith(".webp"));
  expect(names.toSorted()).toEqual(["dark", "decision", "phone", "tree"].map((name) => `page-${name}.webp`));
  for (const name of names) expect([name, statSync(join(kept, name)).size < 150_000]).toEqual([name, true]);
});

function textOf(file: string): readonly string[] {
  const lines = [...readFileSync(file, "utf8").matchAll(/<text [^>]*>(.*)<\/text>/gu)].map(([, spans = ""]) =>
    [...spans.matchAll(/<tspan [^>]*>([^<]*)<\/tspan>/gu)].map(([, text = ""]) => text).join(" "),
  );
  expect(lines.length).toBeGreaterThan(30);
  const run = /run (\w{6}) /u.exec(lines.join("\n"))?.[1] ?? "";
  return lines.map((line) =>
    line
      .replaceAll(run, "RUN")
      .replaceAll(/\b[0-9a-f]{12,40}\b|\b[0-9a-f]{8,}$/gu, "COMMIT")
      .replaceAll(/RUN\/\d+|\d+ more lines|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/gu, "…")
      .replaceAll(/ +(?:\d+\.\d|\d+)s(?= |$)/gu, " TIME"),
  );
}
