import fc from "fast-check";
import { afterEach, beforeAll, beforeEach, describe, expect } from "vitest";
import { newFolder } from "../../../../test/support/folder.ts";
import { graphProgram } from "../../../../test/support/graph-processes.ts";
import { hasPostgres, startPostgres, type PostgresServer } from "../../../../test/support/postgres.ts";
import { inCi, verifiesInCi } from "../../../../test/verifies.ts";
import { openPostgres } from "../../../journal/postgres/store.ts";
import { systemClock } from "../../../lib/clock.ts";
import { graphContract } from "../../../testing/graph-contract.ts";
import type { Graph } from "../graph.ts";
import { openGraph } from "../open.ts";
import { postgresGraph } from "./graph.ts";

let server: PostgresServer;
let cases = 0;
let opened: Graph[] = [];

beforeAll(async () => {
  if (hasPostgres) server = await startPostgres();
});
beforeEach(() => void (cases += 1));
afterEach(async () => {
  for (const graph of opened) await graph.close();
  opened = [];
});

/** All cases share a database; each is a repository of its own in it. */
const repository = () => `case ${cases}`;

async function open(): Promise<Graph> {
  const graph = postgresGraph(await openPostgres({ url: server.url, repository: repository() }));
  opened.push(graph);
  return graph;
}

let program: ReturnType<typeof graphProgram> | undefined;
async function start() {
  program ??= graphProgram({
    imports: `
      import { openPostgres } from "./src/journal/postgres/store.ts";
      import { postgresGraph } from "./src/memory/graph/postgres/graph.ts";`,
    graph:
      "openPostgres({ url: process.env.STORE, repository: process.env.REPOSITORY, lockTimeoutMs: 60_000 }).then(postgresGraph)",
  });
  return (await program).start({ STORE: server.url, REPOSITORY: repository() });
}

describe.skipIf(!hasPostgres)("PostgreSQL graph", () => {
  for (const { title, check } of graphContract)
    verifiesInCi(
      "SCL-01",
      title,
      () => expect(check({ open, start, calls: 100 })).resolves.toBeUndefined(),
      120_000,
    );

  inCi("random calls with few names are answered as by SQLite, and leave the same", async () => {
    const graph = await open();
    const sqlite = await openGraph({ home: newFolder(), clock: systemClock });
    opened.push(sqlite);
    const name = fc.constantFrom(..."a|A|b|\u0000|\\u0000|\ud83d|😀|é|ΑΣ|a b".split("|"), "");
    const texts = fc.array(name, { maxLength: 4 });
    const entities = fc.array(fc.record({ name, entityType: name, observations: texts }), { maxLength: 3 });
    const relations = fc.array(
      fc.record({ from: name, to: name, relationType: fc.constantFrom("knows", "likes") }),
      { maxLength: 3 },
    );
    const additions = fc.array(fc.record({ entityName: name, contents: texts }), { maxLength: 3 });
    const deletions = fc.array(fc.record({ entityName: name, observations: texts }), { maxLength: 3 });
    const call: fc.Arbitrary<(on: Graph) => Promise<unknown>> = fc.oneof(
      entities.map((given) => (on: Graph) => on.createEntities(given)),
      relations.map((given) => (on: Graph) => on.createRelations(given)),
      additions.map((given) => (on: Graph) => on.addObservations(given).catch(String)),
      deletions.map((given) => (on: Graph) => on.deleteObservations(given)),
      relations.map((given) => (on: Graph) => on.deleteRelations(given)),
      fc.array(name, { maxLength: 2 }).map((given) => (on: Graph) => on.deleteEntities(given)),
      fc.tuple(entities, relations).map(
        ([given, ties]) =>
          (on: Graph) =>
            on.merge({ entities: given, relations: ties }, new Map()),
      ),
      texts.map((given) => (on: Graph) => on.open(given)),
      fc.tuple(name, name).map((parts) => (on: Graph) => on.search(parts.join(""))),
      fc.constant((on: Graph) => on.read()),
    );
    for (const [index, one] of fc.sample(call, { seed: 17, numRuns: 400 }).entries())
      expect([index, await one(graph)]).toEqual([index, await one(sqlite)]);
    expect(await graph.read()).toEqual(await sqlite.read());
    expect((await graph.read()).entities.length).toBeGreaterThan(3);
  });
});
