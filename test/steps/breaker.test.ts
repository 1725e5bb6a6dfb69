/** The breaker of the protocols of printed steps: what is printed, and what each option does. */
import { beforeAll, expect } from "vitest";
import { promptText } from "../envoy/plan-world.ts";
import type { InProcessResult } from "../cli/here.ts";
import { verifies } from "../verifies.ts";
import { createStepsWorld, type StepsWorld } from "./world.ts";

let world: StepsWorld;
beforeAll(async () => {
  world = await createStepsWorld();
  await world.ok(["plan", "write-prompt", "1", ...promptText]);
});

const says = (message: string, ...expects: string[]) => ({ expects, report: { status: "BL", message } });
const turns = [
  says("nothing is here to work on"),
  says("it cannot be done", "look in src"),
  says("nor in this way", "begin with the tests"),
  says("and not from there"),
];

/** Each with the agent that is stopped first. */
const protocols = [
  { line: ["--protocol", "implementation", "--input", "prompt_num=1"], role: "worker", node: null },
  { line: ["--protocol", "plan", "Add a cart"], role: "planner", node: null },
  { line: ["--protocol", "continue"], role: "worker", node: "1" },
] as const;

for (const { line, role, node } of protocols)
  verifies(
    "CORE-76@steps",
    `stops ${line[1]} with exit 4 until a person chooses one option, and complete never follows`,
    async () => {
      await (node === null
        ? world.cassette({ [role]: turns })
        : world.cassette({}, { [node]: { [role]: turns } }));
      const first = await world.run(["run", ...line]);
      const { run } = first.json as { run: string };
      const head = async () => (await world.events(run)).length;
      const block = ({ stdout }: InProcessResult) =>
        /⚠️[\s\S]*Awaiting user decision\.\.\.\n/u.exec(stdout)?.[0] ?? "";
      expect([first.code, first.json["status"]], first.stderr).toEqual([4, "blocked"]);
      const before = await head();
      const shown = await world.text("resume", run);
      expect([shown.code, await head()]).toEqual([4, before]);
      expect(block(shown)).toContain("nothing is here to work on\n");
      const base = /--reset ([0-9a-f]{40})\n/u.exec(block(shown))?.[1] ?? "";
      for (const option of [`--reset ${base}`, '--context "…"', '--approach "…"'])
        expect(block(shown)).toContain(`     mettle resume ${run} ${option}\n`);
      expect(shown.stdout).toContain(`\`mettle abort ${run}\` ends it`);
      expect(shown.stdout.trimEnd().split("\n").at(-1)).toMatch(/^✗ NOT DONE: /u);
      const two = await world.text("resume", run, "--context", "a", "--approach", "b");
      expect([two.code, await head()]).toEqual([2, before]);

      for (const [option, words, next] of [
        ["--context", "look in src", "it cannot be done"],
        ["--approach", "begin with the tests", "nor in this way"],
        ["--reset", base, "and not from there"],
      ] as const) {
        const went = await world.text("resume", run, option, words);
        expect([option, went.code, block(went)], went.stderr).toEqual([
          option,
          4,
          expect.stringContaining(`${next}\n`),
        ]);
      }
      expect((await world.text("abort", run)).code).toBe(1);
      const over = await world.text("resume", run, "--context", "more");
      expect([over.code, over.stderr]).toEqual([2, expect.stringContaining("error[run_ended]")]);
      const ends = (await world.events(run)).filter(({ type }) => type === "run.ended");
      expect(ends.map(({ outcome }) => outcome)).toEqual(["halted"]);
    },
  );
