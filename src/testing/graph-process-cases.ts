import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import type { GraphCase, GraphProcess, GraphSubject } from "./graph-case.ts";

/** Several processes that have the graph open. */
const started = (subject: GraphSubject, count: number): Promise<readonly GraphProcess[]> =>
  Promise.all(Array.from({ length: count }, () => subject.start()));

/** Turns of two calls, an entity and then an observation of it. */
const adding = (name: string, turns: number) =>
  Array.from({ length: turns }, (_, n) => {
    const entity = `${name}-${n}`;
    return [
      ["create_entities", { entities: [{ name: entity, entityType: "t", observations: [`o${n}`] }] }],
      ["add_observations", { observations: [{ entityName: entity, contents: ["later"] }] }],
    ] as const;
  }).flat();

export const graphProcessCases: readonly GraphCase[] = [
  {
    title: "of processes that create the same at the same moment one does it, and all go on with it",
    isSlow: true,
    async check(subject) {
      const processes = await started(subject, 4);
      const names = Array.from({ length: 20 }, (_, n) => `n${n}`);
      const tie = (name: string) => ({ from: name, to: "n0", relationType: "follows" });
      for (const one of processes)
        one.call(
          names.flatMap((name) => [
            ["create_entities", { entities: [{ name, entityType: "t", observations: [] }] }] as const,
            [
              "add_observations",
              { observations: [{ entityName: name, contents: ["seen", "again"] }] },
            ] as const,
            ["create_relations", { relations: [tie(name)] }] as const,
          ]),
        );
      assert.deepEqual(await Promise.all(processes.map(({ ended }) => ended)), [0, 0, 0, 0]);
      const graph = await subject.open();
      const { entities, relations } = await graph.read();
      assert.deepEqual(entities.map(({ name }) => name).toSorted(), names.toSorted());
      assert.deepEqual(
        entities.map(({ observations }) => observations),
        names.map(() => ["seen", "again"]),
      );
      assert.deepEqual(relations.map(({ from }) => from).toSorted(), names.toSorted());
      // Each was told to exactly one process as new.
      const told = processes.map(({ answers }) => JSON.stringify(answers)).join();
      for (const name of names) {
        const created = told.split(
          JSON.stringify({ entities: [{ name, entityType: "t", observations: [] }] }),
        );
        const added = told.split(`{"entityName":"${name}","addedObservations":["seen","again"]}`);
        const tied = told.split(JSON.stringify({ relations: [tie(name)] }));
        assert.deepEqual([name, created.length, added.length, tied.length], [name, 2, 2, 2]);
      }
    },
  },
  {
    title: "8 processes with many calls, two of them killed: each acknowledged write exists exactly once",
    isSlow: true,
    async check(subject) {
      const turns = subject.calls / 2;
      const processes = await started(subject, 8);
      const victims = processes.slice(0, 2);
      // The two victims have many more calls, so that they are still running when they are killed.
      for (const [n, one] of processes.entries()) one.call(adding(`p${n}`, n < 2 ? 100 * turns : turns));
      for (const [nth, { answers, kill }] of victims.entries()) {
        while (answers.length < 40 + 40 * nth) await pause(5);
        kill();
      }
      const codes = await Promise.all(processes.map(({ ended }) => ended));
      assert.deepEqual(codes, [null, null, 0, 0, 0, 0, 0, 0]);
      const graph = await subject.open();
      const { entities } = await graph.read();
      const kept = new Map(entities.map(({ name, observations }) => [name, observations.join()]));
      assert.equal(kept.size, entities.length);
      for (const [n, { answers }] of processes.entries()) {
        const whole = Math.floor(answers.length / 2);
        assert.equal(whole, n < 2 ? Math.max(whole, 20) : turns);
        for (let turn = 0; turn < whole; turn++) assert.equal(kept.get(`p${n}-${turn}`), `o${turn},later`);
        // A process that was killed has at most one entity whose second call was not acknowledged.
        const own = entities.filter(({ name }) => name.startsWith(`p${n}-`)).length;
        assert.ok(own - whole <= (n < 2 ? 1 : 0), `${own} entities of ${whole} acknowledged`);
      }
      // The search agrees with the rest.
      assert.equal(
        (await graph.search("LATER")).entities.length,
        entities.filter(({ observations }) => observations.includes("later")).length,
      );
    },
  },
];
