// Measures whole processes of the programs against `node -e 0`.
import { rmSync } from "node:fs";
import { events, longJournal } from "./long-journal.mjs";
import { medians } from "./measure.mjs";

const goals = { "mettle --version": 1.3, "mettle status": 1.8, "envoy protocol implementation": 1.8 };

/** One row for the table of docs/benchmarks.md for each candidate. */
export async function run({ rounds = 31 } = {}) {
  const { base, repository, home } = await longJournal();
  try {
    const bin = new URL("../dist/bin/mettle.cjs", import.meta.url).pathname;
    const envoy = new URL("../dist/bin/envoy.cjs", import.meta.url).pathname;
    const found = medians(
      {
        "node -e 0": { argv: ["-e", "0"] },
        "mettle --version": { argv: [bin, "--version"] },
        "mettle status": { argv: [bin, "status"], cwd: repository, env: { METTLE_HOME: home } },
        "envoy protocol implementation": { argv: [envoy, "protocol", "implementation"], cwd: repository },
      },
      { rounds },
    );
    const floor = found["node -e 0"];
    return Object.entries(found).map(([name, ms]) => ({
      what: name === "mettle status" ? `${name} (journal of ${events} events)` : name,
      ms,
      ratio: ms / floor,
      goal: goals[name] ?? null,
    }));
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}
