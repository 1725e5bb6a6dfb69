/** Looks for faults that keep people from using a page, by axe-core. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const axeFile = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** The serious faults, each with the first element that has it. */
export async function seriousFaults(page: Page): Promise<readonly string[]> {
  // As the debugger evaluates it, since the page's policy lets no other script in.
  await page.evaluate(await readFile(axeFile, "utf8"));
  const { violations } = await page.evaluate<AxeResults>("axe.run(document)");
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200) ?? ""}`);
}
