import { expect, test } from "vitest";
import { refuseHoldout } from "./holdout.ts";

const graph = { name: "graph", gates: { merge: {} } } as never;
const orchestrate = { name: "orchestrate", gates: { red: {} } } as never;
const some = { proof: { holdout: 0.3 } };

test("holdout_unsupported: nothing is promised that a run cannot withhold (PRV-16)", () => {
  const refused = expect.objectContaining({ code: "holdout_unsupported" });
  expect(() => refuseHoldout(graph, some, false)).toThrow(refused);
  expect(() => refuseHoldout(orchestrate, some, true)).toThrow(refused);
  for (const settings of [{ proof: {} }, { proof: { holdout: 0 } }])
    expect(() => refuseHoldout(graph, settings, true)).not.toThrow();
  expect(() => refuseHoldout(orchestrate, some, false)).not.toThrow();
});
