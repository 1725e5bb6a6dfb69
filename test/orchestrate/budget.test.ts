/** A run stops before the dispatch that its budget no longer covers, and goes on with a larger one (CORE-58). */
import { expect } from "vitest";
import { spentOf } from "../../src/log/spent.ts";
import { callIn } from "../cli/here.ts";
import { verifies, verifiesInCi } from "../verifies.ts";
import { answerAll, createWorld, golden, untestedFiles } from "./world.ts";

verifiesInCi(
  "SEE-11",
  "caps of a role and of a day stop before the next dispatch, with what was spent and the command that raises them",
  async () => {
    const world = await createWorld({ ...(await untestedFiles()), ".gitignore": "mettle.yaml\n" });
    const budget = "budget: { roles: { planner: { turns: 1 } }, day: { usd: 2 } }";
    await world.repository.write({ "mettle.yaml": `version: 1\n${budget}\n` });
    const cassette = await golden();
    const [plan = {}] = cassette.roles.planner;
    cassette.roles.planner = [{ ...plan, does: [{ usage: { costUsd: 1.25 } }] }, plan];
    const go = () => world.go(cassette, answerAll, { preapproved: ["plan", "code"] });
    const first = await go();
    const stop = async (...args: readonly string[]) => {
      const called = await callIn(world, [...args, "--json"]);
      const { error = {} } = called.json() as { error?: { message?: string; hint?: string } };
      return [called.code, error.message, error.hint];
    };
    const resume = `\`mettle resume ${first.run} --set budget`;
    const ends = `raises it, \`mettle abort ${first.run}\` ends the run`;
    // The planner wrote nothing in its only turn.
    expect(await stop("resume", first.run)).toEqual([
      4,
      "the budget of the role planner in this run is used up: agents had 1 of 1 turn",
      `${resume}.roles.planner.turns=2\` ${ends}`,
    ]);
    // A second run of this user spends the rest of the day.
    const second = await go();
    expect(second.end.type).toBe("waiting");
    expect(await stop("resume", first.run, "--set", "budget.roles.planner.turns=2")).toEqual([
      4,
      "the budget of today, for all your runs on this machine, is used up: $2.50 of $2.00, and 4 of 6 dispatches reported no cost",
      `${resume}.day.usd=4\` ${ends}`,
    ]);
    expect(await stop("resume", first.run, "--set", "budget.day.usd=4")).toEqual([0, undefined, undefined]);
  },
  60_000,
);

verifies(
  "CORE-58",
  "what agents used is kept by role and agent, and a used budget stops before the next dispatch with exit 4",
  async () => {
    const world = await createWorld({ ...(await untestedFiles()), ".gitignore": "mettle.yaml\n" });
    await world.repository.write({ "mettle.yaml": "version: 1\nbudget: { usd: 1 }\n" });
    const cassette = await golden();
    const { intake, planner } = cassette.roles;
    intake[0]?.does?.unshift({ usage: { inputTokens: 1000, outputTokens: 200, costUsd: 0.75 } });
    planner[0]?.does?.unshift({ usage: { inputTokens: 4000, costUsd: 0.5 } });
    const { run, end, context } = await world.go(cassette, answerAll, { preapproved: ["plan", "code"] });
    expect(end.type).toBe("waiting");
    const { view } = context.session;
    const started = Object.values(view.dispatches).map(({ role }) => role);
    expect(new Set(started)).toEqual(new Set(["intake", "planner"]));
    const status = async () => {
      const { runs } = (await callIn(world, ["status", run, "--json"])).json();
      return (runs as { spent: Record<string, unknown>; warnings: string[] }[])[0];
    };
    const figures = (tokens: number, cost: number) =>
      expect.objectContaining({ tokens, cost_usd: cost, without_cost: expect.any(Number) });
    expect((await status())?.spent).toMatchObject({
      tokens: 5200,
      cost_usd: 1.25,
      roles: { intake: figures(1200, 0.75), planner: figures(4000, 0.5) },
      agents: { scripted: figures(5200, 1.25) },
    });
    expect((await status())?.warnings.at(-1)).toBe(
      `error[budget_used]: the budget of this run is used up: $1.25 of $1.00, and 1 of 3 dispatches reported no cost (hint: \`mettle resume ${run} --set budget.usd=2\` raises it, \`mettle abort ${run}\` ends the run)`,
    );
    // Without a larger budget the run stops at the same place.
    const again = await callIn(world, ["resume", run]);
    expect([again.code, again.stderr.split(":")[0]]).toEqual([4, "error[budget_used]"]);
    const raised = await callIn(world, ["resume", run, "--set", "budget.usd=2"]);
    expect([raised.code, raised.stdout]).toEqual([0, expect.stringContaining("Cost: $1.25 and 5200 tokens")]);
    expect(spentOf(view).costUsd).toBe(1.25);
  },
  60_000,
);
