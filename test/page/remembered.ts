/** A repository with a memory bank, a dialogue and a knowledge graph, of which texts try to be markup. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../src/lib/clock.ts";
import { createBank } from "../../src/memory/bank/create.ts";
import { openGraph } from "../../src/memory/graph/open.ts";
import type { World } from "../orchestrate/world.ts";

export const hostile = `<img src=x onerror="alert(1)"><script>alert(2)</script>[click](javascript:alert(3))`;
export const dialogue = "PLAN_20261130T101500000Z";

export async function rememberIn({ repository, host }: World, run: string): Promise<void> {
  await createBank(repository.dir, { protection: false });
  await writeFile(
    join(repository.dir, "memory-bank", "projectbrief.md"),
    [
      "# Project Brief",
      "",
      "## Overview",
      "",
      `A small library that works on words. ${hostile}`,
      "",
      "## Requirements",
      "",
      "- [R1] `slugify(text)` makes a slug of any text, see [↗️σ₂:nowhere].",
      "- [R2] It keeps digits.",
      "",
      "| Input | Slug |",
      "| --- | --- |",
      "| Crème brûlée | `creme-brulee` |",
    ].join("\n"),
  );
  await mkdir(join(repository.dir, "memory-bank", "notes"), { recursive: true });
  await writeFile(
    join(repository.dir, "memory-bank", "notes", "accents.md"),
    "# Accents\n\nNFKD, then marks are dropped.\n",
  );
  const head = await host.journal.head(run);
  await host.journal.append(run, head, [], {
    opens: [{ name: dialogue, kind: "plan_loop" }],
    observations: [
      { session: dialogue, round: 0, agent: "DA", content: "The design has one module." },
      { session: dialogue, round: 0, agent: "AR", content: `ACCEPT ${hostile}` },
    ],
  });
  const graph = await openGraph({ home: host.home.root, clock: systemClock });
  await graph.createEntities([
    { name: "slugify", entityType: "function", observations: ["in src/slugify.js", `pure ${hostile}`] },
    { name: "words", entityType: "module", observations: ["splits a text into words"] },
    { name: "accents", entityType: "decision", observations: ["NFKD, then marks are dropped"] },
    { name: "README", entityType: "document", observations: [] },
  ]);
  await graph.createRelations([
    { from: "slugify", to: "words", relationType: "uses" },
    { from: "slugify", to: "accents", relationType: "follows" },
    { from: "README", to: "slugify", relationType: "describes" },
    { from: "words", to: "slugify", relationType: "is called by" },
  ]);
  await graph.close();
}
