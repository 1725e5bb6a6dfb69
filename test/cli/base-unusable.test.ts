/** A run, each gate and `mettle prove` all refuse an unusable base (PRV-01). */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { stringify } from "yaml";
import { golden } from "../orchestrate/world.ts";
import { unusableBases, unusableIgnored, withSubmodule } from "../unusable-bases.ts";
import { verifies } from "../verifies.ts";
import { samples } from "../wide.ts";
import { changeWorld, type ChangeWorld } from "./change-world.ts";

const start = {
  ".gitignore": "node_modules\n.env\ndist/\n",
  "package.json": '{ "type": "module" }\n',
  "src/one.js": "export const one = 1;\n",
};
const refused =
  /^(none of the base commit's own tests passes in a clean checkout \(node:test\): |node:test left no complete, readable report)/u;
const gates = [["red"], ["green", "--red", "HEAD"], ["refactor"], ["final", "--red", "HEAD"]];

/** Cause -> files and hint, and a base whose runner collects none of its tests. */
const bases = {
  ...unusableBases,
  "tests that no command runs": {
    files: {
      "package.json": '{ "type": "module", "scripts": { "test": "node --test none/" } }\n',
      "tests/a.test.js":
        'import test from "node:test";\nimport assert from "node:assert/strict";\ntest("holds", () => assert.equal(1, 1));\n',
    },
    hint: /./u,
  },
};

// src/proof/base/base-proof.test.ts tests each cause for one of these commands.
for (const [cause, base] of samples(Object.entries(bases)))
  verifies(
    "PRV-01",
    `with ${cause}: no run begins, no gate judges, nothing is proved, and the cause is named`,
    async () => {
      const world = await changeWorld([], start);

      await unusable(world, cause, base);
    },
  );

interface Base {
  readonly files: Readonly<Record<string, string>>;
  readonly hint: RegExp;
}

async function unusable(world: ChangeWorld, cause: string, { files, hint }: Base): Promise<void> {
  await world.repo.write({ ...files, ...unusableIgnored });
  if (cause === "a submodule") await world.repo.git(...withSubmodule);
  await world.repo.commit();
  const cassette = join(world.home, "cassette.yaml");
  await writeFile(cassette, stringify(await golden()));
  const doors = [
    ["run", "Add slugify", "--protocol", "orchestrate", "--agent", `scripted:${cassette}`],
    ["prove", "--base", "HEAD"],
    // All gates prove the base by the same function first.
    ...(cause === Object.keys(bases)[0] ? gates : gates.slice(0, 1)).map(([name = "", ...more]) => [
      "gate",
      name,
      "--base",
      "HEAD",
      ...more,
    ]),
  ];
  for (const door of doors) {
    const { code, answer } = await world.ask(...door);
    expect([door[0], code, answer.error]).toEqual([
      door[0],
      5,
      expect.objectContaining({
        code: "base_unusable",
        message: expect.stringMatching(cause in unusableBases ? refused : /test/u),
        hint: expect.stringMatching(hint),
      }),
    ]);
    if (cause in unusableBases) expect(answer.error?.message).toContain("\nthe runner's last lines:\n  ");
    expect(JSON.stringify(answer)).not.toContain("secret-value");
  }
  // No run exists, so no agent worked and no counter moved.
  expect((await world.ask("status")).answer["runs"]).toEqual([]);
}
