// @module-tag ci
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { cuttingProxy, type CuttingProxy } from "../../../../test/support/cutting-proxy.ts";
import { hasPostgres, startPostgres, type PostgresServer } from "../../../../test/support/postgres.ts";
import { openPostgres } from "../../../journal/postgres/store.ts";
import type { Graph } from "../graph.ts";
import { postgresGraph } from "./graph.ts";
import { writeGraph } from "./write.ts";

let server: PostgresServer;
let proxy: CuttingProxy;
let opened: Graph[] = [];

beforeAll(async () => {
  if (!hasPostgres) return;
  server = await startPostgres();
  proxy = await cuttingProxy(server.port);
});
afterEach(async () => {
  for (const graph of opened) await graph.close();
  opened = [];
});

async function open(url: string, options: { readonly repository?: string; readonly port?: number } = {}) {
  const changed = new URL(url);
  if (options.port !== undefined) changed.port = `${options.port}`;
  const graph = postgresGraph(
    await openPostgres({ url: changed.href, repository: options.repository ?? "mine" }),
  );
  opened.push(graph);
  return graph;
}

const entity = (name: string, ...observations: string[]) => ({ name, entityType: "t", observations });
const tie = { from: "a", to: "b", relationType: "knows" };
const none = { entities: 0, observations: 0, relations: 0 };

describe.skipIf(!hasPostgres)("a connection that breaks under a call of the graph", () => {
  // What the wire shows last.
  const places = ["pg_current_xact_id", "mettle.graph_", "COMMIT"];
  const cuts = places.flatMap((text) => (["before", "after"] as const).map((when) => ({ text, when })));

  for (const { text, when } of cuts) {
    test(`${when} ${text}: the call is done once, and its result is that of the first time`, async () => {
      const url = server.newDatabase();
      const [graph, direct] = [await open(url, { port: proxy.port }), await open(url)];
      const before = proxy.cuts;
      const cut = <T>(call: () => Promise<T>) => {
        proxy.cutAt(text, when);
        return call();
      };
      const made = [entity("a", "one"), entity("a", "two"), entity("b")];
      expect(await cut(() => graph.createEntities(made))).toEqual(made);
      expect(await cut(() => graph.createRelations([tie, tie]))).toEqual([tie, tie]);
      expect(await cut(() => graph.addObservations([{ entityName: "a", contents: ["x", "x"] }]))).toEqual([
        { entityName: "a", addedObservations: ["x", "x"] },
      ]);
      const file = { entities: [entity("a", "y"), entity("c")], relations: [tie, tie, tie] };
      expect(await cut(() => graph.merge(file, new Map()))).toEqual({
        entities: 1,
        observations: 1,
        relations: 1,
      });
      expect(await direct.merge(file, new Map())).toEqual(none);
      await cut(() => graph.deleteObservations([{ entityName: "a", observations: ["one"] }]));
      await cut(() => graph.deleteRelations([{ ...tie, to: "c" }]));
      await cut(() => graph.deleteEntities(["b"]));
      const whole = {
        entities: [entity("a", "x", "x", "y"), entity("a", "two"), entity("c")],
        relations: [],
      };
      expect(await direct.read()).toEqual(whole);
      // A call that reads is one statement, and no transaction.
      if (text === "mettle.graph_") {
        expect(await cut(() => graph.read())).toEqual(whole);
        expect(await cut(() => graph.search("TWO"))).toEqual({
          entities: [whole.entities[1]],
          relations: [],
        });
      }
      expect(proxy.cuts).toBe(before + (text === "mettle.graph_" ? 9 : 7));
    });
  }

  test("after the server committed: what others do before the second time is not undone", async () => {
    const url = server.newDatabase();
    const [graph, other] = [await open(url, { port: proxy.port }), await open(url)];
    proxy.cutAt("COMMIT", "after");
    const created = graph.createEntities([entity("a", "mine")]);
    await expect
      .poll(() => other.read(), { interval: 1 })
      .toEqual({ entities: [entity("a", "mine")], relations: [] });
    await other.deleteEntities(["a"]);
    expect(await created).toEqual([entity("a", "mine")]);
    expect((await other.read()).entities).toEqual([]);

    await other.createEntities([entity("a", "old")]);
    proxy.cutAt("COMMIT", "after");
    const deleted = graph.deleteEntities(["a"]);
    await expect.poll(() => other.read(), { interval: 1 }).toEqual({ entities: [], relations: [] });
    await other.createEntities([entity("a", "new")]);
    await deleted;
    expect((await other.read()).entities).toEqual([entity("a", "new")]);
  });

  test("by a crash of the server: each call that was told as done is there, once", async () => {
    const graph = await open(server.newDatabase());
    let done = 0;
    let isOver = false;
    const add = async () => {
      for (; !isOver; done++) expect(await graph.createEntities([entity(`n${done}`)])).toHaveLength(1);
    };
    const work = add();
    await expect.poll(() => done).toBeGreaterThan(10);
    await server.crash();
    await server.start();
    const before = done;
    await expect.poll(() => done).toBeGreaterThan(before + 10);
    isOver = true;
    await work;
    const { entities } = await graph.read();
    expect(entities.map(({ name }) => name)).toEqual(Array.from({ length: done }, (_, n) => `n${n}`));
  });
});

describe.skipIf(!hasPostgres)("a graph that cannot be written", () => {
  const change = (graph: Graph) => graph.createEntities([entity("a")]);

  test("since the server is read-only is still read", async () => {
    const url = server.newDatabase();
    await change(await open(url));
    server.psql(
      server.url,
      `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`,
    );
    // Through the proxy, since the connections of the other address are from before.
    const graph = await open(url, { port: proxy.port });
    for (const call of [
      () => graph.createEntities([entity("b")]),
      () => graph.createRelations([tie]),
      () => graph.deleteEntities(["a"]),
    ])
      await expect(call()).rejects.toMatchObject({ code: "state_unwritable" });
    expect((await graph.read()).entities).toEqual([entity("a")]);
  });

  test("since another one writes is told as locked within the bound, read meanwhile, and written after", async () => {
    const url = server.newDatabase();
    const store = await openPostgres({ url, repository: "mine", lockTimeoutMs: 500 });
    const graph = postgresGraph(store);
    opened.push(graph);
    await writeGraph(store, async () => {
      await expect(change(graph)).rejects.toMatchObject({ code: "journal_locked" });
      expect((await graph.read()).entities).toEqual([]);
      const other = await open(url, { repository: "other" });
      expect(await change(other)).toEqual([entity("a")]);
    });
    expect(await change(graph)).toEqual([entity("a")]);
  });
});

describe.skipIf(!hasPostgres)("the graphs of two repositories in one database", () => {
  test("know nothing of each other", async () => {
    const url = server.newDatabase();
    const [mine, other] = [await open(url), await open(url, { repository: "other" })];
    const made = [entity("a", "one"), entity("b")];
    for (const graph of [mine, other]) {
      expect(await graph.createEntities(made)).toEqual(made);
      expect(await graph.createRelations([tie])).toEqual([tie]);
    }
    await other.deleteObservations([{ entityName: "a", observations: ["one"] }]);
    await other.deleteRelations([tie]);
    await other.deleteEntities(["b"]);
    const whole = { entities: made, relations: [tie] };
    expect([await mine.read(), await mine.search("ONE"), await mine.open(["a"])]).toEqual([
      whole,
      { entities: [made[0]], relations: [tie] },
      { entities: [made[0]], relations: [tie] },
    ]);
    expect(await other.read()).toEqual({ entities: [entity("a")], relations: [] });
  });
});
