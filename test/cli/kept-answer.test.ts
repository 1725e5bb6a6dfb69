/** A passing answer is kept for the same question, and given again at once while nothing changed. */
import { join } from "node:path";
import { describe, expect } from "vitest";
import { GateAnswer } from "../../src/change/answer.ts";
import { confinesHere } from "../sandbox/bubblewrap.ts";
import { inCi } from "../verifies.ts";
import { changeWorld, type ChangeWorld } from "./change-world.ts";

const place = (sandbox = "auto") => changeWorld(["honest", "untested"], undefined, sandbox);

async function prove(world: ChangeWorld, head: string, ...more: readonly string[]) {
  const { code, answer } = await world.ask("prove", "--base", "main", "--head", head, ...more);
  if (answer.error !== undefined) throw new Error(answer.error.message);
  const { is_kept: isKept, ...rest } = GateAnswer.parse(answer);
  return { code, isKept, rest };
}

describe.skipIf(!confinesHere())("answers of confined gates (SKIPPED without bubblewrap)", () => {
  inCi(
    "the same question is answered from the kept answer, until something changed or --again is named",
    async () => {
      const world = await place();
      const first = await prove(world, "honest");
      expect([first.code, first.isKept]).toEqual([0, undefined]);
      const second = await prove(world, "honest");
      expect(second).toEqual({ ...first, isKept: true });
      expect((await world.read("prove", "--base", "main", "--head", "honest")).text).toMatch(
        /executed at \d{4}-\d\d-\d\d \d\d:\d\d UTC,\s+and nothing changed since;\s+--again\s+executes\s+it\s+again/u,
      );
      const again = await prove(world, "honest", "--again");
      expect([again.isKept, again.rest.started > first.rest.ended]).toEqual([undefined, true]);
      const record = join(world.home, "record.json");
      expect((await prove(world, "honest", "--out", record)).isKept).toBe(undefined);
      await world.repo.write({ "mettle.yaml": "version: 1\ndeadlines: { test: 50s }\n" });
      expect((await prove(world, "honest")).isKept).toBe(undefined);
      expect((await prove(world, "honest")).isKept).toBe(true);
      await world.repo.write({ "node_modules/.package-lock.json": "{}" });
      expect((await prove(world, "honest")).isKept).toBe(undefined);
    },
    120_000,
  );
});

inCi(
  "nothing is kept of a gate without a sandbox, of one that fails, and of one with commands that prepare",
  async () => {
    const open = await place("off");
    for (const isKept of [undefined, undefined]) expect((await prove(open, "honest")).isKept).toBe(isKept);
    const world = await place();
    for (const code of [1, 1])
      expect(await prove(world, "untested")).toMatchObject({ code, isKept: undefined });
    await world.repo.write({ "mettle.yaml": 'version: 1\ntests: { prepare: ["true"] }\n' });
    for (const isKept of [undefined, undefined]) expect((await prove(world, "honest")).isKept).toBe(isKept);
  },
  120_000,
);
