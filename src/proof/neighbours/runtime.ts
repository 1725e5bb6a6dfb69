/** The code that control copies contain to try neighbouring inputs in their own process. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { newId } from "../../lib/ids.ts";
import type { BodyList, NeighbourRuntime } from "../../source/neighbours/assertion.ts";

interface CopyPlace {
  /** The package. */
  readonly folder: string;
  readonly runner: string;
  /** Whether no other file of the package is copied after this one. */
  readonly isLast: boolean;
}

export async function neighbourRuntimes(): Promise<(place: CopyPlace) => NeighbourRuntime> {
  const [script, python] = await Promise.all(["neighbours.mjs", "neighbours.py"].map(textOf));
  const lists = new Map<string, BodyList>();
  return ({ folder, runner, isLast }) => {
    // Mocha loads all files into one process: bodies that run early could change what later tests see.
    const isShared = runner === "mocha";
    const before = isShared ? lists.get(folder) : undefined;
    const list: BodyList = {
      name: before?.name ?? `list_${newId()}`,
      mark: before?.mark ?? newId(),
      firstSite: before === undefined ? 0 : before.firstSite + sitesOfFile,
      isLast: !isShared || isLast,
    };
    lists.set(folder, list);
    return { script: script ?? "", python: python ?? "", limits, list };
  };
}

/** More assertions than a file contains. */
const sitesOfFile = 100_000;

/** Of one body, of one test file, and for each literal. */
const limits = { runMs: 50, totalMs: 600, neighbours: 6 };

/** A plain file beside this module, which is never bundled. */
function textOf(name: string): Promise<string> {
  return readFile(fileURLToPath(new URL(name, import.meta.url)), "utf8");
}
