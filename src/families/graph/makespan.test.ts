import { expect, test } from "vitest";
import { dice } from "../../kernel/fixtures/tree/random.ts";
import { protocolNamed } from "../../kernel/fixtures/protocols.ts";
import { sha256 } from "../../lib/hash.ts";
import { randomTree, simulate } from "./fixtures/makespan.ts";

const protocol = protocolNamed("graph");
const isDeep = process.env["METTLE_DEEP"] !== undefined;

/** By the key, so that another order of starts has the same work to do. */
function durations(seed: number): (key: string) => number {
  return (key) => 10 + dice(Number.parseInt(sha256(`${seed} ${key}`).slice(7, 15), 16)).below(90);
}

test.each(isDeep ? [10, 100, 1000] : [10, 30])(
  "a random tree of %i nodes takes little longer than any schedule must",
  (nodes) => {
    for (let seed = 1; seed <= (nodes === 1000 ? 1 : 5); seed++) {
      const tree = randomTree(nodes, { dice: dice(seed), width: 8 });
      const result = simulate({ protocol, tree, slots: 16, duration: durations(seed) });
      const ratio = result.makespan / result.bound;
      if (isDeep)
        console.log(`${nodes} nodes, seed ${seed}: ${ratio.toFixed(3)}, ${Math.round(result.cpuMs)} ms`);
      expect(ratio).toBeLessThan(1.15);
    }
  },
  600_000,
);
