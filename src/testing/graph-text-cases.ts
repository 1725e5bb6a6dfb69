/** What a graph does with texts: it keeps every character, and finds what a scan of every text finds, as server-memory does. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Graph } from "../memory/graph/graph.ts";
import type { Entity } from "../memory/graph/shapes.ts";
import type { GraphCase } from "./graph-case.ts";

const containing =
  (query: string) =>
  ({ name, entityType, observations }: Entity): boolean =>
    [name, entityType, ...observations].some((text) => text.toLowerCase().includes(query.toLowerCase()));

async function expectFound(graph: Graph, queries: readonly string[]): Promise<void> {
  const { entities } = await graph.read();
  for (const query of queries) {
    const { entities: found } = await graph.search(query);
    assert.deepEqual({ query, found }, { query, found: entities.filter(containing(query)) });
  }
}

const letters = fc.constantFrom(...'abABcé東京😀\u0000\ud83d"*%_ -İKς\ufffd', "ss", "ß");
const text = fc.array(letters, { maxLength: 12 }).map((parts) => parts.join(""));

export const graphTextCases: readonly GraphCase[] = [
  {
    title: "names, types and observations are kept as they are and compared character by character",
    async check({ open }) {
      const graph = await open();
      const texts = [
        ...'| |\u0000|\\u0000|a\u0000|a\u0000b|\ud83d|\ude00|\ud83dx|😀|\ufffd|\\|\\\\|"'.split("|"),
        ..."'|$1|{a,b}|NULL|%|_|é|e\u0301|\n|\r\n|\u2028|a|A".split("|"),
        "x".repeat(100_000),
        "东京".repeat(5000),
      ];
      const made = texts.map((text) => ({
        name: text,
        entityType: text,
        observations: [text, ...texts.slice(0, 25)],
      }));
      const ties = texts.map((text) => ({ from: text, to: text, relationType: text }));
      assert.deepEqual(await graph.createEntities(made), made);
      assert.deepEqual(await graph.createRelations(ties), ties);
      assert.deepEqual(await graph.createEntities(made), []);
      assert.deepEqual(await graph.createRelations(ties), []);
      const other = await open();
      assert.deepEqual(await other.read(), { entities: made, relations: ties });
      for (const [index, text] of texts.entries())
        assert.deepEqual(await other.open([text]), { entities: [made[index]], relations: [ties[index]] });
      const [gone, kept] = ["\ud83d", "\ude00"];
      await graph.deleteObservations([{ entityName: kept, observations: [gone] }]);
      await graph.deleteEntities([gone]);
      const expected = made
        .filter(({ name }) => name !== gone)
        .map((one) =>
          one.name === kept
            ? { ...one, observations: one.observations.filter((text) => text !== gone) }
            : one,
        );
      assert.deepEqual(await other.read(), {
        entities: expected,
        relations: ties.filter(({ from }) => from !== gone),
      });
    },
  },
  {
    title: "separate words do not match a query without the blank, and deleted texts are not found",
    async check({ open }) {
      const graph = await open();
      const namesOf = async (query: string) => (await graph.search(query)).entities.map(({ name }) => name);
      const observations = ["abc xyz", "the very same words in another order, cut", "gone tomorrow"];
      await graph.createEntities([{ name: "One", entityType: "t", observations }]);
      assert.deepEqual(await namesOf("abcxyz"), []);
      assert.deepEqual(await namesOf("same very words"), []);
      assert.deepEqual(await namesOf("VERY same wOrds"), ["One"]);
      assert.deepEqual(await namesOf("tomorrow"), ["One"]);
      await graph.deleteObservations([{ entityName: "One", observations: ["gone tomorrow"] }]);
      assert.deepEqual(await namesOf("tomorrow"), []);
      // Its position may be used again.
      await graph.addObservations([{ entityName: "One", contents: ["here today"] }]);
      assert.deepEqual([await namesOf("tomorrow"), await namesOf("here t")], [[], ["One"]]);
      await graph.deleteEntities(["One"]);
      assert.deepEqual(await namesOf("abc"), []);
    },
  },
  {
    title: "a query is found in any case and inside of texts, and no character of it has a meaning",
    async check({ open }) {
      const graph = await open();
      const texts = [
        ...'say "abc" AND (not)|100 %|100 x|snake_case|snakeXcase|back\\slash|a*b?'.split("|"),
        ..."it's|two\nlines|two\\nlines|nul \u0000 end|nul \\u0000 end|😀 grin|😃 grin".split("|"),
        ..."half \ud83d|half \ude00 low|\ufffd sign|İstanbul|ΑΣ|ας|STRASSE|Straße|K elvin|東京都|".split("|"),
      ];
      await graph.createEntities(
        texts.flatMap((one, n) => [
          { name: one, entityType: "t", observations: [] },
          { name: `type ${n}`, entityType: one, observations: [] },
          { name: `seen ${n}`, entityType: "t", observations: ["before", one] },
        ]),
      );
      await graph.createRelations([
        { from: "seen 0", to: "nobody", relationType: "knows" },
        { from: "seen 1", to: "seen 2", relationType: "knows" },
        { from: "somebody", to: "anybody", relationType: "knows" },
      ]);
      const parts = texts.flatMap((one) => [one, one.slice(1), one.slice(1, 4), one.slice(0, 2)]);
      const more = [
        ...'|%|_|\\|\\n|\n|"|u0000|\u0000|\ud83d|\ude00|\ufffd|\ude00 grin|f \ud83d|x\ude00|\ud83d\ud83d'.split(
          "|",
        ),
        ..."'|l \u0000|ss|ß|σ|ς|i̇|$1|; DROP TABLE|aaaaaaaaa|K|k".split("|"),
      ];
      await expectFound(graph, [...parts, ...more]);
      // The scan above would agree with a graph that finds nothing.
      const namesOf = async (query: string) => (await graph.search(query)).entities.map(({ name }) => name);
      assert.deepEqual(await namesOf("LAKE_C"), []);
      assert.deepEqual(await namesOf("NAKE_C"), ["snake_case", "type 3", "seen 3"]);
      assert.deepEqual(await namesOf("\ude00 gr"), ["😀 grin", "type 12", "seen 12"]);
      assert.equal((await namesOf("\ud83d")).length, 9);
      const relationsOf = async (query: string) => (await graph.search(query)).relations.map(({ to }) => to);
      assert.deepEqual(await relationsOf(""), ["nobody", "seen 2"]);
      assert.deepEqual(await relationsOf("seen 2"), ["seen 2"]);
      assert.deepEqual(await relationsOf("abc"), ["nobody"]);
      assert.deepEqual(await graph.search("nobody"), { entities: [], relations: [] });
    },
  },
  {
    title: "a query finds exactly the entities that contain it, while the graph grows and shrinks",
    isSlow: true,
    async check({ open }) {
      const graph = await open();
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(text, text, fc.array(text, { maxLength: 3 })), { maxLength: 6 }),
          fc.array(text, { minLength: 1, maxLength: 6 }),
          text,
          async (made, queries, gone) => {
            const { entities: before } = await graph.read();
            await graph.deleteEntities(before.slice(8).map(({ name }) => name));
            await graph.createEntities(
              made.map(([name, entityType, observations]) => ({ name, entityType, observations })),
            );
            await graph.deleteObservations(
              before.map(({ name }) => ({ entityName: name, observations: [gone] })),
            );
            const { entities } = await graph.read();
            // Whole texts and parts of them, so that many queries match.
            const parts = entities.flatMap(({ name, observations }) => [
              name,
              ...observations.map((o) => o.slice(1, 6)),
            ]);
            await expectFound(graph, [...queries, ...parts]);
          },
        ),
        { seed: 31, numRuns: 30 },
      );
    },
  },
];
