/** A plan of two prompts with three variants each and one debug prompt, and the person who answers its gates. */
import { readdir } from "node:fs/promises";
import { stringify } from "yaml";
import type { GateWorld } from "../envoy/gate-world.ts";
import { promptText } from "../envoy/plan-world.ts";

export const debugged = "3";
const price = (value: number | string) => ({ "src/price.js": `export const price = ${value};\n` });
const tax = (value: string) => ({ "src/tax.js": `export const tax = ${value};\n` });
const fix = (value: number) => ({
  "src/b.js": `// [DEBUG-TEMP]\nconsole.log("b");\n\nexport const b = ${value};\n`,
});

/** Prompt -> its files, also for changes after a review or test. */
export const work: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>> = {
  "1 A": [price("1")],
  "1 B": [price("20"), price("2"), price("2.5")],
  "1 C": [price("3")],
  "2 A": [tax("0.1")],
  "2 B": [tax("0.2")],
  "2 C": [tax("0.3")],
  [debugged]: [fix(0), fix(1)],
};

/** The person's nth answer at a gate. */
function answerTo(gate: string, nth: number): Readonly<Record<string, string>> {
  if (gate === "1_variants") return decide({ A: "alternative", B: "main", C: "discard" });
  if (gate === "2_variants") return decide({ A: "main", B: "discard", C: "alternative" });
  if (gate === "3_logging") return { thoughts: "it is 0", logs: "b is 0" };
  if (gate === "1_B_testing" && nth === 0) return { test_passed: "false", user_required_changes: "Say 2.5" };
  return { test_passed: "true" };
}

function decide(variants: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(variants).map(([letter, decision]) => [`variants.${letter}.decision`, decision]),
  );
}

/** Two prompts with three variants each and one debug prompt; the reviewer requests one change. */
export async function layPlan({ repository, ok }: GateWorld): Promise<void> {
  const says = (verdict: object) => ({ does: [{ say: JSON.stringify(verdict) }] });
  const passes = { ...says({ verdict: "passed" }), repeat: true };
  await repository.write({
    ".gitignore": "mettle.yaml\nreview.yaml\n",
    "package.json": '{ "name": "shop", "type": "module" }\n',
    "test/base.test.js": 'import { test } from "node:test";\ntest("base", () => {});\n',
    "mettle.yaml": "version: 1\nagents: { roles: { reviewer: 'scripted:review.yaml' } }\n",
    "review.yaml": stringify({
      version: 1,
      kind: "cassette",
      roles: { reviewer: [passes] },
      nodes: { "1_B": { reviewer: [says({ verdict: "failed", suggested_changes: "2" }), passes] } },
    }),
  });
  await repository.commit("A shop");
  await ok(["plan", "init"]);
  for (const id of Object.keys(work)) {
    const more = id === debugged ? "--debug" : "--requires-testing";
    await ok(["plan", "write-prompt", ...id.split(" "), ...promptText, more]);
  }
}

/** The person: answers each open gate by `mettle answer`, and chooses among variants once all of them wait. */
export async function answerGates(world: GateWorld, signal: AbortSignal): Promise<void> {
  const given = new Map<string, number>();
  while (!signal.aborted) {
    const files = await readdir(world.place("")).catch(() => []); // no gate yet
    for (const gate of files.flatMap((name) => /^(\w+)\.yaml$/u.exec(name)?.[1] ?? [])) {
      const shown = await world.saved(`${gate}.yaml`).catch(() => ""); // settled meanwhile
      if (gate.endsWith("_variants") && /not passed|unimplemented/u.test(shown)) continue;
      const nth = given.get(gate) ?? 0;
      const fields = Object.entries(answerTo(gate, nth));
      const sets = fields.flatMap(([field, value]) => ["--set", `${field}=${value}`]);
      const { code } = await world.mettle("answer", gate, ...sets);
      if (code === 0) given.set(gate, nth + 1);
    }
    await new Promise((done) => setTimeout(done, 300));
  }
}
