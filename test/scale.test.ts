// @module-tag ci
/** The tables of docs/scale.md are those of the simulation, from the measured figures in bench/results/scale.json. */
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import * as z from "zod";
import { simulateTree, tablesOf, trees, treeTable, type Table } from "../bench/scale-model.mjs";
import { randomTree, simulate } from "../src/families/graph/fixtures/makespan.ts";
import { protocolNamed } from "../src/kernel/fixtures/protocols.ts";
import { dice } from "../src/kernel/fixtures/tree/random.ts";
import { packageRoot } from "../src/config/package-root.ts";
import { sha256 } from "../src/lib/hash.ts";
import { verifies } from "./verifies.ts";
import { wide } from "./wide.ts";

const Tree = z.object({
  nodes: z.number(),
  slots: z.number(),
  dispatches: z.number(),
  makespan: z.number(),
  bound: z.number(),
  work: z.number(),
});
const stored = z
  .object({ inputs: z.unknown(), trees: z.array(Tree) })
  .parse(JSON.parse(readFileSync(packageRoot("bench/results/scale.json"), "utf8")));
const document = readFileSync(packageRoot("docs/scale.md"), "utf8");

/** The tables of a Markdown text, without the blanks that align their columns. */
function tablesIn(text: string): readonly Table[] {
  const blocks = text.match(/(?:^\|.*\n)+/gmu) ?? [];
  return blocks.map((block) => {
    const [head = [], , ...rows] = block
      .trim()
      .split("\n")
      .map((line) =>
        line
          .slice(1, -1)
          .split("|")
          .map((cell) => cell.trim()),
      );
    return { head, rows };
  });
}

verifies("SCL-12", "the document has the tables that the simulation makes of the measured figures", () => {
  expect(tablesIn(document)).toEqual([...tablesOf(stored.inputs), treeTable(stored.trees)]);
});

/** 10,000 take minutes: `node bench/scale.mjs`. */
const largest = wide ? 1000 : 100;

verifies(
  "SCL-12",
  `the real kernel plays the trees of up to ${largest} nodes again as the document has them`,
  () => {
    const code = { randomTree, simulate, dice, sha256, protocol: protocolNamed("graph") };
    expect(stored.trees.map(({ nodes, slots }) => ({ nodes, slots }))).toEqual(trees);
    for (const tree of stored.trees)
      if (tree.nodes <= largest) expect(simulateTree(tree, code)).toEqual(tree);
  },
  120_000,
);
