/**
 * Agents without Mettle's tools take part in the dialogue through their text (fault D4).
 * @module-tag ci
 */
import { beforeAll, expect, test } from "vitest";
import { oneCycle } from "./world.ts";
import { explore, reports, type ExploreResult } from "../explore/explorer.ts";
import { eventsOf } from "../orchestrate/world.ts";
import { recorded } from "../../src/run/list-runs.ts";

let explored: ExploreResult;
beforeAll(async () => {
  const { designer, planner } = (await oneCycle()).roles;
  const [design] = designer;
  const [plan] = planner;
  const module = { name: "slugify", specification: "gives a slug" };
  const payload = { ...(design?.report?.payload as object), module_specifications: [module] };
  explored = await explore({
    files: {
      "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
    },
    moves: {
      design: [reports("PC", payload)],
      "audit/slugify/critic": [reports("ACCEPT")],
      plan: [
        {
          does: [{ say: "One cycle is enough.\nIt is one function." }],
          report: { ...plan?.report, status: "PC" },
        },
      ],
      critic: [
        { does: [{ say: "Which function?\nName it." }], report: { status: "NR", message: "no name" } },
      ],
      replan: [{ does: [{ say: "I do not agree." }], report: { status: "EN", message: "no" } }],
    },
    start: ["Add slugify(text)", "--protocol", "dptr"],
    maxCommands: 0,
  });
});

test("each agent's text before its decision is its observation, and its partner reads it", async () => {
  const { world, run } = explored;
  const events = (await world.host.journal.read(run)).map(recorded);
  const told = eventsOf(events, "observed").map(
    ({ agent, round, excerpt }) => `${agent} R${round}: ${excerpt.replaceAll("\n", " ")}`,
  );
  expect(told.filter((line) => !line.startsWith("MT"))).toEqual([
    "Ω₃ᴾ R0: One cycle is enough. It is one function.",
    "Ω₄ᶜ R0: Which function? Name it.",
    "Ω₃ᴾ R1: I do not agree.",
  ]);
  const prompts = eventsOf(events, "dispatch.started").map(({ prompt }) => prompt);
  const texts = await Promise.all(prompts.slice(-3).map((ref) => world.host.payloads.text(ref)));
  for (const text of texts)
    expect(text).toContain("What you write before your decision is kept as your observation");
  expect(texts[1]).toContain("One cycle is enough.");
  expect(texts[2]).toContain("Name it.");
});
