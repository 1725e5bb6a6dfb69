/** Compares Mettle's memory tools with `@modelcontextprotocol/server-memory`: the same calls, equal answers. */
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { verifies, verifiesInCi } from "../../test/verifies.ts";
import { isGraphCall } from "../memory/graph/shapes.ts";
import { connectMettle, connectOriginal, makePlace, type Place } from "./fixtures/servers.ts";

let place: Place;
let both: readonly [mettle: Client, original: Client];
beforeAll(async () => {
  place = await makePlace();
  both = await Promise.all([connectMettle(place), connectOriginal(place, join(place.home, "memory.jsonl"))]);
});

interface Call {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

/** Few names, so that calls conflict; with letters that case folding, combining or surrogates make difficult for SQLite. */
const word = fc.constantFrom(
  ..."Ada|ada|ADA|Straße|STRASSE|İstanbul|ΑΣ|ας|東京|東京都|a|b|ab|aB|abc|K|kelvin|é|e\u0301|😀|\ud83d|\ude00|\u0000|x\u0000y|\ufffd".split(
    "|",
  ),
  "",
  " ",
  '"',
  'say "abc" AND (not)',
  "%_*",
  "\\u0000",
  "\u2028\r\n\t",
  "A rather long sentence about Ada Lovelace and her engine",
);
const text = fc.oneof(
  word,
  fc.tuple(word, word).map((parts) => parts.join("")),
);
const texts = fc.array(text, { maxLength: 4 });
const entity = fc.record({ name: text, entityType: text, observations: texts });
const relation = fc.record({ from: text, to: text, relationType: fc.constantFrom("knows", "likes") });
const call = (name: string, args: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc.record({ name: fc.constant(name), arguments: fc.record(args) });
const good = fc.oneof(
  { arbitrary: call("create_entities", { entities: fc.array(entity, { maxLength: 3 }) }), weight: 4 },
  { arbitrary: call("create_relations", { relations: fc.array(relation, { maxLength: 3 }) }), weight: 3 },
  {
    arbitrary: call("add_observations", {
      observations: fc.array(fc.record({ entityName: text, contents: texts }), { maxLength: 2 }),
    }),
    weight: 4,
  },
  call("delete_entities", { entityNames: fc.array(text, { maxLength: 1 }) }),
  call("delete_observations", {
    deletions: fc.array(fc.record({ entityName: text, observations: texts }), { maxLength: 2 }),
  }),
  call("delete_relations", { relations: fc.array(relation, { maxLength: 1 }) }),
  { arbitrary: call("search_nodes", { query: text }), weight: 6 },
  { arbitrary: call("open_nodes", { names: texts }), weight: 3 },
  call("read_graph", {}),
);
/** Invalid arguments, missing tools, and unknown fields. */
const bad: fc.Arbitrary<Call> = fc.oneof(
  fc.record({
    name: fc.constantFrom("create_entities", "create_relations", "add_observations", "delete_entities"),
    arguments: fc.dictionary(
      fc.constantFrom("entities", "relations", "observations", "more"),
      fc.jsonValue(),
    ),
  }),
  fc.record({
    name: fc.constantFrom("search_nodes", "open_nodes", "read_graph", "write_graph"),
    arguments: fc.dictionary(fc.constantFrom("query", "names"), fc.jsonValue()),
  }),
);
/** An item named twice in a call is new both times; of two entities with one name the first counts. */
const twin = { name: "Twin", entityType: "person", observations: ["seen", "seen"] };
const tie = { from: "Twin", to: "Twin", relationType: "is" };
const twice: readonly Call[] = [
  { name: "create_entities", arguments: { entities: [twin, { ...twin, entityType: "double" }] } },
  { name: "create_relations", arguments: { relations: [tie, tie] } },
  {
    name: "add_observations",
    arguments: {
      observations: [
        { entityName: "Twin", contents: ["new", "new", "seen"] },
        { entityName: "Twin", contents: ["new", "newer"] },
      ],
    },
  },
  // The first one is not stored, since the second one names no entity.
  {
    name: "add_observations",
    arguments: {
      observations: [
        { entityName: "Twin", contents: ["lost"] },
        { entityName: "no such person", contents: ["x"] },
      ],
    },
  },
  { name: "search_nodes", arguments: { query: "LOST" } },
  {
    name: "delete_observations",
    arguments: { deletions: [{ entityName: "Twin", observations: ["new", "none"] }] },
  },
  { name: "search_nodes", arguments: { query: "new" } },
  { name: "open_nodes", arguments: { names: ["Twin", "Twin"] } },
  { name: "delete_relations", arguments: { relations: [tie] } },
  { name: "delete_entities", arguments: { entityNames: ["Twin", "Twin"] } },
];
const calls = fc.array(fc.oneof({ arbitrary: good, weight: 9 }, bad), { minLength: 190, maxLength: 190 });

/** The answer, or the protocol error. */
const outcomeOf = (client: Client, { name, arguments: given }: Call) =>
  client.callTool({ name, arguments: given }).then(
    (result) => ({ result }),
    (error: unknown) => ({ error: String(error) }),
  );

verifies(
  "CORE-65",
  "the tools are listed alike: names, titles, descriptions, schemas of input and output, annotations",
  async () => {
    const [ours, theirs] = await Promise.all(both.map((client) => client.listTools()));
    // The list also contains the tools of a session that leads riper or dptr.
    expect(ours?.tools.filter(({ name }) => isGraphCall(name))).toEqual(theirs?.tools);
    expect(theirs?.tools).toHaveLength(9);
    const [mine, its] = both.map((client) => client.getServerCapabilities());
    expect(mine).toEqual(its);
  },
);

verifiesInCi(
  "CORE-65",
  "200 valid and invalid calls of every kind are answered as by the original",
  async () => {
    const seed = 20260831;
    const [random = []] = fc.sample(calls, { seed, numRuns: 1 });
    const script = [...twice, ...random];
    let answered = 0;
    for (const [index, one] of script.entries()) {
      const [ours, theirs] = await Promise.all(both.map((client) => outcomeOf(client, one)));
      expect({ index, one, came: ours }).toEqual({ index, one, came: theirs });
      answered += "result" in (ours ?? {}) ? 1 : 0;
    }
    expect(script).toHaveLength(200);
    expect(answered).toBe(200);
    const [ours, theirs] = await Promise.all(
      both.map((client) => outcomeOf(client, { name: "read_graph", arguments: {} })),
    );
    expect(ours).toEqual(theirs);
    expect(JSON.stringify(ours).length).toBeGreaterThan(2000);
  },
);

test("the graph resource is listed, read and announced as by the original", async () => {
  const uri = "memory://knowledge-graph";
  const seen = await Promise.all(
    both.map(async (client) => {
      const updated: unknown[] = [];
      client.setNotificationHandler(
        ResourceUpdatedNotificationSchema,
        ({ params }) => void updated.push(params),
      );
      await client.subscribeResource({ uri });
      await client.callTool({ name: "read_graph", arguments: {} });
      await client.callTool({ name: "delete_entities", arguments: { entityNames: ["nobody"] } });
      const notified = [...updated];
      await client.unsubscribeResource({ uri });
      await client.callTool({ name: "delete_entities", arguments: { entityNames: ["nobody"] } });
      return {
        list: await client.listResources(),
        templates: await client.listResourceTemplates(),
        read: await client.readResource({ uri }),
        none: await client.readResource({ uri: "memory://other" }).catch(String),
        notified,
        after: updated.length,
      };
    }),
  );
  expect(seen[0]).toEqual(seen[1]);
  expect(seen[0]).toMatchObject({ notified: [{ uri }], after: 1 });
});

verifiesInCi(
  "CORE-66",
  "20 concurrent entities, in one process or in two, are all stored; the original stores fewer",
  async () => {
    const second = await connectMettle(place);
    const create = (client: Client, name: string) =>
      client.callTool({
        name: "create_entities",
        arguments: { entities: [{ name, entityType: "crowd", observations: [] }] },
      });
    const countOf = async (client: Client, query: string) => {
      const { structuredContent } = await client.callTool({ name: "search_nodes", arguments: { query } });
      return (structuredContent as { entities: unknown[] }).entities.length;
    };
    const twenty = Array.from({ length: 20 }, (_, n) => n);
    const [ours, theirs] = both;
    await Promise.all(twenty.map((n) => create(ours, `alone ${n}`)));
    await Promise.all(twenty.map((n) => create(n % 2 === 0 ? ours : second, `shared ${n}`)));
    await Promise.all(twenty.map((n) => create(theirs, `alone ${n}`)));
    expect([await countOf(second, "alone "), await countOf(ours, "shared ")]).toEqual([20, 20]);
    expect(await countOf(theirs, "alone ").catch(() => 0)).toBeLessThan(20);
  },
);
