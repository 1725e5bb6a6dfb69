/** The agents that the repository defines for areas of its own (ENV-85). */
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Where it defines none, or for an area that has none. */
export const shippedSurveyor = "surveyor";

/** Mettle's own are no specialists of an area. */
const shipped: ReadonlySet<string> = new Set([shippedSurveyor, "worker"]);

export async function specialistsHere(root: string): Promise<readonly string[]> {
  // No folder: it defines none.
  const files = await readdir(join(root, ".claude", "agents")).catch(() => [] as string[]);
  const names = files.flatMap((file) => (file.endsWith(".md") ? [file.slice(0, -".md".length)] : []));
  return [...names.filter((name) => !shipped.has(name)).toSorted(), shippedSurveyor];
}
