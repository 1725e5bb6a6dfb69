import { afterAll, beforeAll, expect, test } from "vitest";
import type { Driven, World } from "../orchestrate/world.ts";
import { createTreeWorld, grow, toldOf } from "./world.ts";

let world: World;
let driven: Driven;

beforeAll(async () => {
  world = await createTreeWorld();
  driven = await grow(world);
  if (process.env["SHOW"]) console.log(toldOf(driven.events));
}, 120_000);

afterAll(() => world.remove());

test("a root with two children ends complete", () => {
  const { view } = driven.context.session;
  expect(driven.end).toEqual({ type: "ended", outcome: "complete" });
  expect(Object.keys(view.nodes)).toEqual(["receipt", "receipt--parse", "receipt--money"]);
});

test("accepted work is on the branches and nothing of it is put aside; the refused try is", () => {
  const { rescued } = driven.context.session.view;
  expect(rescued.map(({ reason }) => reason)).toEqual([expect.stringContaining("required tests: 1 failed")]);
});
