/** Compares the index with a scan of every text, as server-memory searches. */
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { newFolder } from "../../../test/support/folder.ts";
import { systemClock } from "../../lib/clock.ts";
import { openGraph } from "./open.ts";
import { inCi } from "../../../test/verifies.ts";

const letters = fc.constantFrom(...'abABcé東京😀\u0000\ud83d"*%_ -İKς\ufffd', "ss", "ß");
const text = fc.array(letters, { maxLength: 12 }).map((parts) => parts.join(""));

const home = newFolder();
const graph = await openGraph({ home, clock: systemClock });
afterAll(() => graph.close());

const namesOf = async (query: string) => (await graph.search(query)).entities.map(({ name }) => name);

test("separate words do not match a query without the blank, and deleted texts are not found", async () => {
  const observations = ["abc xyz", "the very same words in another order, cut", "gone tomorrow"];
  await graph.createEntities([{ name: "One", entityType: "t", observations }]);
  expect(await namesOf("abcxyz")).toEqual([]);
  expect(await namesOf("same very words")).toEqual([]);
  expect(await namesOf("VERY same wOrds")).toEqual(["One"]);
  expect(await namesOf("tomorrow")).toEqual(["One"]);
  await graph.deleteObservations([{ entityName: "One", observations: ["gone tomorrow"] }]);
  expect(await namesOf("tomorrow")).toEqual([]);
  // Its position may be used again.
  await graph.addObservations([{ entityName: "One", contents: ["here today"] }]);
  expect([await namesOf("tomorrow"), await namesOf("here t")]).toEqual([[], ["One"]]);
  await graph.deleteEntities(["One"]);
  expect(await namesOf("abc")).toEqual([]);
});

inCi("a query finds exactly the entities that contain it, while the graph grows and shrinks", async () => {
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
        for (const query of [...queries, ...parts]) {
          const wanted = query.toLowerCase();
          const expected = entities.filter(({ name, entityType, observations }) =>
            [name, entityType, ...observations].some((one) => one.toLowerCase().includes(wanted)),
          );
          expect({ query, found: (await graph.search(query)).entities }).toEqual({
            query,
            found: expected,
          });
        }
      },
    ),
    { seed: 31, numRuns: 30 },
  );
});
