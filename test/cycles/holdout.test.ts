// @module-tag ci
/** A cycle that withholds locked tests from DE, in each of its phases (PRV-16). */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder } from "../support/folder.ts";
import { eventsOf } from "../orchestrate/world.ts";
import { promptsOf } from "../orchestrate/watched.ts";
import { createCyclesWorld, goCycles, oneCycle } from "./world.ts";

const titles = [
  "S1 joins words by one hyphen",
  "S1 joins two words",
  "S1 makes letters lower case",
  "S2 is empty",
];
const inputs = ["Hello, Big  World!", "one two", "ABC", ""];
const outputs = ["hello-big-world", "one-two", "abc", ""];
const tests = `import assert from "node:assert/strict";
import { test } from "node:test";
import { slugify } from "../src/slugify.js";

${titles.map((title, at) => `test("${title}", () => assert.equal(slugify("${inputs[at] ?? ""}"), "${outputs[at] ?? ""}"));\n`).join("\n")}`;

test("DE sees no withheld test in its workspaces and prompts, and its work is proved by all", async () => {
  const cassette = await oneCycle();
  const folder = newFolder();
  const dump = (to: string) => ({
    shell: `cat test/*.js .claude/temp/* memory-bank/* > ${join(folder, to)} 2>/dev/null; git log -p >> ${join(folder, to)}`,
  });
  const { qa, de } = cassette.roles;
  const [red, ...others] = qa;
  const said = titles.map((title) => ({ observe: `written: ${title}` }));
  cassette.roles.qa = [
    { ...red, does: [{ write: { path: "test/slugify.test.js", content: tests } }, ...said] },
    ...others,
  ];
  cassette.roles.de = de.map((turn, at) => ({ ...turn, does: [dump(String(at)), ...(turn.does ?? [])] }));
  const world = await createCyclesWorld({ "mettle.yaml": "version: 1\nproof: { holdout: 0.5 }\n" });
  const { end, events } = await goCycles(world, "dptr", cassette);
  expect(end).toMatchObject({ type: "ended", outcome: "complete" });

  const withheld = eventsOf(events, "tests.withheld");
  expect(withheld).toHaveLength(3);
  const hidden = withheld.map(({ tests: own }) => own.map(({ id }) => id.split("::")[1] ?? ""));
  expect(hidden[0]).toHaveLength(2);
  expect(hidden).toEqual([hidden[0], hidden[0], hidden[0]]);
  const seen = await Promise.all([0, 1, 2].map((at) => readFile(join(folder, String(at)), "utf8")));
  const prompts = await promptsOf(world, events, "de");
  for (const text of [...seen, ...prompts])
    for (const title of hidden[0] ?? []) {
      expect(text).not.toContain(title);
      expect(text).not.toContain(`"${inputs[titles.indexOf(title)] ?? ""}"`);
    }
  for (const text of seen) expect(text).toContain("S2 is empty");
  const result = await world.repository.git(
    "show",
    `${eventsOf(events, "head.moved").at(-1)?.commit ?? ""}:test/slugify.test.js`,
  );
  for (const title of titles) expect(result).toContain(title);
});
