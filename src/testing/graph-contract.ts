import assert from "node:assert/strict";
import type { GraphContent } from "../memory/graph/graph.ts";
import type { GraphCase } from "./graph-case.ts";
import { graphProcessCases } from "./graph-process-cases.ts";
import { graphTextCases } from "./graph-text-cases.ts";

const entity = (name: string, ...observations: readonly string[]) => ({
  name,
  entityType: "t",
  observations: [...observations],
});
const relation = (from: string, to: string, relationType = "knows") => ({ from, to, relationType });
const nothing: GraphContent = { entities: [], relations: [] };

const callCases: readonly GraphCase[] = [
  {
    title:
      "everything is found in the order of creation, by each opener at once, whatever the order of a question",
    async check({ open }) {
      const [graph, other] = [await open(), await open()];
      const made = ["b", "a", "d", "c"].map((name) => entity(name, "second", "first"));
      const ties = [relation("b", "a"), relation("nobody", "b"), relation("a", "nowhere")];
      assert.deepEqual(await graph.read(), nothing);
      assert.deepEqual(await graph.createEntities(made.slice(0, 3)), made.slice(0, 3));
      assert.deepEqual(await other.createEntities(made.slice(3)), made.slice(3));
      assert.deepEqual(await graph.createRelations(ties), ties);
      assert.deepEqual(await other.read(), { entities: made, relations: ties });
      assert.deepEqual(await other.open(["c", "x", "b", "c"]), {
        entities: [made[0], made[3]],
        relations: [ties[0], ties[1]],
      });
      assert.deepEqual(await other.open(["c"]), { entities: [made[3]], relations: [] });
      assert.deepEqual(await other.open(["nobody"]), nothing);
      assert.deepEqual(await other.open([]), nothing);
      await graph.addObservations([{ entityName: "b", contents: ["third"] }]);
      assert.deepEqual((await other.open(["b"])).entities, [entity("b", "second", "first", "third")]);
    },
  },
  {
    title: "a name that is there is not created again; one given twice in a call is, and the oldest counts",
    async check({ open }) {
      const graph = await open();
      const twins = [entity("twin", "seen", "seen"), { ...entity("twin", "other"), entityType: "double" }];
      assert.deepEqual(await graph.createEntities(twins), twins);
      assert.deepEqual(await graph.createEntities([entity("twin"), entity("new")]), [entity("new")]);
      assert.deepEqual(await graph.addObservations([{ entityName: "twin", contents: ["other"] }]), [
        { entityName: "twin", addedObservations: ["other"] },
      ]);
      await graph.deleteObservations([{ entityName: "twin", observations: ["seen"] }]);
      assert.deepEqual((await graph.open(["twin"])).entities, [entity("twin", "other"), twins[1]]);
      await graph.deleteEntities(["twin", "twin", "absent"]);
      assert.deepEqual(await graph.read(), { entities: [entity("new")], relations: [] });
      assert.deepEqual(await graph.createEntities([entity("twin", "again")]), [entity("twin", "again")]);
      assert.deepEqual((await graph.read()).entities, [entity("new"), entity("twin", "again")]);
    },
  },
  {
    title: "observations are added once, in the order given, and none if one of the entities is unknown",
    async check({ open }) {
      const graph = await open();
      await graph.createEntities([entity("a", "one", "one"), entity("b")]);
      assert.deepEqual(
        await graph.addObservations([
          { entityName: "a", contents: ["two", "one", "two", "three"] },
          { entityName: "b", contents: ["one"] },
          { entityName: "a", contents: ["two", "four"] },
          { entityName: "b", contents: [] },
        ]),
        [
          { entityName: "a", addedObservations: ["two", "two", "three"] },
          { entityName: "b", addedObservations: ["one"] },
          { entityName: "a", addedObservations: ["four"] },
          { entityName: "b", addedObservations: [] },
        ],
      );
      const all = [entity("a", "one", "one", "two", "two", "three", "four"), entity("b", "one")];
      assert.deepEqual((await graph.read()).entities, all);
      await assert.rejects(
        graph.addObservations([
          { entityName: "a", contents: ["lost"] },
          { entityName: "A", contents: ["lost"] },
        ]),
        { code: "entity_unknown", message: "Entity with name A not found" },
      );
      assert.deepEqual((await graph.read()).entities, all);
      await graph.deleteObservations([
        { entityName: "a", observations: ["two", "absent"] },
        { entityName: "absent", observations: ["one"] },
        { entityName: "b", observations: [] },
      ]);
      await graph.addObservations([{ entityName: "a", contents: ["two"] }]);
      assert.deepEqual((await graph.read()).entities, [
        entity("a", "one", "one", "three", "four", "two"),
        entity("b", "one"),
      ]);
    },
  },
  {
    title: "relations need no entities, are kept once, and go with either end",
    async check({ open }) {
      const graph = await open();
      const ties = [relation("a", "b"), relation("a", "b"), relation("a", "b", "likes"), relation("b", "c")];
      assert.deepEqual(await graph.createRelations(ties), ties);
      assert.deepEqual(await graph.createRelations([relation("a", "b"), relation("c", "c")]), [
        relation("c", "c"),
      ]);
      await graph.deleteRelations([relation("a", "b"), relation("b", "a"), relation("x", "y")]);
      assert.deepEqual((await graph.read()).relations, [ties[2], ties[3], relation("c", "c")]);
      await graph.deleteEntities(["c"]);
      assert.deepEqual((await graph.read()).relations, [ties[2]]);
      await graph.deleteEntities(["a"]);
      assert.deepEqual(await graph.read(), nothing);
    },
  },
  {
    title: "calls with nothing in them change nothing",
    async check({ open }) {
      const graph = await open();
      await graph.createEntities([entity("a", "one")]);
      assert.deepEqual(await graph.createEntities([]), []);
      assert.deepEqual(await graph.createRelations([]), []);
      assert.deepEqual(await graph.addObservations([]), []);
      await graph.deleteEntities([]);
      await graph.deleteObservations([]);
      await graph.deleteRelations([]);
      assert.deepEqual(await graph.merge(nothing, new Map()), { entities: 0, observations: 0, relations: 0 });
      assert.deepEqual(await graph.read(), { entities: [entity("a", "one")], relations: [] });
    },
  },
  {
    title: "a file is merged with its duplicates, in parts as well as whole, and a second time adds nothing",
    async check({ open }) {
      const graph = await open();
      await graph.createEntities([entity("a", "one")]);
      await graph.createRelations([relation("a", "b")]);
      const first: GraphContent = {
        entities: [entity("a", "one", "two", "two"), entity("b", "one", "one"), entity("b", "two")],
        relations: [relation("a", "b"), relation("b", "a"), relation("b", "a")],
      };
      const second: GraphContent = {
        entities: [entity("a", "three"), entity("b", "three"), entity("a", "four")],
        relations: [relation("a", "b"), relation("b", "a"), relation("a", "c")],
      };
      const seen = new Map<string, number>();
      assert.deepEqual(await graph.merge(first, seen), { entities: 2, observations: 4, relations: 2 });
      assert.deepEqual(await graph.merge(second, seen), { entities: 3, observations: 3, relations: 3 });
      const whole = {
        entities: [entity("a", "one", "two"), ...first.entities.slice(1), ...second.entities],
        relations: [...first.relations, ...second.relations],
      };
      assert.deepEqual(await graph.read(), whole);
      const again = new Map<string, number>();
      for (const part of [first, second])
        assert.deepEqual(await graph.merge(part, again), { entities: 0, observations: 0, relations: 0 });
      assert.deepEqual(await graph.merge(whole, new Map()), { entities: 0, observations: 0, relations: 0 });
      assert.deepEqual(await (await open()).read(), whole);
    },
  },
  {
    title: "calls that one opener makes at the same time are all done",
    async check({ open }) {
      const graph = await open();
      const numbers = Array.from({ length: 20 }, (_, n) => n);
      await graph.createEntities([entity("all")]);
      await Promise.all(
        numbers.flatMap((n) => [
          graph.createEntities([entity(`n${n}`)]),
          graph.addObservations([{ entityName: "all", contents: [`n${n}`] }]),
        ]),
      );
      const { entities } = await graph.read();
      const names = numbers.map((n) => `n${n}`).toSorted();
      assert.deepEqual(
        entities
          .slice(1)
          .map(({ name }) => name)
          .toSorted(),
        names,
      );
      assert.deepEqual(entities[0]?.observations.toSorted(), names);
    },
  },
];

/** The contract that every Graph must pass, in a form that any test runner can drive. */
export const graphContract: readonly GraphCase[] = [...callCases, ...graphTextCases, ...graphProcessCases];
