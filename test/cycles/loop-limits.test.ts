/** The limits of the loops in `mettle.yaml`. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { parseSettings } from "../../src/config/settings.ts";
import { AppError } from "../../src/lib/errors.ts";
import { callIn } from "../cli/here.ts";
import { verifies, verifiesInCi } from "../verifies.ts";
import type { World } from "../orchestrate/world.ts";
import { createCyclesWorld, dispatchLines, goCycles, oneCycle, type CyclesCassette } from "./world.ts";

const names = ["design_rounds", "plan_rounds", "refactor_passes", "test_disputes"];

describe("limits of loops", () => {
  let world: World;
  let marker = "";
  let cassette: CyclesCassette;
  beforeAll(async () => {
    world = await createCyclesWorld();
    marker = join(world.home, "an-agent-was-here");
    cassette = await oneCycle();
    cassette.roles.designer = [{ ...cassette.roles.designer[0], does: [{ shell: `touch ${marker}` }] }];
    cassette.roles.plan_critic = [{ report: { status: "NR" }, repeat: true }];
    cassette.roles.planner.push({ report: { status: "DG", message: "it stands" }, repeat: true });
  });

  test.each([1, 50])("%i is taken", (value) => {
    for (const name of names)
      expect(parseSettings(`version: 1\nlimits: { ${name}: ${value} }\n`).limits).toEqual({ [name]: value });
  });

  verifies(
    "TDP-77",
    "any other value, and an unknown limit, is refused with its line before any agent or run starts",
    async () => {
      const refused = async (line: string) => {
        await world.repository.write({ "mettle.yaml": `version: 1\nlimits:\n  ${line}\n` });
        const error: unknown = await world
          .start(cassette as never, { protocol: "riper" })
          .catch((thrown: unknown) => thrown);
        if (!(error instanceof AppError)) throw new Error(`${line} was taken`);
        return [error.code, error.exitCode, error.message] as const;
      };
      for (const name of names)
        for (const value of ["0", "-1", "1.5", '"five"', "51"])
          expect(await refused(`${name}: ${value}`)).toEqual([
            "bad_setting",
            2,
            expect.stringMatching(new RegExp(`^mettle\\.yaml:3:\\d+: ${name}: `, "u")),
          ]);
      expect(await refused("plan_round: 3")).toEqual([
        "bad_setting",
        2,
        "mettle.yaml:3:3: no protocol has a limit plan_round; did you mean plan_rounds?",
      ]);
      const line = ["run", "Add slugify(text)", "--protocol", "dptr", "--agent"];
      const called = await callIn(world, [...line, `default=${await world.agent(cassette as never)}`]);
      expect([called.code, called.stdout]).toEqual([2, ""]);
      expect(called.stderr).toContain(
        "error[bad_setting]: mettle.yaml:3:3: no protocol has a limit plan_round",
      );
      expect(await world.host.journal.runs()).toEqual([]);
      expect(existsSync(marker)).toBe(false);
    },
  );

  verifiesInCi(
    ["TDP-77", "TDP-62"],
    "with a limit of 1 the first NR escalates, and a change of the file during the run counts for new runs only",
    async () => {
      await world.repository.write({ "mettle.yaml": "version: 1\nlimits: { plan_rounds: 1 }\n" });
      const { run, end, events } = await goCycles(world, "dptr", cassette);
      expect(end).toMatchObject({ type: "waiting", asks: [{ as: "escalated", trip: { limit: 1 } }] });
      expect(dispatchLines(events).slice(-2)).toEqual(["Ω₃ᴾ[S{sid},R0]", "Ω₄ᶜ[S{sid},R0]"]);

      await world.repository.write({ "mettle.yaml": "version: 1\nlimits: { plan_rounds: 2 }\n" });
      const again = await callIn(world, ["resume", run, "--context", "once more"]);
      expect(again.code).toBe(4);
      const after = await world.host.journal.read(run);
      const lines = after.flatMap(({ data }) => String((data as { line?: string }).line ?? ""));
      expect(lines.filter((each) => each.includes(",R")).map((each) => each.replace(/S[^,]+,/u, ""))).toEqual(
        ["Ω₃ᴾ[R0]", "Ω₄ᶜ[R0]", "Ω₃ᴾ[R1,CTX:revise]", "Ω₄ᶜ[R1,CTX:disagree]"],
      );
      const newer = await goCycles(world, "dptr", cassette);
      expect(newer.end).toMatchObject({ asks: [{ as: "escalated", trip: { limit: 2 } }] });
    },
  );
});
