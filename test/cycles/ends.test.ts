/** How a command may leave a run of riper or dptr: the printed text, the exit code, and how it continues. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { callProgram } from "../cli/stage.ts";
import type { CliResult, CassetteFile, TurnFile, World } from "../orchestrate/world.ts";
import { callIn } from "../cli/here.ts";
import { verifies, verifiesInCi } from "../verifies.ts";
import { samples } from "../wide.ts";
import { issues } from "./by-codes.ts";
import { createCyclesWorld, oneCycle, type CyclesCassette, type Role } from "./world.ts";

const Ended = z.object({
  version: z.literal(1),
  run: z.string(),
  protocol: z.enum(["riper", "dptr"]),
  outcome: z.enum(["complete", "halted", "failed", "waiting", "escalated", "inconclusive", "interrupted"]),
  mode: z.string(),
  cycles: z.array(z.strictObject({ cycle: z.int(), method: z.string(), status: z.string() })),
  failing: z
    .strictObject({
      gate: z.string().nullable(),
      row: z.string().nullable(),
      dispatch: z.string().nullable(),
      code: z.string().nullable(),
      cycle: z.int().nullable(),
      why: z.string(),
    })
    .nullable(),
});

let world: World;
let programCalled = false;
beforeAll(async () => void (world = await createCyclesWorld()));

async function cassette(roles: Partial<Record<Role, TurnFile[]>>): Promise<CyclesCassette> {
  const { roles: own, ...rest } = await oneCycle();
  return { ...rest, roles: { ...own, ...roles } };
}

async function lineOf(
  protocol: string,
  roles: Partial<Record<Role, TurnFile[]>>,
): Promise<readonly string[]> {
  const agent = await world.agent((await cassette(roles)) as unknown as CassetteFile);
  return ["run", "Add slugify(text)", "--protocol", protocol, "--agent", `default=${agent}`];
}

async function endedRun(protocol: string, roles: Partial<Record<Role, TurnFile[]>>) {
  const line = [...(await lineOf(protocol, roles)), "--json"];
  // The first by the built program.
  const called = await (programCalled ? callIn(world, line) : world.cli(line));
  programCalled = true;
  return { ...outputOf(called), code: called.code };
}

function outputOf({ stdout, stderr }: CliResult) {
  expect(stdout.trimEnd().split("\n"), stderr).toHaveLength(1);
  const { outcome, failing, cycles, mode, run } = Ended.parse(JSON.parse(stdout));
  return { outcome, failing, cycles, mode, run };
}

const linesOf = async (run: string) =>
  (await world.host.journal.read(run)).flatMap(({ data }) => (data as { line?: string }).line ?? []);

const say = (status: string, message = "", does: TurnFile["does"] = []): TurnFile => ({
  does,
  report: { status, message },
});

describe("a rejected design", () => {
  verifies(
    ["TDP-13", "TDP-66"],
    "halts the run with exit 1 and its reason, and cannot be continued",
    async () => {
      const { code, outcome, failing, run, mode, cycles } = await endedRun("riper", {
        arch_critic: [say("REJECT", "the library does it already")],
      });
      expect([code, outcome, mode, cycles]).toEqual([1, "halted", "Ω₂ᴬ", []]);
      expect(failing).toEqual({
        gate: null,
        row: null,
        dispatch: "Ω₂ᴬ[CTX:Λ₁]",
        code: "REJECT",
        cycle: null,
        why: "the library does it already",
      });
      const before = await world.host.journal.head(run);
      const again = await world.cli(["resume", run]);
      expect([again.code, again.stdout]).toEqual([2, ""]);
      expect(again.stderr).toMatch(/^error\[run_ended\]: run \w+ has ended: halted/mu);
      expect(await world.host.journal.head(run)).toBe(before);
      expect(await linesOf(run)).toEqual(["Ω₁ᴾ[]", "Ω₂ᴬ[CTX:Λ₁]"]);
      expect((await callIn(world, ["show", run])).stdout).toContain(
        "status    halted: Ω₂ᴬ[CTX:Λ₁] →REJECT: the library does it already",
      );
    },
  );
});

describe("a design to revise", () => {
  verifiesInCi(
    ["DPT-02", "TDP-66"],
    "waits under dptr with exit 3 for the person, who sends it back or ends it; under riper no one is asked",
    async () => {
      const revise = { report: { status: "REVISE", message: "two things", payload: issues } };
      const [designer = {}] = (await oneCycle()).roles.designer;
      const roles = { designer: [{ ...designer, repeat: true }], arch_critic: [{ ...revise, repeat: true }] };
      const { code, outcome, failing, run } = await endedRun("dptr", roles);
      expect([code, outcome]).toEqual([3, "waiting"]);
      expect(failing).toMatchObject({ dispatch: "Ω₂ᴬ[CTX:slugify]", code: "REVISE" });
      const shown = (await callIn(world, ["show", run])).stdout;
      expect(shown).toContain(`mettle answer ${run} revise`);
      const answered = await callIn(world, ["answer", run, "revise"]);
      expect(answered.code, answered.stderr).toBe(3);
      expect(answered.stdout).toContain("Ω₂ᴬ[CTX:slugify] →REVISE: two things");
      expect(answered.stdout).toContain("no salt (suggestion: salt it)");
      const design = ["Ω₁ᴾ[]", "Ω₂ᴬ[CTX:slugify]"];
      expect(await linesOf(run)).toEqual([...design, ...design]);
      expect((await callIn(world, ["abort", run])).code).toBe(1);
      expect((await callIn(world, ["status", run, "--json"])).stdout).toContain('"status":"halted"');

      const riper = await endedRun("riper", {
        designer: [designer, designer],
        arch_critic: [revise, say("REJECT", "no")],
      });
      expect(riper.code).toBe(1);
      expect(await linesOf(riper.run)).toEqual(["Ω₁ᴾ[]", "Ω₂ᴬ[CTX:Λ₁]", "Ω₁ᴾ[]", "Ω₂ᴬ[CTX:Λ₁]"]);
    },
  );
});

describe.each(samples(["riper", "dptr"] as const))("a dialogue of %s that cannot agree", (protocol) => {
  verifies(
    ["TDP-18", "TDP-25", "TDP-66", `CORE-76@${protocol}`],
    "exits 4 and prints commands that each work as described; without one nothing continues",
    async () => {
      const [plan = {}] = (await oneCycle()).roles.planner;
      const file = await lineOf(protocol, {
        planner: [say("EN", "the design forbids it"), { ...plan, expects: ["use words() alone"] }],
        plan_critic: [
          say("EN", "no order is right", [{ observe: "slugify must come last" }]),
          {
            ...say("ME", "the memory is gone", [{ say: "I ask and nobody answers" }]),
            expects: ["begin with the tests"],
          },
          { ...say("EN", "still not"), expects: ["the memory is back"] },
          say("EN", "and again"),
        ],
      });
      const first = await callIn(world, file);
      expect(first.code, first.stderr).toBe(4);
      expect(first.stdout).toContain("Stopped by: Ω₃ᴾ[R0] →EN: the design forbids it\n");
      expect(first.stdout).toContain("Last of Ω₃ᴾ: the design forbids it\n");
      const run = /run (\w+) waits for you/u.exec(first.stdout)?.[1] ?? "";
      const base = /--reset ([0-9a-f]{40})/u.exec(first.stdout)?.[1] ?? "";
      for (const command of [`--context "…"`, `--approach "…"`, `--reset ${base}`])
        expect(first.stdout).toContain(`mettle resume ${run} ${command}`);
      expect(first.stdout).toContain(`mettle abort ${run}`);

      const before = await world.host.journal.head(run);
      const alone = await callIn(world, ["resume", run]);
      expect([alone.code, await world.host.journal.head(run)]).toEqual([4, before]);
      expect(alone.stdout).toContain("Stopped by: ");

      const two = await callIn(world, ["resume", run, "--context", "a", "--approach", "b"]);
      expect([two.code, await world.host.journal.head(run)]).toEqual([2, before]);

      const context = await callIn(world, ["resume", run, "--context", "use words() alone"]);
      expect(context.code, context.stderr).toBe(4);
      expect(context.stdout).toContain("Stopped by: Ω₄ᶜ[R0] →EN: no order is right\n");
      expect(context.stdout).toContain("  Ω₃ᴾ[R0] →PC: two cycles\n");
      expect(context.stdout).toContain("Last of Ω₃ᴾ: One cycle for each module; slugify first.\n");
      expect(context.stdout).toContain("Last of Ω₄ᶜ: slugify must come last\n");

      const approach = await callIn(world, ["resume", run, "--approach", "begin with the tests"]);
      expect(approach.code, approach.stderr).toBe(4);
      expect(approach.stdout).toContain("Stopped by: Ω₄ᶜ[R0] →ME: the memory is gone\n");
      expect(approach.stdout).toContain("Last output:\n  I ask and nobody answers\n");

      const back = await callIn(world, ["resume", run, "--context", "the memory is back", "--json"]);
      expect(outputOf(back)).toMatchObject({
        outcome: "escalated",
        mode: "Ω₄ᶜ",
        failing: { dispatch: expect.stringMatching(/^Ω₄ᶜ\[S/u), code: "EN", why: "still not" },
      });
      const reset = await callIn(world, ["resume", run, "--reset", base]);
      expect(reset.code, reset.stderr).toBe(4);
      expect(reset.stdout).toContain("Stopped by: Ω₄ᶜ[R0] →EN: and again\n");
      const lines = (await linesOf(run)).map((line) => line.replace(/S[^,]+,/u, ""));
      expect(lines.slice(-6)).toEqual(["Ω₃ᴾ[R0]", "Ω₃ᴾ[R0]", "Ω₄ᶜ[R0]", "Ω₄ᶜ[R0]", "Ω₄ᶜ[R0]", "Ω₄ᶜ[R0]"]);
      const bank = await readFile(join(world.repository.dir, "memory-bank/activeContext.md"), "utf8");
      expect(bank).toMatch(/plan_approved\W+false/u);
      expect((await callIn(world, ["abort", run])).code).toBe(1);
      expect((await callIn(world, ["resume", run, "--context", "more"])).code).toBe(2);
    },
  );
});

describe("obstacles of a run", { tags: "ci" }, () => {
  verifies(
    "TDP-66",
    "an unusable agent leaves it inconclusive with exit 5, an interruption with 130",
    async () => {
      const auth = [{ does: [{ fails: { outcome: "auth", why: "nobody is logged in" } }] }];
      const { code, outcome, failing } = await endedRun("riper", { designer: auth });
      expect([code, outcome]).toEqual([5, "inconclusive"]);
      expect(failing).toMatchObject({ dispatch: "Ω₁ᴾ[]", code: "inconclusive" });

      const hanging = await lineOf("riper", { designer: [{ does: [{ say: "hm" }, { hang: true }] }] });
      const called = await callProgram([...hanging, "--json"], {
        cwd: world.repository.dir,
        env: world.env,
        interruptAt: "Ω₁ᴾ[]",
      });
      expect(called.code).toBe(130);
      const { failing: none, ...rest } = outputOf({ ...called, code: 130, json: () => ({}) });
      expect([rest.outcome, rest.mode, none]).toEqual(["interrupted", "Ω₁ᴾ", null]);
    },
  );

  verifies("TDP-66", "a failed cycle ends in Ω₆ⱽ with exit 1, and names the code and the cycle", async () => {
    const { code, outcome, failing, mode, cycles } = await endedRun("dptr", {
      qa: [say("BL", "which hash is wanted?")],
    });
    expect([code, outcome, mode]).toEqual([1, "failed", "Ω₆ⱽ"]);
    expect(failing).toMatchObject({ code: "BL", cycle: 1, why: "which hash is wanted?" });
    expect(cycles).toEqual([{ cycle: 1, method: "slugify()", status: "failed" }]);
  });
});

test("the outcome schema refuses unknown values", () => {
  expect(Ended.safeParse({ version: 1, run: "x", protocol: "riper", outcome: "done" }).success).toBe(false);
});
