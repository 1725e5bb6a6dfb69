/** Import and export of server-memory files: `mettle memory import` and `export`, by the built program. */
import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect } from "vitest";
import { inCi, verifies, verifiesInCi } from "../../test/verifies.ts";
import { packageRoot } from "../config/package-root.ts";
import { connectMettle, connectOriginal, makePlace, type Place } from "./fixtures/servers.ts";

let place: Place;
let file: string;
beforeEach(async () => {
  place = await makePlace();
  file = join(place.home, "memory.jsonl");
});

function mettle(...args: readonly string[]) {
  const result = spawnSync(process.execPath, [packageRoot("dist/bin/mettle.js"), "memory", ...args], {
    cwd: place.dir,
    env: { ...place.env },
    encoding: "utf8",
  });
  return { exit: result.status, stdout: result.stdout, stderr: result.stderr };
}
const json = (...args: readonly string[]) => {
  const { exit, stdout } = mettle(...args, "--json");
  return { exit, ...(JSON.parse(stdout) as Record<string, unknown>) };
};

const entities = [
  {
    name: "Ada",
    entityType: "person",
    observations: ["wrote notes", "wrote notes", "ünï \u2028\u0000 \ud83d"],
  },
  { name: "Engine", entityType: "machine", observations: [] },
  { name: "Ada", entityType: "language", observations: ["named after Ada"] },
  ...Array.from({ length: 3000 }, (_, n) => ({
    name: `n${n}`,
    entityType: "t",
    observations: [`o${n}`, "same"],
  })),
];
const relations = [
  { from: "Ada", to: "Engine", relationType: "programs" },
  { from: "Ada", to: "Nobody", relationType: "knows" },
  { from: "Ada", to: "Nobody", relationType: "knows" },
];

/** Written by server-memory: an entity named twice in one call is stored twice. */
async function written(): Promise<string> {
  const original = await connectOriginal(place, file);
  await original.callTool({ name: "create_entities", arguments: { entities } });
  await original.callTool({ name: "create_relations", arguments: { relations } });
  await original.close();
  return readFile(file, "utf8");
}

const sorted = (text: string) => text.split("\n").toSorted();

verifiesInCi(
  ["TDP-56", "CORE-66"],
  "a file of server-memory comes back equal, byte by byte, and the original reads what was exported",
  async () => {
    const before = await written();
    expect(json("import", file)).toMatchObject({
      exit: 0,
      entities: 3003,
      observations: 6004,
      relations: 3,
      bad: [],
    });
    const out = join(place.home, "out.jsonl");
    expect(json("export", out)).toMatchObject({ exit: 0, file: out, entities: 3003, relations: 3 });
    const after = await readFile(out, "utf8");
    expect(sorted(after)).toEqual(sorted(before));
    expect(after).toBe(before);
    expect(mettle("export").stdout).toBe(`${before}\n`);
    const [ours, theirs] = await Promise.all([connectMettle(place), connectOriginal(place, out)]);
    const read = { name: "read_graph", arguments: {} };
    expect(await ours.callTool(read)).toEqual(await theirs.callTool(read));
  },
);

verifiesInCi("TDP-56", "a second import of the same file adds nothing", async () => {
  await written();
  json("import", file);
  const first = mettle("export").stdout;
  expect(json("import", file)).toMatchObject({
    exit: 0,
    entities: 0,
    observations: 0,
    relations: 0,
    bad: [],
  });
  expect(mettle("export").stdout).toBe(first);
});

verifies(
  ["TDP-56", "CORE-66"],
  "bad lines and a truncated last one are reported with exit 1, and all other lines are imported",
  async () => {
    const lines = [
      JSON.stringify({ type: "entity", ...entities[0] }),
      "no json",
      "",
      JSON.stringify({ type: "entity", name: "x", entityType: 7, observations: [] }),
      JSON.stringify({ type: "relation", ...relations[0] }),
      JSON.stringify({ type: "entity", ...entities[1] }),
      JSON.stringify({ type: "entity", name: "torn", entityType: "t", observations: ["cut off"] }).slice(
        0,
        -9,
      ),
    ];
    await writeFile(file, lines.join("\n"));
    const { exit, stdout } = mettle("import", file);
    expect({ exit, stdout: stdout.replaceAll(file, "FILE") }).toEqual({
      exit: 1,
      stdout: [
        "added: 2 entities, 3 observations, 1 relation",
        "FILE:2: left out: it is not JSON; it may be cut off",
        "FILE:4: left out: it is neither an entity {name, entityType, observations} nor a relation {from, to, relationType}",
        "FILE:7: left out: it is not JSON; it may be cut off",
        "",
      ].join("\n"),
    });
    expect(json("export")).toMatchObject({ entities: entities.slice(0, 2), relations: [relations[0]] });
  },
);

inCi("an import adds the missing parts of an existing entity, and keeps its type", async () => {
  const write = (...lines: readonly object[]) =>
    writeFile(file, lines.map((line) => JSON.stringify({ type: "entity", ...line })).join("\n"));
  await write({ name: "Ada", entityType: "person", observations: ["a", "b"] });
  json("import", file);
  await write({ name: "Ada", entityType: "machine", observations: ["c", "b", "c"] });
  expect(json("import", file)).toMatchObject({ entities: 0, observations: 1 });
  expect(json("export")).toMatchObject({
    entities: [{ name: "Ada", entityType: "person", observations: ["a", "b", "c"] }],
  });
});

inCi("an export replaces a file only with --force, and a missing file is reported", async () => {
  await writeFile(file, "mine");
  expect(mettle("export", file)).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining("exists already"),
  });
  expect(await readFile(file, "utf8")).toBe("mine");
  expect(mettle("export", file, "--force").exit).toBe(0);
  expect(await readFile(file, "utf8")).toBe("");
  expect(mettle("import", `${file}.none`)).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining("cannot be read"),
  });
  expect(mettle("import")).toMatchObject({ exit: 2, stderr: expect.stringContaining("<file> is missing") });
});
