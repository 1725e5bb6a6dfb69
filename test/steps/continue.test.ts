/** The driver's /continue: prompts of the plan go to agents until all are merged (ENV-86, ENV-31). */
import { writeFile } from "node:fs/promises";
import { beforeAll, expect, vi } from "vitest";
import { promptText } from "../envoy/plan-world.ts";
import { verifiesInCi } from "../verifies.ts";
import { createStepsWorld, enter, implemented, merged, type StepsWorld } from "./world.ts";

vi.setConfig({ testTimeout: 300_000 });

let world: StepsWorld;
beforeAll(async () => void (world = await createStepsWorld()));

const done = (payload: object) => ({ status: "DONE", message: "done", payload });

verifiesInCi(
  ["ENV-31", "ENV-86"],
  "a feature with three variants, a fix and later prompts goes to parallel agents, and ends as the plan shows",
  async () => {
    for (const letter of ["A", "B", "C"])
      await world.ok(["plan", "write-prompt", "1", letter, ...promptText]);
    await world.ok(["plan", "write-prompt", "2", ...promptText, "--debug"]);
    await world.ok(["plan", "write-prompt", "3", ...promptText, "--depends-on", "1,2"]);
    const order = (protocol: string, id: string, variant: string | null) =>
      `Run \`envoy protocol ${protocol}\` and follow the steps. INPUTS: \`{ prompt_num: ${id}, variant: ${variant}, feature_branch: feature/x }\``;
    const variant = (letter: string, then: string, payload: object) => ({
      worker: [
        {
          expects: [order("implementation", "1", letter)],
          forbids: ["You have begun already"],
          does: [
            { shell: implemented(`1 ${letter}`, `export const one = "${letter}";`) },
            { shell: `envoy plan block-prompt-variants-gate 1 ${letter}` },
          ],
        },
        {
          expects: [`envoy plan block-prompt-variants-gate 1 ${letter}`],
          does: [{ shell: then }],
          report: done(payload),
        },
      ],
    });
    const fix = implemented("2", "export const two = 2; // [DEBUG-TEMP] is a word here").replace(
      "envoy plan record",
      "envoy plan block-debugging-logging-gate 2 || exit 0\nenvoy plan record",
    );
    await world.cassette(
      {},
      {
        "1_A": variant("A", merged("1 A"), { success: true, merged: true }),
        "1_B": variant("B", "true", { success: true, merged: false, reason: "alternative" }),
        "1_C": variant("C", "envoy git discard-worktree 1 C", {
          success: true,
          merged: false,
          reason: "rejected",
        }),
        "2": {
          worker: [
            { expects: [order("debugging", "2", null)], does: [{ shell: fix }] },
            {
              expects: ['"logs":"TypeError'],
              does: [
                {
                  shell: `${enter("2")}\nenvoy plan record-implementation 2 --walkthrough @../walkthrough-2.md --iteration 1 && envoy git commit 2 --message Fix && envoy gemini review 2 && envoy plan block-prompt-testing-gate 2`,
                },
              ],
            },
            {
              expects: ['"passed":true'],
              does: [
                {
                  shell: `${enter("2")}\nenvoy plan cleanup-debug-logs && ${merged("2").replace("set -e\n", "")}`,
                },
              ],
              report: done({ success: true, merged: true }),
            },
          ],
        },
        "3": {
          worker: [
            {
              expects: [order("implementation", "3", null)],
              does: [{ shell: `${implemented("3", "export const three = 3;")}\n${merged("3")}` }],
              report: done({ success: true, merged: true }),
            },
          ],
        },
      },
    );
    const started = await world.run(["run", "--protocol", "continue", "--parallel", "2"]);
    const { run, waiting_all: waiting } = started.json as { run: string; waiting_all: { shown: string }[] };
    expect([started.code, waiting.map(({ shown }) => shown.split(" ")[0]).toSorted()]).toEqual([
      3,
      ["1_variants", "1_variants", "1_variants", "2_logging"],
    ]);
    await world.answer("1_variants", {
      "variants.A.decision": "main",
      "variants.B.decision": "alternative",
      "variants.C.decision": "discard",
    });
    await writeFile(world.place("2_logging_logs.md"), "TypeError: of undefined\n");
    await world.answer("2_logging", { thoughts: "Look at the log" });
    const tested = await world.run(["resume", run]);
    expect([tested.code, tested.json["waiting"]]).toMatchObject([
      3,
      { shown: expect.stringContaining("2_testing waits for you") as string },
    ]);
    await world.answer("2_testing", { test_passed: "true" });
    const ended = await world.run(["resume", run]);
    expect([ended.code, ended.json["status"]]).toEqual([0, "complete"]);
    const events = await world.events(run);
    const of = (type: string) => events.filter((event) => event["type"] === type);
    expect(of("claim.unverified")).toEqual([]);
    expect(
      of("gate.judged").filter(({ gate, verdict }) => gate === "shown_in_plan" && verdict === "pass"),
    ).toHaveLength(5);
    const solutions = [
      "prompts/1_A.md",
      "prompts/1_B.md",
      "prompts/1_C.md",
      "prompts/2.md",
      "prompts/3.md",
    ].map(async (file) => {
      const { status, variant_solution } = await world.fields(file);
      return [status, variant_solution];
    });
    expect(await Promise.all(solutions)).toEqual([
      ["merged", "main"],
      ["reviewed", "alternative"],
      ["reviewed", "discard"],
      ["merged", null],
      ["merged", null],
    ]);
    const branches = (await world.repository.git("branch", "--list", "--format=%(refname:short)")).split(
      "\n",
    );
    expect(branches).toEqual(
      expect.arrayContaining(["archive/feature/x--implementation-1-C", "feature/x--implementation-1-B"]),
    );
    const files = await world.repository.git("ls-tree", "-r", "--name-only", "feature/x", "src");
    expect(files.split("\n")).toEqual(expect.arrayContaining(["src/1A.ts", "src/2.ts", "src/3.ts"]));
  },
);
